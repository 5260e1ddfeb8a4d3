import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createServices } from '../../src/cli/create-services.ts';
import { loadOptions } from '../../src/cli/load-options.ts';
import { parseArguments } from '../../src/cli/parse-arguments.ts';
import { settingsFromOptions } from '../../src/cli/settings-from-options.ts';
import { buildApp } from '../../src/http/app.ts';
import { Metrics } from '../../src/http/metrics.ts';
import { compareAnswer } from './compare-answer.ts';
import { type Exchange, readExchanges, send } from './exchange.ts';

/** The day of the recordings: some prompts print the date. */
const RECORDED_AT = '2026-12-01T12:00:00Z';

const models = fileURLToPath(new URL('../../fixtures/models', import.meta.url));
const differences = JSON.parse(readFileSync(new URL('../../fixtures/http/differences.json', import.meta.url), 'utf8')) as Record<
  string,
  string
>;
const groups = readExchanges();

async function recordedServer(model: string, flags: readonly string[]): Promise<FastifyInstance> {
  const words = ['--model', model, '--served-model-name', 'm', '--template-now', RECORDED_AT, ...flags];
  const settings = settingsFromOptions(loadOptions(parseArguments(words), {}));
  const services = await createServices(settings);
  return buildApp({ services, settings, logger: pino({ level: 'silent' }), version: '0.0.0', metrics: new Metrics('', '0.0.0') });
}

/** Replays an exchange; a stream's state goes from answer to request as a client carries it. */
async function replay(app: FastifyInstance, exchange: Exchange, model: string): Promise<void> {
  if (!exchange.stream) {
    const text = exchange.raw_body ?? (exchange.body === undefined || exchange.body === null ? undefined : JSON.stringify(exchange.body));
    compareAnswer(exchange, exchange.expect ?? exchange, await send(app, exchange, text), text, model);
    return;
  }
  let state: unknown = null;
  for (const [at, want] of (exchange.expect?.answers ?? exchange.answers ?? []).entries()) {
    const chunk = exchange.stream[at] as Record<string, unknown>;
    const text = JSON.stringify('stream_state' in chunk ? chunk : { ...chunk, stream_state: state });
    const got = await send(app, exchange, text);
    compareAnswer(exchange, want, got, text, model);
    state = (got.response as { stream_state?: unknown } | null)?.stream_state ?? null;
  }
}

const modelOf = (exchanges: readonly Exchange[]): string => `${models}/${(exchanges[0] as Exchange).server.tokenizer}`;
// Mistral's tokenizer file is in no package: its exchanges run where one lies beside the project.
const here = [...groups].filter(([, exchanges]) => existsSync(modelOf(exchanges)) || !modelOf(exchanges).endsWith('mistral_tekken'));

describe.each(here)('recorded on %s', (_name, exchanges) => {
  const { flags = [] } = (exchanges[0] as Exchange).server;
  const model = modelOf(exchanges);
  let app: FastifyInstance | undefined;

  beforeAll(async () => {
    expect(existsSync(model), `${model} is missing: run npm run models`).toBe(true);
    app = await recordedServer(model, flags);
  });
  afterAll(() => app?.close());

  it.each(exchanges.map((exchange) => [exchange.id, exchange] as const))('%s', async (id, exchange) => {
    const difference = differences[id];
    const replayed = replay(app as FastifyInstance, exchange, model);
    if (difference === undefined) await replayed;
    else await expect(replayed, `${id} agrees: take it out of differences.json`).rejects.toThrow();
  });
});

it('every listed difference is one of the exchanges', () => {
  const ids = new Set([...groups.values()].flat().map(({ id }) => id));
  expect(Object.keys(differences).filter((id) => !ids.has(id))).toEqual([]);
});
