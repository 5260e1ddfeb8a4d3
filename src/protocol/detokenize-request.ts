import { z } from 'zod';
import { badRequest } from '../core/errors.ts';
import { integerSchemas, tokenIds } from './lax.ts';
import { validateBody } from './validate.ts';

/** `POST /detokenize`. */
export interface DetokenizeRequest {
  model: string | null;
  tokens: number[];
}

/** Ids that fit the tokenizer's own type; a larger one is refused by it rather than by the types. */
const MAX_ID = 2 ** 32 - 1;
/** Ids that the wire's type allows. */
const WIRE_LIMIT = 2 ** 63;

export const detokenizeRequest: z.ZodType<DetokenizeRequest> = z.object({
  model: z.string().nullable().default(null),
  tokens: tokenIds(0)
    .superRefine((ids, context) => {
      const at = ids.findIndex((id) => id >= WIRE_LIMIT);
      if (at >= 0) context.addIssue({ code: 'custom', message: 'Input should be less than 2^63', path: [at], input: ids[at] });
    })
    .meta({ type: 'array', items: { anyOf: integerSchemas(0, MAX_ID) } }),
});

/**
 * Reads the body of a detokenize request.
 * @throws ApiError 400
 */
export function parseDetokenizeRequest(body: unknown): DetokenizeRequest {
  return validateBody(detokenizeRequest, body);
}

/**
 * Refuses ids that no tokenizer can have.
 * @throws ApiError 400
 */
export function checkTokenIdRange(ids: readonly number[]): void {
  const large = ids.find((id) => id > MAX_ID);
  if (large !== undefined) throw badRequest(`Token id ${large} is too large: ids are below 2^32.`);
}

export const detokenizeAnswer: z.ZodType<{ prompt: string }> = z.object({ prompt: z.string() });
