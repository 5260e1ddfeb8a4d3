import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { type RequestOptions, request as httpsRequest } from 'node:https';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StartupError } from '../../src/core/errors.ts';
import { listen } from '../../src/http/server.ts';
import { fakeApp, fakeSettings } from './fake-app.ts';

const pem = (name: string): string => fileURLToPath(new URL(`../../fixtures/tls/${name}`, import.meta.url));
const read = (name: string): Buffer => readFileSync(pem(name));

let directory: string;
const apps: FastifyInstance[] = [];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'derender-server-'));
});
afterEach(async () => {
  await Promise.all(apps.splice(0).map((app) => app.close()));
  rmSync(directory, { recursive: true });
});

async function start(...flags: string[]): Promise<string> {
  const app = fakeApp('--host', '127.0.0.1', '--port', '0', ...flags);
  apps.push(app);
  return listen(app, fakeSettings('--host', '127.0.0.1', '--port', '0', ...flags));
}

function target(url: string): { host: string; port: string } {
  const { hostname, port } = new URL(url);
  return { host: hostname, port };
}

/** Status of an answer, or the code of the error that came instead. */
function ask(send: typeof httpRequest | typeof httpsRequest, options: RequestOptions): Promise<number | string> {
  return new Promise((resolve) => {
    const call = send({ agent: false, ...options }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode ?? 0));
    });
    call.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    call.end();
  });
}

describe('listening', () => {
  it('on a free port', async () => {
    const url = await start();
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await fetch(`${url}/health`)).status).toBe(200);
  });

  it('on a port in use ends with one sentence', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as { port: number };
    await expect(start('--port', String(port))).rejects.toThrow(new StartupError(`127.0.0.1:${port} is in use by another process.`));
    other.close();
  });

  it('on a Unix domain socket, also over one that a dead process left behind', async () => {
    const path = join(directory, 'socket');
    expect(await start('--uds', path)).toBe(path);
    expect(await ask(httpRequest, { socketPath: path, path: '/health' })).toBe(200);
    await expect(start('--uds', path)).rejects.toThrow(/in use/);
    await apps[0]?.close();
    writeFileSync(path, '');
    expect(await start('--uds', path)).toBe(path);
    expect(await ask(httpRequest, { socketPath: path, path: '/health' })).toBe(200);
  });
});

describe('stopping', () => {
  it('answers what is running, and closes connections that are idle', async () => {
    const url = await start();
    const [app] = apps as [FastifyInstance];
    const keepAlive = new Agent({ keepAlive: true });
    expect(await ask(httpRequest, { ...target(url), path: '/health', agent: keepAlive })).toBe(200);
    const arrived = new Promise<void>((resolve) => app.server.once('request', () => resolve()));
    const running = ask(httpRequest, { ...target(url), path: '/metrics' });
    await arrived;
    const closed = app.close();
    expect(await running).toBe(200);
    await closed;
    expect(await ask(httpRequest, { ...target(url), path: '/health' })).toBe('ECONNREFUSED');
    keepAlive.destroy();
  });
});

describe('TLS', () => {
  const flags = ['--ssl-keyfile', pem('server.key'), '--ssl-certfile', pem('server.pem'), '--ssl-ca-certs', pem('ca.pem')];
  const client = { key: read('client.key'), cert: read('client.pem') };

  async function statuses(certReqs: string): Promise<(number | string)[]> {
    const url = new URL(await start(...flags, '--ssl-cert-reqs', certReqs));
    const options = { host: url.hostname, port: url.port, path: '/health', ca: read('ca.pem') };
    return [await ask(httpsRequest, options), await ask(httpsRequest, { ...options, ...client })];
  }

  it('without client certificates', async () => {
    expect(await statuses('0')).toEqual([200, 200]);
  });

  it('with client certificates checked if sent', async () => {
    expect(await statuses('1')).toEqual([200, 200]);
  });

  it('with client certificates required', async () => {
    const [without, withOne] = await statuses('2');
    expect(withOne).toBe(200);
    expect(without).not.toBe(200);
  });

  it('refuses keys that do not fit', () => {
    expect(() => fakeSettings('--ssl-certfile', join(directory, 'none.pem'))).toThrow(
      /--ssl-keyfile.*none\.pem cannot be read|--ssl-certfile.*none\.pem cannot be read/,
    );
    expect(() => fakeSettings('--ssl-certfile', pem('server.pem'), '--ssl-cert-reqs', '2')).toThrow(/needs --ssl-ca-certs/);
  });
});
