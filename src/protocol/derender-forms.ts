import type { z } from 'zod';
import { ApiError, invalidBody } from '../core/errors.ts';
import { describeIssues } from './validate.ts';

/** One of the two forms of a derender body: a whole answer of the engine, or one chunk of its stream. */
export interface DerenderForms<One, Stream, Request> {
  /** `stream` absent or false. */
  oneShot: z.ZodType<One>;
  /** `stream` true. */
  stream: z.ZodType<Stream>;
  /** What the reference puts behind `body` in an error's `param`: the name of its class for the first form, or nothing. */
  paramPrefix: string;
  /** The member with the request that was rendered. */
  requestMember: string;
  parseRequest(value: unknown): Request;
  /** The same for streams, whose chunks bring the same request again and again. */
  parseStreamRequest(value: unknown): Request;
}

/** A checked body: its members, the request that was rendered (null where it was not sent), and that request as it was sent. */
export type DerenderBody<One, Stream, Request> =
  | { kind: 'one-shot'; body: One; request: Request | null; sentRequest: unknown }
  | { kind: 'stream'; body: Stream; request: Request | null; sentRequest: unknown };

/** What is wrong with the rendered request: the path of the first error, and a message that lists all. */
interface Problem {
  path: string;
  message: string;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isStream(value: unknown): boolean {
  return value === true || value === 1;
}

/**
 * Reads a body that is one of two forms. Like the reference it names the first form's errors in `param`, whichever form was meant, and checks
 * of the rendered request that are no type errors hide all others.
 * @throws ApiError 400
 */
export function parseDerenderBody<One, Stream, Request>(
  forms: DerenderForms<One, Stream, Request>,
  value: unknown,
): DerenderBody<One, Stream, Request> {
  if (value === undefined || value === null) throw invalidBody('1 validation error:\n  body: Field required', 'body');
  const prefix = ['body', forms.paramPrefix].filter(Boolean).join('.');
  if (!isObject(value)) throw invalidBody(`1 validation error:\n  ${prefix}: Input should be an object`, prefix);

  const streaming = isStream(value['stream']);
  const sentRequest = value[forms.requestMember];
  let request: Request | null = null;
  let requestProblem: Problem | null = null;
  if (sentRequest !== undefined && sentRequest !== null) {
    try {
      request = streaming ? forms.parseStreamRequest(sentRequest) : forms.parseRequest(sentRequest);
    } catch (error) {
      if (!(error instanceof ApiError) || error.type !== 'Bad Request') throw error;
      const at = `${prefix}.${forms.requestMember}`;
      requestProblem = {
        path: at + (error.param ?? 'body').slice('body'.length),
        message: error.message.replaceAll(/^ {2}body/gm, `  ${at}`),
      };
    }
  }

  const result = (streaming ? forms.stream : forms.oneShot).safeParse(value);
  if (result.success && !requestProblem) {
    const common = { request, sentRequest };
    return streaming
      ? { kind: 'stream', body: result.data as Stream, ...common }
      : { kind: 'one-shot', body: result.data as One, ...common };
  }
  const issues = result.error?.issues ?? [];
  const first = issues[0] ? [prefix, ...issues[0].path].map(String).join('.') : (requestProblem?.path ?? prefix);
  const message = issues.length > 0 ? describeIssues(issues, prefix) : (requestProblem?.message ?? '');
  throw invalidBody(message, streaming ? `${prefix}.stream` : first);
}
