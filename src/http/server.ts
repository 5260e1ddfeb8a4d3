import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import type { ServerOptions } from 'node:https';
import type { FastifyInstance } from 'fastify';
import { StartupError } from '../core/errors.ts';
import type { Settings } from '../core/settings.ts';

/** TLS options of the HTTP server, or undefined for plain HTTP. */
export function tlsOptions(ssl: Settings['ssl']): ServerOptions | undefined {
  if (ssl === null) return undefined;
  return {
    key: ssl.key,
    cert: ssl.certificate,
    requestCert: ssl.clientCertificates !== 'ignored',
    rejectUnauthorized: ssl.clientCertificates === 'required',
    ...(ssl.authorities === null ? {} : { ca: ssl.authorities }),
    ...(ssl.keyPassword === null ? {} : { passphrase: ssl.keyPassword }),
    ...(ssl.ciphers === null ? {} : { ciphers: ssl.ciphers }),
  };
}

/** Whether somebody listens on a Unix domain socket. */
function isAlive(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(path);
    probe.once('connect', () => {
      probe.destroy();
      resolve(true);
    });
    probe.once('error', () => resolve(false));
  });
}

function listenProblem(error: NodeJS.ErrnoException, where: string): StartupError {
  if (error.code === 'EADDRINUSE') return new StartupError(`${where} is in use by another process.`);
  if (error.code === 'EACCES') return new StartupError(`This user may not listen on ${where}.`);
  return new StartupError(`The server cannot listen on ${where}: ${error.message}`);
}

async function listenOnSocket(app: FastifyInstance, path: string): Promise<void> {
  try {
    await app.listen({ path, listenTextResolver: () => `ready on ${path}` });
  } catch (error) {
    // A process that was killed leaves its socket file behind.
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || (await isAlive(path))) throw error;
    rmSync(path);
    await app.listen({ path, listenTextResolver: () => `ready on ${path}` });
  }
}

/**
 * Starts to listen.
 * @returns the address as a URL, or the socket's path
 * @throws StartupError where that is not possible
 */
export async function listen(app: FastifyInstance, settings: Settings): Promise<string> {
  const { uds, host, port } = settings;
  try {
    if (uds !== null) {
      await listenOnSocket(app, uds);
      return uds;
    }
    await app.listen({ host, port, listenTextResolver: (address) => `ready on ${address}` });
  } catch (error) {
    throw listenProblem(error as NodeJS.ErrnoException, uds ?? `${host}:${port}`);
  }
  const address = app.server.address();
  const realPort = typeof address === 'object' && address !== null ? address.port : port;
  return `${settings.ssl === null ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${realPort}`;
}

/** The next SIGTERM or SIGINT. */
function nextSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, resolve);
  });
}

/**
 * Runs until SIGTERM or SIGINT, then closes idle connections, and the others once their requests are answered or the timeout is over.
 * A second signal ends them at once.
 */
export async function runUntilSignal(app: FastifyInstance, timeoutSeconds: number): Promise<void> {
  const signal = await nextSignal();
  app.log.info({ signal }, 'stopping');
  const cut = (): void => app.server.closeAllConnections();
  const timer = setTimeout(cut, timeoutSeconds * 1000);
  void nextSignal().then(cut);
  await app.close();
  clearTimeout(timer);
}
