import type { Settings } from '../core/settings.ts';
import type { Metrics } from './metrics.ts';
import type { Route } from './route.ts';
import { derenderChatRoute } from './routes/derender-chat.ts';
import { derenderCompletionRoute } from './routes/derender-completion.ts';
import { derenderMessagesRoute } from './routes/derender-messages.ts';
import { derenderResponsesRoute } from './routes/derender-responses.ts';
import { detokenizeRoute } from './routes/detokenize.ts';
import { healthRoute } from './routes/health.ts';
import { invocationsRoute } from './routes/invocations.ts';
import { kvEventSourcesRoute } from './routes/kv-event-sources.ts';
import { loadRoute } from './routes/load.ts';
import { metricsRoute } from './routes/metrics.ts';
import { modelsRoute } from './routes/models.ts';
import { openApiRoutes } from './routes/openapi.ts';
import { pingRoutes } from './routes/ping.ts';
import { renderChatRoute } from './routes/render-chat.ts';
import { renderCompletionRoute } from './routes/render-completion.ts';
import { renderMessagesRoute } from './routes/render-messages.ts';
import { renderResponsesRoute } from './routes/render-responses.ts';
import { tokenizeRoute } from './routes/tokenize.ts';
import { tokenizerInfoRoute } from './routes/tokenizer-info.ts';
import { versionRoute } from './routes/version.ts';
import type { Services } from './services.ts';

export interface RouteOptions {
  services: Services;
  settings: Settings;
  version: string;
  metrics: Metrics;
}

/** All routes of a server, in the order of the OpenAPI document. */
export function routesOf({ services, settings, version, metrics }: RouteOptions): Route[] {
  const { model, render, derender } = services;
  const routes: Route[] = [
    renderChatRoute(render, model, metrics),
    renderCompletionRoute(render, model, metrics),
    renderMessagesRoute(render, model, metrics),
    renderResponsesRoute(render, model, metrics),
    derenderChatRoute(derender, model, metrics),
    derenderCompletionRoute(derender, model, metrics),
    derenderMessagesRoute(derender, model, metrics),
    derenderResponsesRoute(derender, model, metrics),
    tokenizeRoute(services),
    detokenizeRoute(services),
    ...(settings.enableTokenizerInfoEndpoint ? [tokenizerInfoRoute(services.tokenizerInfo)] : []),
    modelsRoute(model),
    healthRoute,
    ...pingRoutes,
    versionRoute(version),
    loadRoute,
    metricsRoute(metrics),
    kvEventSourcesRoute,
    invocationsRoute,
  ];
  return settings.disableDocs ? routes : [...routes, ...openApiRoutes(routes, settings, version)];
}
