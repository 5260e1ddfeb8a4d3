import { ApiError } from '../../src/core/errors.ts';

/** What a client gets to see of a refusal. */
export interface Refusal {
  status: number;
  type: string;
  param: string | null;
}

/** The refusal of an action, or null where it succeeds. Anything else that is thrown passes on. */
export function refusal(action: () => unknown): Refusal | null {
  try {
    action();
    return null;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { status, type, param } = error;
    return { status, type, param };
  }
}

/** A refusal by a check of the request's types, which names a path of the body. */
export function invalid(param: string): Refusal {
  return { status: 400, type: 'Bad Request', param };
}

/** A refusal by a rule. */
export function bad(param: string | null): Refusal {
  return { status: 400, type: 'BadRequestError', param };
}
