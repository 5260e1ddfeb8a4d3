import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StartupError } from '../../src/core/errors.ts';
import { loadModel, type LoadedModel } from '../../src/model/load-model.ts';
import { COMMIT, HubServer, type HubModel } from './hub-server.ts';

const FILES: Record<string, Buffer> = {
  'README.md': Buffer.from('# read me'),
  'config.json': Buffer.from('{"model_type":"llama","max_position_embeddings":4096}'),
  'tokenizer.json': Buffer.from(`{"model":{"type":"BPE","vocab":{},"merges":[]},"padding":"${'x'.repeat(50_000)}"}`),
  'tokenizer_config.json': Buffer.from('{"chat_template":"from the configuration"}'),
  'additional_chat_templates/rag.jinja': Buffer.from('rag template'),
  'vocab.json': Buffer.from('{}'),
  'model.safetensors': Buffer.alloc(1000),
};

describe('models on a hub', () => {
  let home: string;
  let hub: HubServer | undefined;

  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'hub-'));
  });

  afterEach(async () => {
    await hub?.stop();
    hub = undefined;
    rmSync(home, { recursive: true, force: true });
  });

  async function serve(model: Partial<HubModel> = {}): Promise<HubServer> {
    hub = new HubServer({ name: 'org/model', files: FILES, large: ['tokenizer.json', 'model.safetensors'], ...model });
    await hub.start();
    return hub;
  }

  function load(options: Partial<Parameters<typeof loadModel>[0]> = {}, environment: Record<string, string> = {}): Promise<LoadedModel> {
    return loadModel({ model: 'org/model', environment: { HF_ENDPOINT: hub?.endpoint, HF_HOME: home, ...environment }, ...options });
  }

  async function fault(promise: Promise<unknown>): Promise<string> {
    const error: unknown = await promise.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(StartupError);
    return (error as StartupError).message;
  }

  it('fetches the files that are needed into the shared cache', async () => {
    const server = await serve();
    const model = await load();
    expect(model.maxModelLen).toBe(4096);
    expect(model.chatTemplates).toEqual({ default: null, named: { rag: 'rag template' } });
    expect(model.tokenizer.fileNames).toContain('model.safetensors');
    const root = join(home, 'hub', 'models--org--model');
    expect(model.directory).toBe(join(root, 'snapshots', COMMIT));
    expect(readFileSync(join(root, 'refs', 'main'), 'utf8')).toBe(COMMIT);
    expect(readdirSync(model.directory).sort()).toEqual([
      'additional_chat_templates',
      'config.json',
      'tokenizer.json',
      'tokenizer_config.json',
    ]);
    expect(lstatSync(join(model.directory, 'config.json')).isSymbolicLink()).toBe(true);
    expect(readlinkSync(join(model.directory, 'config.json'))).toMatch(/^\.\.\/\.\.\/blobs\/[0-9a-f]{40}$/);
    expect(readlinkSync(join(model.directory, 'tokenizer.json'))).toMatch(/^\.\.\/\.\.\/blobs\/[0-9a-f]{64}$/);
    expect(readlinkSync(join(model.directory, 'additional_chat_templates', 'rag.jinja'))).toMatch(/^\.\.\/\.\.\/\.\.\/blobs\//);
    expect(server.seen.some(({ path }) => path.includes('safetensors') || path.includes('README'))).toBe(false);
  });

  it('asks only for the commit when all is there', async () => {
    const server = await serve();
    await load();
    server.seen.length = 0;
    await load();
    expect(server.seen.map(({ path }) => path)).toEqual(['/api/models/org/model/revision/main']);
    server.seen.length = 0;
    await load({ revision: COMMIT });
    expect(server.seen).toHaveLength(1);
  });

  it('sends the token to the hub and to nobody else', async () => {
    const server = await serve({ token: 'secret' });
    await load({ hfToken: 'secret' });
    expect(server.seen.filter(({ host }) => host === 'hub').every(({ authorization }) => authorization === 'Bearer secret')).toBe(true);
    expect(server.seen.filter(({ host }) => host === 'storage').map(({ authorization }) => authorization)).toEqual([undefined]);
  });

  it('takes the token from the environment or from the file of the login', async () => {
    await serve({ token: 'secret' });
    expect(await fault(load())).toContain('give a token with --hf-token or HF_TOKEN');
    expect(await fault(load({ hfToken: 'wrong' }))).toContain('the token that was given has no access to it');
    await load({}, { HF_TOKEN: 'secret' });
    rmSync(join(home, 'hub'), { recursive: true });
    writeFileSync(join(home, 'token'), 'secret\n');
    await load();
  });

  it('tells what is wrong in one sentence', async () => {
    await serve({ gated: true });
    expect(await fault(load())).toMatch(/^org\/model at .* is closed to this account: give a token/);
    expect(await fault(load({ revision: 'nowhere' }))).toMatch(/^org\/model has no revision nowhere at http/);
    expect(await fault(load({ model: 'org/other' }))).toMatch(/has no model org\/other, and there is no local directory of that name\.$/);
    expect(await fault(load({ model: '../x/y/z' }))).toMatch(/is neither a directory nor the name of a model/);
    expect(await fault(load({ revision: '../../x' }))).toMatch(/cannot be a revision/);
  });

  it('follows another name of the model', async () => {
    await serve({ formerName: 'org/former' });
    const model = await load({ model: 'org/former' });
    expect(model.maxModelLen).toBe(4096);
  });

  it('goes on where a download broke off', async () => {
    const server = await serve();
    server.breakAfter = 20_000;
    const model = await load();
    expect(model.tokenizer.readFile('tokenizer.json')).toEqual(FILES['tokenizer.json']);
    const storage = server.seen.filter(({ host }) => host === 'storage');
    expect(storage).toHaveLength(2);
    expect(storage[1]?.range).toMatch(/^bytes=[1-9]\d*-$/);
    expect(readdirSync(join(home, 'hub', 'models--org--model', 'blobs')).some((name) => name.endsWith('.incomplete'))).toBe(false);
  });

  it('does not take damaged files', async () => {
    const server = await serve();
    server.damaged = true;
    expect(await fault(load())).toContain('tokenizer.json of org/model came damaged');
  });

  it('works from the cache when the hub does not answer, or must not be asked', async () => {
    const server = await serve();
    await load();
    server.failing = true;
    expect((await load()).maxModelLen).toBe(4096);
    const before = server.seen.length;
    expect((await load({}, { HF_HUB_OFFLINE: '1' })).maxModelLen).toBe(4096);
    expect(server.seen).toHaveLength(before);
    expect(await fault(load({ model: 'org/never' }, { HF_HUB_OFFLINE: '1' }))).toBe(
      'org/never (main) is not in the cache, and HF_HUB_OFFLINE forbids fetching it.',
    );
    expect(await fault(load({ model: 'org/never' }))).toMatch(/^org\/never \(main\) is not in the cache, and cannot be fetched: .*503/);
  });

  it('puts the cache where the environment says', async () => {
    await serve();
    const elsewhere = join(home, 'elsewhere');
    mkdirSync(elsewhere);
    const model = await load({}, { HF_HUB_CACHE: elsewhere });
    expect(model.directory.startsWith(join(elsewhere, 'models--org--model'))).toBe(true);
  });
});
