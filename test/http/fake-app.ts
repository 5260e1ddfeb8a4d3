import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { loadOptions } from '../../src/cli/load-options.ts';
import { parseArguments } from '../../src/cli/parse-arguments.ts';
import { settingsFromOptions } from '../../src/cli/settings-from-options.ts';
import type { Settings } from '../../src/core/settings.ts';
import { buildApp } from '../../src/http/app.ts';
import { Metrics } from '../../src/http/metrics.ts';
import { tlsOptions } from '../../src/http/server.ts';
import type { Services } from '../../src/http/services.ts';

/** Services whose model has one token for every code unit: enough for what the framework itself answers. */
function fakeServices(names: readonly string[]): Services {
  return {
    model: { names, root: 'somewhere', maxModelLen: 100 },
    tokenizer: {
      encode: (text: string) => Promise.resolve(Array.from(text, (character) => character.charCodeAt(0))),
      decode: (ids: readonly number[]) => String.fromCharCode(...ids),
      size: 0xffff,
      idToToken: (id: number) => String.fromCharCode(id),
    },
  } as unknown as Services;
}

/** Settings from flags, with a model and its name given. */
export function fakeSettings(...flags: string[]): Settings {
  return settingsFromOptions(loadOptions(parseArguments(['some-model', '--served-model-name', 'm', ...flags]), {}));
}

/** The application with a stand-in for the model, started with the given flags. */
export function fakeApp(...flags: string[]): FastifyInstance {
  const settings = fakeSettings(...flags);
  const services = fakeServices(settings.servedModelNames);
  const https = tlsOptions(settings.ssl);
  return buildApp({
    services,
    settings,
    logger: pino({ level: 'silent' }),
    version: '1.2.3',
    metrics: new Metrics('', '1.2.3'),
    ...(https ? { https } : {}),
  });
}
