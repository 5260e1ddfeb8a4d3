import type { Route } from '../route.ts';

/** `GET /health`: 200 with an empty body; the server listens only once the model is loaded. */
export const healthRoute: Route = {
  method: 'GET',
  path: '/health',
  takesJson: false,
  documentation: { summary: 'Whether the server answers', tag: 'Server' },
  handle: () => ({ empty: true }),
};
