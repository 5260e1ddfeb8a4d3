import { z } from 'zod';
import { FLOAT_SCHEMAS, INTEGER_TEXT_PATTERN, integerSchemas, readFloat, readInteger } from './lax.ts';

/** One candidate of a position: the token's id and its log probability. */
export interface TokenLogprob {
  token_id: number;
  logprob: number;
}

/** One output position: the sampled token and its candidates, in the engine's order (the sampled token first). */
export interface PositionLogprobs extends TokenLogprob {
  top_logprobs: TokenLogprob[];
}

/** The engine's logprobs of one choice; `content` is null where there are none. */
export interface GenerateLogprobs {
  content: PositionLogprobs[] | null;
}

type Report = (message: string, input: unknown, path: PropertyKey[]) => void;

const PLACEHOLDER = /^token_id:(\d+)$/;

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The id of an entry: `token_id`, or in the form of older engines `"token": "token_id:N"`. */
function readTokenId(entry: Record<string, unknown>): number | undefined {
  const id = readInteger(entry['token_id']);
  if (id !== undefined || 'token_id' in entry) return id;
  const { token } = entry;
  const match = typeof token === 'string' ? PLACEHOLDER.exec(token) : null;
  return match ? Number(match[1]) : undefined;
}

const LOGPROB = { anyOf: FLOAT_SCHEMAS };
const RANK = { anyOf: [...integerSchemas(), { type: 'null' }] };

/** For the OpenAPI document: an entry with its id in either form. */
function tokenLogprobSchema(more: Record<string, object> = {}): object {
  return {
    type: 'object',
    required: ['logprob'],
    properties: { logprob: LOGPROB, rank: RANK, ...more },
    anyOf: [
      { required: ['token_id'], properties: { token_id: { anyOf: integerSchemas() } } },
      { required: ['token'], properties: { token: { type: 'string', pattern: '^token_id:[0-9]+$' }, token_id: false } },
    ],
  };
}

/** The candidate, or null where something about it is wrong. */
function readCandidate(value: unknown): TokenLogprob | null {
  if (!isObject(value)) return null;
  const tokenId = readTokenId(value);
  const logprob = readFloat(value['logprob']);
  const rank = value['rank'] ?? null;
  if (tokenId === undefined || logprob === undefined || (rank !== null && readInteger(rank) === undefined)) return null;
  return { token_id: tokenId, logprob };
}

/** Says what is wrong about a candidate. */
function explainCandidate(value: unknown, path: PropertyKey[], report: Report): void {
  if (!isObject(value)) return report('Input should be a valid object', value, path);
  if (readTokenId(value) === undefined) report('Field required: an integer token id', value['token_id'], [...path, 'token_id']);
  if (readFloat(value['logprob']) === undefined) report('Input should be a valid number', value['logprob'], [...path, 'logprob']);
  const rank = value['rank'] ?? null;
  if (rank !== null && readInteger(rank) === undefined) report('Input should be a valid integer', rank, [...path, 'rank']);
}

function readPosition(value: unknown, at: number, report: Report): PositionLogprobs | null {
  const sampled = readCandidate(value);
  if (!sampled) explainCandidate(value, ['content', at], report);
  const top = isObject(value) && value['top_logprobs'] !== undefined ? value['top_logprobs'] : [];
  if (!Array.isArray(top)) {
    report('Input should be a valid list', top, ['content', at, 'top_logprobs']);
    return null;
  }
  const candidates: TokenLogprob[] = [];
  for (let index = 0; index < top.length; index += 1) {
    const item: unknown = top[index];
    const candidate = readCandidate(item);
    if (candidate) candidates.push(candidate);
    else explainCandidate(item, ['content', at, 'top_logprobs', index], report);
  }
  return sampled && { token_id: sampled.token_id, logprob: sampled.logprob, top_logprobs: candidates };
}

/**
 * `logprobs` of a choice of the engine's answer. Read by hand: a long answer has 20 candidates at each of thousands of positions, and a
 * schema of objects costs several times as much.
 */
export const generateLogprobs: z.ZodType<GenerateLogprobs> = z
  .unknown()
  .transform((value, context): GenerateLogprobs => {
    let failed = false;
    const report: Report = (message, input, path) => {
      failed = true;
      context.addIssue({ code: 'custom', message, input, path });
    };
    if (!isObject(value)) {
      report('Input should be a valid object', value, []);
      return z.NEVER;
    }
    const content = value['content'] ?? null;
    if (content === null) return { content };
    if (!Array.isArray(content)) {
      report('Input should be a valid list', content, ['content']);
      return z.NEVER;
    }
    const positions: PositionLogprobs[] = [];
    for (const [at, item] of content.entries()) {
      const position = readPosition(item, at, report);
      if (position) positions.push(position);
    }
    return failed ? z.NEVER : { content: positions };
  })
  .meta({
    type: 'object',
    properties: {
      content: {
        anyOf: [
          { type: 'null' },
          { type: 'array', items: tokenLogprobSchema({ top_logprobs: { type: 'array', items: tokenLogprobSchema() } }) },
        ],
      },
    },
  });

/** A prompt token's candidate as the engine reports it. */
export interface PromptTokenLogprob {
  logprob: number;
  rank: number | null;
  decoded_token: string | null;
}

/** Per prompt position the candidates by token id (decimal text); null at positions without any. */
export type PromptLogprobs = (Record<string, PromptTokenLogprob> | null)[];

function readPromptCandidate(value: unknown, path: PropertyKey[], report: Report): PromptTokenLogprob | null {
  if (!isObject(value)) {
    report('Input should be a valid object', value, path);
    return null;
  }
  const logprob = readFloat(value['logprob']);
  const rank = value['rank'] === undefined || value['rank'] === null ? null : readInteger(value['rank']);
  const decoded = value['decoded_token'] ?? null;
  if (logprob === undefined) report('Input should be a valid number', value['logprob'], [...path, 'logprob']);
  if (rank === undefined) report('Input should be a valid integer', value['rank'], [...path, 'rank']);
  if (decoded !== null && typeof decoded !== 'string') report('Input should be a valid string', decoded, [...path, 'decoded_token']);
  return logprob === undefined || rank === undefined || (decoded !== null && typeof decoded !== 'string')
    ? null
    : { logprob, rank, decoded_token: decoded };
}

/** `prompt_logprobs` of the engine's answer. */
export const promptLogprobs: z.ZodType<PromptLogprobs> = z
  .unknown()
  .transform((value, context): PromptLogprobs => {
    const report: Report = (message, input, path) => context.addIssue({ code: 'custom', message, input, path });
    if (!Array.isArray(value)) {
      report('Input should be a valid list', value, []);
      return z.NEVER;
    }
    return value.map((item: unknown, at) => {
      if (item === null) return null;
      if (!isObject(item)) {
        report('Input should be a valid object', item, [at]);
        return null;
      }
      const candidates: Record<string, PromptTokenLogprob> = {};
      for (const [key, entry] of Object.entries(item)) {
        const id = readInteger(key);
        if (id === undefined) report('Token ids are integers', key, [at, key]);
        const candidate = readPromptCandidate(entry, [at, key], report);
        if (id !== undefined && candidate) candidates[String(id)] = candidate;
      }
      return candidates;
    });
  })
  .meta({
    type: 'array',
    items: {
      type: ['object', 'null'],
      propertyNames: { pattern: INTEGER_TEXT_PATTERN },
      additionalProperties: {
        type: 'object',
        required: ['logprob'],
        properties: {
          logprob: LOGPROB,
          rank: RANK,
          decoded_token: { type: ['string', 'null'] },
        },
      },
    },
  });
