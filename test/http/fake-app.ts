import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { loadOptions } from '../../src/cli/load-options.ts';
import { parseArguments } from '../../src/cli/parse-arguments.ts';
import { settingsFromOptions } from '../../src/cli/settings-from-options.ts';
import { buildApp } from '../../src/http/app.ts';
import { Metrics } from '../../src/http/metrics.ts';
import type { Services } from '../../src/http/services.ts';

/** Services whose model has one token for every code unit: enough for what the framework itself answers. */
function fakeServices(names: readonly string[]): Services {
  return {
    model: { names, root: 'somewhere', maxModelLen: 100 },
    tokenizer: {
      encode: (text: string) => Promise.resolve(Array.from(text, (character) => character.charCodeAt(0))),
      decode: (ids: readonly number[]) => String.fromCharCode(...ids),
      idToToken: (id: number) => String.fromCharCode(id),
    },
  } as unknown as Services;
}

/** The application with a stand-in for the model, started with the given flags. */
export function fakeApp(...flags: string[]): FastifyInstance {
  const settings = settingsFromOptions(loadOptions(parseArguments(['some-model', '--served-model-name', 'm', ...flags]), {}));
  const services = fakeServices(settings.servedModelNames);
  return buildApp({ services, settings, logger: pino({ level: 'silent' }), version: '1.2.3', metrics: new Metrics('', '1.2.3') });
}
