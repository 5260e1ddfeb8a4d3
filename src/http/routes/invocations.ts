import { badRequest } from '../../core/errors.ts';
import type { Route } from '../route.ts';

/** `POST /invocations`: SageMaker's way to generate, which a server without an engine cannot. The OpenAPI document leaves it out. */
export const invocationsRoute: Route = {
  method: 'POST',
  path: '/invocations',
  takesJson: true,
  handle: () => {
    throw badRequest('This server renders and derenders only: no handler can generate an answer for this request.');
  },
};
