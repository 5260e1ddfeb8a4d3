import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const source = fileURLToPath(new URL('../../src', import.meta.url));

/** What each folder of src/ may import, besides itself. docs/architecture.md draws it. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  core: [],
  parsers: ['core'],
  tokenizer: ['core', 'model'],
  template: ['core'],
  model: ['core'],
  protocol: ['core'],
  render: ['core', 'parsers', 'tokenizer', 'template', 'model', 'protocol'],
  derender: ['core', 'parsers', 'tokenizer', 'template', 'model', 'protocol'],
  workers: ['core', 'parsers', 'tokenizer', 'template', 'model', 'protocol', 'render', 'derender'],
  http: ['core', 'parsers', 'tokenizer', 'template', 'model', 'protocol', 'render', 'derender', 'workers'],
  cli: ['core', 'parsers', 'tokenizer', 'template', 'model', 'protocol', 'render', 'derender', 'workers', 'http'],
};

/** Packages and built-in modules that only one folder may use. */
const ONLY_IN: Readonly<Record<string, readonly string[]>> = {
  fastify: ['http'],
  piscina: ['workers'],
  'node:worker_threads': ['workers'],
  undici: ['model'],
  'prom-client': ['http'],
  'node:fs': ['model', 'cli', 'http'],
  'node:fs/promises': ['model', 'cli'],
  tokenizers: ['tokenizer'],
};

const MAX_LINES = 300;

interface SourceFile {
  path: string;
  folder: string;
  text: string;
  imports: string[];
}

const files: SourceFile[] = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => {
    const text = readFileSync(join(source, name), 'utf8');
    const imports = [...text.matchAll(/(?:^|\n)(?:import|export)\s[^;]*?from '([^']+)'|import\('([^']+)'\)/g)].map(
      (match) => match[1] ?? match[2] ?? '',
    );
    return { path: name, folder: name.includes('/') ? (name.split('/')[0] ?? '') : '', text, imports };
  });

describe('the source tree', () => {
  it('has only the folders of the design', () => {
    expect(new Set(files.map(({ folder }) => folder).filter((folder) => folder !== ''))).toEqual(new Set(Object.keys(MAY_IMPORT)));
  });

  it('imports in one direction', () => {
    const wrong = files.flatMap(({ path, folder, imports }) =>
      imports
        .filter((target) => target.startsWith('.'))
        .map((target) => relative(source, resolve(source, dirname(path), target)).split('/')[0] ?? '')
        .filter((target) => folder !== '' && target !== folder && !MAY_IMPORT[folder]?.includes(target))
        .map((target) => `${path} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it('uses certain packages in certain folders only', () => {
    const wrong = files.flatMap(({ path, folder, imports }) =>
      imports.filter((target) => ONLY_IN[target] && !ONLY_IN[target].includes(folder)).map((target) => `${path} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it('names files in kebab-case and keeps them short', () => {
    expect(files.filter(({ path }) => !/^[a-z0-9./-]+\.ts$/.test(path)).map(({ path }) => path)).toEqual([]);
    expect(files.filter(({ path }) => /(?:^|\/)utils?\.ts$/.test(path)).map(({ path }) => path)).toEqual([]);
    expect(files.filter(({ text }) => text.split('\n').length > MAX_LINES).map(({ path }) => path)).toEqual([]);
  });

  it('has no default exports and no barrels but the two entry points', () => {
    expect(files.filter(({ text }) => /^export default /m.test(text)).map(({ path }) => path)).toEqual([]);
    const barrels = files.filter(({ path }) => path.endsWith('index.ts')).map(({ path }) => path);
    expect(barrels.filter((path) => path !== 'index.ts' && path !== 'template/index.ts')).toEqual([]);
  });
});
