import { ApiError } from '../core/errors.ts';
import { UnreadableBody } from './json-body.ts';

/** An error's status and body, as sent. */
export interface ErrorAnswer {
  status: number;
  body: unknown;
}

/** Paths of this machine have no place in answers. */
const FILE_PATH = /(?:\/[\w.-]+){2,}\.\w+|\/(?:home|usr|opt|var|tmp|root|lib|mnt|srv)(?:\/[\w.-]+)+/g;

/** Codes of the web framework that stand for a client's mistake. */
const FRAMEWORK_ERRORS: Readonly<Record<string, [status: number, type: string, message: string]>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: [413, 'Request Entity Too Large', 'The request body is larger than this server takes (see --max-body-size).'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [400, 'Bad Request', "Unsupported media type: only 'application/json' is allowed."],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [400, 'Bad Request', 'The request body has another length than Content-Length says.'],
};

function errorObject(status: number, type: string, message: string, param: string | null): ErrorAnswer {
  return { status, body: { error: { message: message.replaceAll(FILE_PATH, '<path>'), type, param, code: status } } };
}

/** The answer for anything that was thrown. What nobody foresaw becomes a 500 that tells nothing of the inside. */
export function errorAnswer(error: unknown): ErrorAnswer {
  if (error instanceof ApiError) return errorObject(error.status, error.type, error.message, error.param);
  if (error instanceof UnreadableBody) return { status: 400, body: { detail: error.message } };
  const known = FRAMEWORK_ERRORS[(error as { code?: string }).code ?? ''];
  if (known) return errorObject(...known, null);
  return errorObject(500, 'InternalServerError', 'Internal server error. The server log has the details under this request id.', null);
}
