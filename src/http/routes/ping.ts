import type { Route } from '../route.ts';

/** `GET` and `POST /ping`: the health check of SageMaker; a body is not looked at. */
export const pingRoutes: readonly Route[] = (['GET', 'POST'] as const).map((method) => ({
  method,
  path: '/ping',
  takesJson: false,
  documentation: { summary: 'Whether the server answers', tag: 'Server' },
  handle: () => ({ empty: true }),
}));
