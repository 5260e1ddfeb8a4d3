import { randomUUID } from 'node:crypto';
import type { ServerOptions } from 'node:https';
import { LogController, fastify, type FastifyBaseLogger, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Settings } from '../core/settings.ts';
import { Authentication } from './authentication.ts';
import { checkContentType, mayHoldJson } from './content-type.ts';
import { CrossOriginAccess } from './cors.ts';
import { errorAnswer } from './error-answer.ts';
import { answerText } from './json-answer.ts';
import { type JsonBody, readJsonBody } from './json-body.ts';
import { MethodTable } from './method-table.ts';
import type { Metrics } from './metrics.ts';
import type { Route, RouteAnswer } from './route.ts';
import { routesOf } from './routes.ts';
import type { Services } from './services.ts';

export interface AppOptions {
  services: Services;
  settings: Settings;
  logger: FastifyBaseLogger;
  /** This package's version. */
  version: string;
  metrics: Metrics;
  https?: ServerOptions;
}

const REQUEST_TIMEOUT_MS = 300_000;

function headerText(value: string | string[] | undefined): string | null {
  return (Array.isArray(value) ? value[0] : value) ?? null;
}

function sendJson(reply: FastifyReply, status: number, text: string): void {
  // As bytes: the framework would add a charset to text.
  reply.code(status).header('content-type', 'application/json').send(Buffer.from(text, 'utf8'));
}

function send(reply: FastifyReply, answer: RouteAnswer, metrics: Metrics): void {
  if ('json' in answer) sendJson(reply, 200, answerText(answer.json));
  else if ('stream' in answer) {
    const { stream_state: state, ...rest } = answer.stream;
    const stateText = answerText(state);
    metrics.observeStreamState(stateText.length);
    sendJson(reply, 200, `${answerText(rest).slice(0, -1)},"stream_state":${stateText}}`);
  } else if ('text' in answer) reply.code(200).header('content-type', answer.contentType).send(answer.text);
  else reply.code(200).send();
}

function sendError(request: FastifyRequest, reply: FastifyReply, error: unknown): void {
  const { status, body } = errorAnswer(error);
  if (status >= 500) request.log.error({ err: error }, 'request failed');
  sendJson(reply, status, JSON.stringify(body));
}

function pathOf(request: FastifyRequest): string {
  const query = request.url.indexOf('?');
  return query < 0 ? request.url : request.url.slice(0, query);
}

/** Answers what no route matched, as the reference's web framework does. */
function answerUnmatched(request: FastifyRequest, reply: FastifyReply, table: MethodTable, rootPath: string): void {
  const path = pathOf(request);
  const allowed = table.allowed(path);
  const other = table.withOtherSlash(path);
  if (allowed !== undefined) {
    reply.header('allow', allowed);
    sendJson(reply, 405, JSON.stringify({ detail: 'Method Not Allowed' }));
  } else if (other === undefined) {
    sendJson(reply, 404, JSON.stringify({ detail: 'Not Found' }));
  } else {
    const location = `${request.protocol}://${request.headers.host ?? 'localhost'}${rootPath}${other}${request.url.slice(path.length)}`;
    reply.code(307).header('location', location).send();
  }
}

const NO_BODY: JsonBody = { value: undefined, text: '' };

/** The body of a JSON route. Bad JSON is told before a wrong content type, as in the reference. */
function readBody(request: FastifyRequest): JsonBody {
  const contentType = request.headers['content-type'];
  const body = mayHoldJson(contentType) && Buffer.isBuffer(request.body) ? readJsonBody(request.body) : NO_BODY;
  checkContentType(contentType);
  return body;
}

function register(app: FastifyInstance, route: Route, metrics: Metrics): void {
  app.route({
    method: route.method,
    url: route.path,
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      const requestId = headerText(request.headers['x-request-id']);
      const { value, text } = route.takesJson ? readBody(request) : NO_BODY;
      send(reply, await route.handle({ body: value, text, requestId }), metrics);
      return reply;
    },
  });
}

function addHooks(app: FastifyInstance, options: AppOptions, table: MethodTable): void {
  const { settings, metrics } = options;
  const authentication = new Authentication(settings.apiKeys);
  const crossOrigin = new CrossOriginAccess(settings.cors);
  app.addHook('onRequest', (request, reply, done) => {
    if (settings.enableRequestIdHeaders) reply.header('x-request-id', request.id);
    crossOrigin.mark(request, reply);
    if (request.method !== 'OPTIONS' && authentication.guards(pathOf(request)) && !authentication.accepts(request.headers.authorization)) {
      return sendJson(reply, 401, JSON.stringify({ error: 'Unauthorized' }));
    }
    if (crossOrigin.answerPreflight(request, reply)) return;
    if (request.is404) return answerUnmatched(request, reply, table, settings.rootPath);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const milliseconds = reply.elapsedTime;
    metrics.observeRequest(request, reply, milliseconds);
    request.log.info(
      { method: request.method, path: pathOf(request), status: reply.statusCode, ms: Math.round(milliseconds * 10) / 10 },
      'request',
    );
    done();
  });
}

/**
 * The server's application, without listening. Every answer's form, errors of the framework too, is that of the reference.
 */
export function buildApp(options: AppOptions): FastifyInstance {
  const { settings, logger } = options;
  const app: FastifyInstance = fastify({
    loggerInstance: logger,
    ...(options.https ? { https: options.https } : {}),
    bodyLimit: settings.maxBodyBytes,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    requestTimeout: REQUEST_TIMEOUT_MS,
    genReqId: (request) => headerText(request.headers['x-request-id']) ?? randomUUID().replaceAll('-', ''),
    rewriteUrl: (request) => {
      const url = request.url ?? '/';
      const { rootPath } = settings;
      return rootPath !== '' && url.startsWith(`${rootPath}/`) ? url.slice(rootPath.length) : url;
    },
    frameworkErrors: (_error, request, reply) => {
      // A path that cannot be decoded is a path that is not there.
      sendJson(reply, 404, JSON.stringify({ detail: 'Not Found' }));
      request.log.debug('unreadable path');
    },
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  const routes = routesOf(options);
  addHooks(app, options, new MethodTable(routes));
  app.setErrorHandler((error, request, reply) => sendError(request, reply, error));
  for (const route of routes) register(app, route, options.metrics);
  return app;
}
