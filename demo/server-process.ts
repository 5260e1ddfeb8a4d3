import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

/** The built server in a process of its own. */
export interface ServerProcess {
  url: string;
  pid: number;
  /** Wall time from the start to the first answer of /health, in ms. */
  startMilliseconds: number;
  /** Sends SIGTERM and waits. @returns the exit code */
  stop(): Promise<number | null>;
}

const START_LIMIT_MS = 60_000;
const POLL_MS = 20;

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
    probe.on('error', reject);
  });
}

/**
 * Starts the server and waits until it answers.
 * @param flags what would stand behind `derender-server` on a command line
 * @param command the program and its first arguments; the built command line of this checkout by default
 * @throws Error with the server's last words where it ends instead
 */
export async function startServer(flags: readonly string[], command: readonly string[] = builtCommand()): Promise<ServerProcess> {
  const port = await freePort();
  const started = performance.now();
  const [program = process.execPath, ...first] = command;
  const child = spawn(program, [...first, ...flags, '--host', '127.0.0.1', '--port', String(port)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let words = '';
  child.stderr.on('data', (data: Buffer) => (words = (words + data.toString('utf8')).slice(-2000)));
  let ended = false;
  const exit = new Promise<number | null>((resolve) => {
    child.on('exit', (code) => {
      ended = true;
      resolve(code);
    });
  });
  const url = `http://127.0.0.1:${port}`;
  for (;;) {
    if (ended) throw new Error(`the server ended: ${words.trim()}`);
    const answers = await fetch(`${url}/health`).then(
      (response) => response.ok,
      () => false,
    );
    if (answers) break;
    if (performance.now() - started > START_LIMIT_MS) {
      child.kill('SIGKILL');
      throw new Error('the server did not answer /health in time');
    }
    await new Promise((resolve) => {
      setTimeout(resolve, POLL_MS);
    });
  }
  return {
    url,
    pid: child.pid ?? 0,
    startMilliseconds: performance.now() - started,
    stop() {
      child.kill('SIGTERM');
      return exit;
    },
  };
}

function builtCommand(): string[] {
  return [process.execPath, fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))];
}
