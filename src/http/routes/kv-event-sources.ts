import { z } from 'zod';
import type { Route } from '../route.ts';

/** `GET /kv_event_sources`: empty, for there is no KV cache here. */
export const kvEventSourcesRoute: Route = {
  method: 'GET',
  path: '/kv_event_sources',
  takesJson: false,
  documentation: { summary: 'Publishers of KV cache events: none', tag: 'Server', response: z.strictObject({}) },
  handle: () => ({ json: {} }),
};
