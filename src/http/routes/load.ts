import { z } from 'zod';
import type { Route } from '../route.ts';

/** `GET /load`: always 0, since requests end when they are answered and none runs on an accelerator. */
export const loadRoute: Route = {
  method: 'GET',
  path: '/load',
  takesJson: false,
  documentation: { summary: 'Requests that occupy an accelerator: none', tag: 'Server', response: z.object({ server_load: z.literal(0) }) },
  handle: () => ({ json: { server_load: 0 } }),
};
