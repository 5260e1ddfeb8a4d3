import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export const COMMIT: string = 'a'.repeat(40);

/** One model of a hub, and how the hub behaves. */
export interface HubModel {
  name: string;
  files: Record<string, Buffer>;
  /** Files that come from another host, as large ones do. */
  large?: string[];
  /** Another name under which it was known. */
  formerName?: string;
  /** The token that may see it. */
  token?: string;
  /** Needs an agreement on the hub's page first. */
  gated?: boolean;
}

/** A request that the hub got. */
export interface SeenRequest {
  host: 'hub' | 'storage';
  method: string;
  path: string;
  authorization: string | undefined;
  range: string | undefined;
}

/** Answers like a Hugging Face hub and its storage, on two ports of this machine. */
export class HubServer {
  readonly seen: SeenRequest[] = [];
  /** Bytes after which the storage breaks off its next answer. */
  breakAfter: number | undefined;
  /** Whether the storage sends other bytes than it should. */
  damaged = false;
  /** Whether the hub is out of order. */
  failing = false;
  readonly #model: HubModel;
  #hub: Server | undefined;
  #storage: Server | undefined;

  constructor(model: HubModel) {
    this.#model = model;
  }

  async start(): Promise<void> {
    this.#hub = await listening((request, response) => this.#answer(request, response));
    this.#storage = await listening((request, response) => this.#store(request, response));
  }

  async stop(): Promise<void> {
    await Promise.all([this.#hub, this.#storage].map((server) => new Promise((resolve) => server?.close(resolve))));
  }

  get endpoint(): string {
    return address(this.#hub);
  }

  #note(host: 'hub' | 'storage', request: IncomingMessage): string {
    const { authorization, range } = request.headers;
    const path = decodeURIComponent(request.url ?? '/');
    this.seen.push({ host, method: request.method ?? '', path, authorization, range });
    return path;
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const path = this.#note('hub', request);
    const { name, formerName, token, gated } = this.#model;
    if (this.failing) return refuse(response, 503);
    if (token !== undefined && request.headers.authorization !== `Bearer ${token}`) return refuse(response, 401, 'RepoNotFound');
    if (formerName !== undefined && path.startsWith(`/${formerName}/`)) {
      response.writeHead(307, { location: path.replace(formerName, name) }).end();
      return;
    }
    const list = /^\/api\/models\/(.+)\/revision\/(.+)$/.exec(path);
    if (list !== null) {
      if (list[1] !== name && list[1] !== formerName) return refuse(response, 404, 'RepoNotFound');
      if (list[2] !== 'main' && list[2] !== COMMIT) return refuse(response, 404, 'RevisionNotFound');
      const siblings = Object.keys(this.#model.files).map((rfilename) => ({ rfilename }));
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ sha: COMMIT, siblings }));
      return;
    }
    if (gated === true) return refuse(response, 403, 'GatedRepo');
    const prefix = `/${name}/resolve/${COMMIT}/`;
    const fileName = path.slice(prefix.length);
    const content = path.startsWith(prefix) ? this.#model.files[fileName] : undefined;
    if (content === undefined) return refuse(response, 404, 'EntryNotFound');
    if (this.#model.large?.includes(fileName) === true) {
      const etag = createHash('sha256').update(content).digest('hex');
      const location = `${address(this.#storage)}/${etag}?file=${encodeURIComponent(fileName)}`;
      response
        .writeHead(302, { location, 'x-linked-etag': `"${etag}"`, 'x-linked-size': String(content.length), 'x-repo-commit': COMMIT })
        .end();
      return;
    }
    const etag = createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
    response.writeHead(200, { etag: `W/"${etag}"`, 'content-length': content.length, 'x-repo-commit': COMMIT });
    response.end(request.method === 'HEAD' ? undefined : content);
  }

  #store(request: IncomingMessage, response: ServerResponse): void {
    const path = this.#note('storage', request);
    const fileName = new URL(path, 'http://storage').searchParams.get('file') ?? '';
    const content = this.#model.files[fileName] ?? Buffer.alloc(0);
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
    const body = this.damaged ? Buffer.alloc(content.length, 1) : content;
    const range = { 'content-range': `bytes ${from}-${content.length - 1}/${content.length}` };
    response.writeHead(from > 0 ? 206 : 200, { 'content-length': content.length - from, ...(from > 0 ? range : {}) });
    const end = this.breakAfter;
    this.breakAfter = undefined;
    if (end === undefined) response.end(body.subarray(from));
    else response.write(body.subarray(from, from + end), () => response.destroy());
  }
}

function refuse(response: ServerResponse, status: number, code?: string): void {
  response.writeHead(status, code === undefined ? {} : { 'x-error-code': code }).end();
}

async function listening(handler: (request: IncomingMessage, response: ServerResponse) => void): Promise<Server> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

function address(server: Server | undefined): string {
  const { port } = (server?.address() ?? { port: 0 }) as AddressInfo;
  return `http://127.0.0.1:${port}`;
}
