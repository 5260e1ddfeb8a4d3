import { createHash } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { EnvHttpProxyAgent, request, type Dispatcher } from 'undici';
import { StartupError } from '../core/errors.ts';
import type { HubSettings } from './hub-settings.ts';
import { HubUnreachable } from './hub-unreachable.ts';

/** Where the hub says a file is. */
interface RemoteFile {
  etag: string;
  /** Bytes, undefined where the hub does not say. */
  size: number | undefined;
  url: string;
}

/** What the hub has of a model. */
export interface Repository {
  commit: string;
  fileNames: string[];
}

const MAX_REDIRECTS = 5;
const ATTEMPTS = 3;
const CONNECT_TIMEOUT_MS = 10_000;

/** Talks to a Hugging Face hub, or a server that answers like one. */
export class HubClient {
  readonly #settings: HubSettings;
  readonly #dispatcher: Dispatcher;

  constructor(settings: HubSettings) {
    this.#settings = settings;
    const { noProxy } = settings;
    this.#dispatcher = new EnvHttpProxyAgent({
      noProxy,
      connect: { timeout: CONNECT_TIMEOUT_MS },
      headersTimeout: 30_000,
      bodyTimeout: 60_000,
    });
  }

  async close(): Promise<void> {
    await this.#dispatcher.close();
  }

  /**
   * The commit and the files of a revision.
   * @throws StartupError where the hub refuses, HubUnreachable where it does not answer.
   */
  async repository(name: string, revision: string): Promise<Repository> {
    const url = `${this.#settings.endpoint}/api/models/${name}/revision/${encodeURIComponent(revision)}`;
    const response = await this.#send('GET', url, {});
    if (response.statusCode !== 200) throw await this.#refusal(response, name, revision);
    const body = (await response.body.json()) as { sha?: unknown; siblings?: unknown };
    if (typeof body.sha !== 'string' || !/^[\w-]+$/.test(body.sha) || !Array.isArray(body.siblings))
      throw new StartupError(`${url} did not answer like a model hub.`);
    const fileNames = (body.siblings as { rfilename?: unknown }[]).map(({ rfilename }) => rfilename);
    return { commit: body.sha, fileNames: fileNames.filter((file) => typeof file === 'string') };
  }

  /**
   * The entity tag of a file and where it is.
   * @throws StartupError, HubUnreachable
   */
  async locate(name: string, commit: string, fileName: string): Promise<RemoteFile> {
    const path = fileName.split('/').map(encodeURIComponent).join('/');
    let url = `${this.#settings.endpoint}/${name}/resolve/${commit}/${path}`;
    for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
      const response = await this.#send('HEAD', url, { 'accept-encoding': 'identity' });
      await response.body.dump();
      const location = header(response, 'location');
      const linked = header(response, 'x-linked-etag');
      if (response.statusCode >= 300 && response.statusCode < 400 && location !== undefined) {
        const next = new URL(location, url).href;
        // Large files are elsewhere; their tag comes with the way there. Another name of the model is followed.
        if (linked === undefined) {
          url = next;
          continue;
        }
        return { etag: plainTag(linked), size: size(header(response, 'x-linked-size')), url: next };
      }
      if (response.statusCode !== 200) throw await this.#refusal(response, name, commit, fileName);
      const etag = linked ?? header(response, 'etag');
      if (etag === undefined) throw new StartupError(`${url} came without an ETag.`);
      return { etag: plainTag(etag), size: size(header(response, 'x-linked-size') ?? header(response, 'content-length')), url };
    }
    throw new StartupError(`${fileName} of ${name}: more than ${MAX_REDIRECTS} redirects.`);
  }

  /**
   * Fetches a file, going on where an earlier attempt was cut off. The file appears under its name only when it is whole.
   * @throws StartupError, HubUnreachable
   */
  async download(file: RemoteFile, target: string, shownName: string): Promise<void> {
    const partial = `${target}.incomplete`;
    mkdirSync(dirname(target), { recursive: true });
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.#fetchInto(file, partial, shownName);
        checkContent(file, partial, shownName);
        renameSync(partial, target);
        return;
      } catch (error) {
        if (error instanceof StartupError || attempt === ATTEMPTS) throw error;
      }
    }
  }

  async #fetchInto(file: RemoteFile, partial: string, shownName: string): Promise<void> {
    const have = statSync(partial, { throwIfNoEntry: false })?.size ?? 0;
    if (file.size !== undefined && have === file.size) return;
    const response = await this.#follow(file.url, have > 0 ? { range: `bytes=${have}-`, 'accept-encoding': 'identity' } : {});
    if (response.statusCode === 416) {
      await response.body.dump();
      rmSync(partial, { force: true });
      throw new HubUnreachable(`${shownName}: the part that is there does not fit.`);
    }
    if (response.statusCode !== 200 && response.statusCode !== 206) throw await this.#refusal(response, shownName, '');
    const resumed = response.statusCode === 206 && header(response, 'content-range')?.startsWith(`bytes ${have}-`) === true;
    const descriptor = openSync(partial, resumed ? 'a' : 'w');
    try {
      for await (const chunk of response.body) writeSync(descriptor, chunk as Buffer);
    } catch (error) {
      throw new HubUnreachable(`${shownName}: the connection broke off.`, { cause: error });
    } finally {
      closeSync(descriptor);
    }
  }

  async #follow(start: string, headers: Record<string, string>): Promise<Dispatcher.ResponseData> {
    let url = start;
    for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
      const response = await this.#send('GET', url, headers);
      const location = header(response, 'location');
      if (response.statusCode < 300 || response.statusCode >= 400 || location === undefined) return response;
      await response.body.dump();
      url = new URL(location, url).href;
    }
    throw new StartupError(`${start}: more than ${MAX_REDIRECTS} redirects.`);
  }

  async #send(method: 'GET' | 'HEAD', url: string, headers: Record<string, string>): Promise<Dispatcher.ResponseData> {
    // The token is for the hub: storage hosts that it points to have their own key in the address.
    const own = this.#settings.token !== null && new URL(url).origin === new URL(this.#settings.endpoint).origin;
    const authorization = own ? { authorization: `Bearer ${this.#settings.token}` } : {};
    try {
      return await request(url, {
        method,
        headers: { 'user-agent': 'derender-server', ...authorization, ...headers },
        dispatcher: this.#dispatcher,
      });
    } catch (error) {
      throw new HubUnreachable(`${new URL(url).origin} cannot be reached (${(error as Error).message}).`, { cause: error });
    }
  }

  async #refusal(response: Dispatcher.ResponseData, name: string, revision: string, fileName?: string): Promise<Error> {
    await response.body.dump().catch(() => undefined);
    const { statusCode } = response;
    const code = header(response, 'x-error-code');
    const { endpoint, token } = this.#settings;
    const access = token === null ? 'give a token with --hf-token or HF_TOKEN' : 'the token that was given has no access to it';
    if (code === 'RevisionNotFound') return new StartupError(`${name} has no revision ${revision} at ${endpoint}.`);
    if (code === 'GatedRepo' || statusCode === 403) return new StartupError(`${name} at ${endpoint} is closed to this account: ${access}.`);
    if (statusCode === 401) return new StartupError(`${endpoint} has no public model ${name}: check the name, or ${access}.`);
    if (statusCode === 404 && fileName !== undefined) return new StartupError(`${name} has no file ${fileName} at ${endpoint}.`);
    if (statusCode === 404) return new StartupError(`${endpoint} has no model ${name}, and there is no local directory of that name.`);
    return new HubUnreachable(`${endpoint} answered ${statusCode} for ${name}.`);
  }
}

function header(response: Dispatcher.ResponseData, name: string): string | undefined {
  const value = response.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function plainTag(etag: string): string {
  const tag = etag.replace(/^W\//, '').replaceAll('"', '');
  if (!/^[\w.+-]+$/.test(tag) || tag.startsWith('.')) throw new StartupError(`The hub sent an ETag that cannot name a file: ${etag}.`);
  return tag;
}

function size(text: string | undefined): number | undefined {
  const value = Number(text);
  return text !== undefined && Number.isInteger(value) ? value : undefined;
}

/** The tag of a large file is its SHA-256, that of a small one the SHA-1 that git gives it: both tell whether the content is right. */
function checkContent({ etag, size: wanted }: RemoteFile, path: string, shownName: string): void {
  const content = readFileSync(path);
  const right =
    (wanted === undefined || content.length === wanted) &&
    (!/^[0-9a-f]{64}$/.test(etag) || createHash('sha256').update(content).digest('hex') === etag) &&
    (!/^[0-9a-f]{40}$/.test(etag) || createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex') === etag);
  if (right) return;
  rmSync(path, { force: true });
  throw new HubUnreachable(`${shownName} came damaged.`);
}
