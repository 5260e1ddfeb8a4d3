import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, type IncomingMessage, get } from 'node:http';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const MAIN = ['--import', 'tsx', fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))];
const MODEL = fileURLToPath(new URL('../../fixtures/models/qwen3', import.meta.url));

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

function run(...words: string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(process.execPath, [...MAIN, ...words], (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}

/** Starts a server and waits for its line with the URL. */
async function start(...words: string[]): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [...MAIN, ...words, '--host', '127.0.0.1', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const { msg } = JSON.parse(line) as { msg: string };
    if (msg.startsWith('ready on ')) return { child, url: msg.slice('ready on '.length) };
  }
  throw new Error('the server ended before it was ready');
}

function ask(url: string, agent: Agent): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (answer: IncomingMessage) => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode));
    }).on('error', reject);
  });
}

describe('the command', () => {
  it('shows its help and its version', async () => {
    const [help, version] = await Promise.all([run('--help'), run('serve', '--version')]);
    expect(help).toMatchObject({ code: 0, stderr: '' });
    expect(help.stdout).toContain('--tool-call-parser NAME');
    expect(version).toMatchObject({ code: 0, stderr: '' });
    expect(version.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it.each([
    ['no model', [], /No model given/],
    ['a model that is not there', ['./nowhere'], /nowhere/],
    ['an unknown option', [MODEL, '--tool-parser', 'x'], /Did you mean --tool-call-parser\?/],
    ['an unknown parser', [MODEL, '--tool-call-parser', 'herms'], /no parser called "herms"\. Did you mean hermes\?/],
    ['a parser whose markers the tokenizer lacks', [MODEL, '--tool-call-parser', 'deepseek_v31'], /needs the token/],
  ])('ends at once with one sentence for %s', async (_name, words, message) => {
    const { code, stdout, stderr } = await run(...words);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/^derender-server: /);
    expect(stderr).not.toMatch(/\n +at /);
  });

  it('serves until SIGTERM, whatever connections are kept open', async () => {
    const { child, url } = await start(MODEL, '--served-model-name', 'm');
    const agent = new Agent({ keepAlive: true });
    expect(await ask(`${url}/health`, agent)).toBe(200);
    const stopped = once(child, 'exit');
    const asked = performance.now();
    child.kill('SIGTERM');
    expect(await stopped).toEqual([0, null]);
    expect(performance.now() - asked).toBeLessThan(5000);
    agent.destroy();
  });
});
