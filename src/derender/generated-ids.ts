import { randomBytes, randomInt } from 'node:crypto';

/** 16 hex digits: the id of an answer whose engine named none. */
export function randomId(): string {
  return randomBytes(8).toString('hex');
}

const COUNTED_ID_MODELS = new Set(['kimi_k2', 'kimi_k25', 'kimi_k3']);

/**
 * The id of a tool call whose format carries none. Kimi models were trained on ids that count through the conversation.
 * @param position the call's place among all calls of the conversation, from 0
 */
export function toolCallId(modelType: string, name: string, position: number): string {
  return COUNTED_ID_MODELS.has(modelType) ? `functions.${name}:${position}` : `chatcmpl-tool-${randomId()}`;
}

const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Nine letters and digits: the ids of tool calls that Mistral models know. */
export function shortCallId(): string {
  return Array.from({ length: 9 }, () => ALPHANUMERIC[randomInt(ALPHANUMERIC.length)]).join('');
}
