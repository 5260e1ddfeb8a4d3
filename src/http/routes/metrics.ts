import type { Metrics } from '../metrics.ts';
import type { Route } from '../route.ts';

/** `GET /metrics`. */
export function metricsRoute(metrics: Metrics): Route {
  return {
    method: 'GET',
    path: '/metrics',
    takesJson: false,
    documentation: { summary: 'Metrics for Prometheus', tag: 'Server', contentType: 'text/plain' },
    handle: async () => ({ text: await metrics.text(), contentType: metrics.contentType }),
  };
}
