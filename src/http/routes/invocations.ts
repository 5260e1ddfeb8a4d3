import { z } from 'zod';
import { badRequest } from '../../core/errors.ts';
import type { Route } from '../route.ts';

/** `POST /invocations`: SageMaker's way to generate, which a server without an engine cannot. */
export const invocationsRoute: Route = {
  method: 'POST',
  path: '/invocations',
  takesJson: true,
  documentation: { summary: 'Generation through SageMaker: refused, for there is no engine here', tag: 'Server', request: z.looseObject({}) },
  handle: () => {
    throw badRequest('This server renders and derenders only: no handler can generate an answer for this request.');
  },
};
