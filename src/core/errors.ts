/** An answer of status 4xx or 5xx, in the members of the reference's error object. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** HTTP status, also `error.code`. */
  readonly status: number;
  /** `error.type`, for example `BadRequestError`. */
  readonly type: string;
  /** `error.param`: the member of the request that is wrong, or null. */
  readonly param: string | null;

  constructor(status: number, type: string, message: string, param: string | null = null) {
    super(message);
    this.status = status;
    this.type = type;
    this.param = param;
  }
}

/** A check of the service failed (limits, missing context, template errors): 400 `BadRequestError`. */
export function badRequest(message: string, param: string | null = null): ApiError {
  return new ApiError(400, 'BadRequestError', message, param);
}

/** The body's members have wrong types: 400 `Bad Request`. */
export function invalidBody(message: string, param: string | null): ApiError {
  return new ApiError(400, 'Bad Request', message, param);
}

/** The model name is not served here: 404 `NotFoundError`. */
export function modelNotFound(model: string, served: readonly string[]): ApiError {
  return new ApiError(404, 'NotFoundError', `The model \`${model}\` does not exist. This server serves: ${served.join(', ')}.`, 'model');
}

/** A start that cannot go on: one clear sentence for the person at the terminal, exit code 1. */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}
