import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Settings } from '../core/settings.ts';

const PREFLIGHT_SECONDS = '600';
const ALL_METHODS = 'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT';

function isAllowed(list: readonly string[], value: string): boolean {
  return list.includes('*') || list.includes(value);
}

/** Cross-origin access for the pages that the settings allow. */
export class CrossOriginAccess {
  private readonly settings: Settings['cors'];

  constructor(settings: Settings['cors']) {
    this.settings = settings;
  }

  /** Puts the headers for the calling page's origin on an answer. */
  mark(request: FastifyRequest, reply: FastifyReply): void {
    const { origin } = request.headers;
    if (origin === undefined || !isAllowed(this.settings.origins, origin)) return;
    const anyone = this.settings.origins.includes('*') && !this.settings.credentials;
    reply.header('access-control-allow-origin', anyone ? '*' : origin);
    if (!anyone) reply.header('vary', 'Origin');
    if (this.settings.credentials) reply.header('access-control-allow-credentials', 'true');
  }

  /** Answers a preflight request. Returns false where the request is none. */
  answerPreflight(request: FastifyRequest, reply: FastifyReply): boolean {
    const { origin } = request.headers;
    const method = request.headers['access-control-request-method'];
    if (request.method !== 'OPTIONS' || origin === undefined || method === undefined) return false;
    const headers = request.headers['access-control-request-headers'];
    const refused: string[] = [];
    if (!isAllowed(this.settings.origins, origin)) refused.push('origin');
    if (!isAllowed(this.settings.methods, method)) refused.push('method');
    const allowedHeaders = this.settings.headers.map((name) => name.toLowerCase());
    const asked = (headers ?? '')
      .split(',')
      .map((name) => name.trim().toLowerCase())
      .filter((name) => name !== '');
    if (asked.some((name) => !isAllowed(allowedHeaders, name))) refused.push('headers');
    reply.header('access-control-max-age', PREFLIGHT_SECONDS);
    reply.header('access-control-allow-methods', this.settings.methods.includes('*') ? ALL_METHODS : this.settings.methods.join(', '));
    const shownHeaders = this.settings.headers.includes('*') ? headers : this.settings.headers.join(', ');
    if (shownHeaders) reply.header('access-control-allow-headers', shownHeaders);
    reply.type('text/plain');
    if (refused.length > 0) reply.code(400).send(`Disallowed CORS ${refused.join(', ')}`);
    else reply.code(200).send('OK');
    return true;
  }
}
