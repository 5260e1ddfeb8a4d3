import type { Logger } from 'pino';
import { StartupError } from '../core/errors.ts';
import type { Settings } from '../core/settings.ts';
import { buildApp } from '../http/app.ts';
import { Metrics } from '../http/metrics.ts';
import { listen, runUntilSignal, tlsOptions } from '../http/server.ts';
import type { Services } from '../http/services.ts';
import { createServices } from './create-services.ts';
import { createLogger } from './logger.ts';
import { packageVersion } from './package-version.ts';

function createApp(services: Services, settings: Settings, logger: Logger): ReturnType<typeof buildApp> {
  const version = packageVersion();
  const parsers = [settings.toolCallParser, settings.reasoningParser].filter((name) => name !== null).join('+');
  const metrics = new Metrics(parsers, version);

  const https = tlsOptions(settings.ssl);
  try {
    return buildApp({ services, settings, logger, version, metrics, ...(https ? { https } : {}) });
  } catch (error) {
    if (https) throw new StartupError(`The TLS key and certificate cannot be used: ${(error as Error).message}`);
    throw error;
  }
}

/**
 * Starts the server and runs it until it is told to stop.
 * @returns the exit code
 * @throws StartupError where it cannot start
 */
export async function serve(settings: Settings): Promise<number> {
  const started = performance.now();
  const logger = await createLogger(settings.logLevel);
  const services = await createServices(settings, (text) => logger.info(text));
  const app = createApp(services, settings, logger);
  const seconds = Math.round((performance.now() - started) / 10) / 100;
  app.log.info({ model: settings.model, names: settings.servedModelNames, seconds }, 'model loaded');
  await listen(app, settings);
  await runUntilSignal(app, settings.shutdownTimeoutSeconds);
  await services.close();
  return 0;
}
