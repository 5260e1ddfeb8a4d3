import { ApiError, badRequest } from '../core/errors.ts';

/**
 * Runs a step that reads what a client carried. Whatever it meets there the client could have made up: it is told so, and never gets an internal error.
 * @throws ApiError 400
 */
export function readingState<Result>(step: () => Result): Result {
  try {
    return step();
  } catch (error) {
    throw error instanceof ApiError ? error : badRequest('invalid stream_state: derendering failed.');
  }
}
