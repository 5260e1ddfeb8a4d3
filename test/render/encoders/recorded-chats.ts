import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { ApiError } from '../../../src/core/errors.ts';
import { loads, type PythonValue } from '../../../src/core/python-json.ts';
import type { ChatEncoder, ChatEncoderInput, EncodedPrompt } from '../../../src/render/chat-encoder.ts';

/** A chat with what the reference makes of it; recorded by scripts/record-encoders.py. */
export interface RecordedChat {
  id: string;
  input: ChatEncoderInput;
  text?: string;
  tokenIds?: number[];
  /** Special tokens by name, text as a list of one. */
  pieces?: (string | [string])[];
  error?: { status: number; type: string; param: string | null };
}

function hasLoss(key: string): boolean {
  return /^\d+$/.test(key);
}

/** Objects become plain ones as JSON.parse gives them, and stay Maps only where their order would be lost. */
function requestValue(value: PythonValue): unknown {
  if (Array.isArray(value)) return value.map(requestValue);
  if (!(value instanceof Map)) return value;
  const members = [...value].map(([key, member]) => [key, requestValue(member)] as const);
  return members.some(([key]) => hasLoss(key)) ? new Map(members) : Object.fromEntries(members);
}

/** A recorded file's cases, numbers and orders as Python has them. */
export function recordedFixture<T>(name: string): T[] {
  const file = new URL(`../../../fixtures/render/encoders/${name}.json.gz`, import.meta.url);
  return requestValue(loads(gunzipSync(readFileSync(file)).toString())) as T[];
}

/** The recorded chats of an encoder. Where the reference breaks on bad input (status 500), a 400 is expected here. */
export function recordedChats(name: string): RecordedChat[] {
  return recordedFixture<RecordedChat>(name).map((chat) => (breaksReference(chat) ? { ...chat, error: BAD_REQUEST } : chat));
}

const BAD_REQUEST = { status: 400, type: 'BadRequestError', param: null };

/** Whether the reference answers a chat with status 500. */
export function breaksReference({ error }: RecordedChat): boolean {
  return error !== undefined && error.status >= 500;
}

/** What an encoder of ours makes of a recorded chat; an error as it would reach the client, without its words. */
export async function encodeRecorded(
  encoder: ChatEncoder,
  chat: RecordedChat,
): Promise<EncodedPrompt | { error: { status: number; type: string; param: string | null } }> {
  try {
    return await encoder.encode(chat.input);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { error: { status: error.status, type: error.type, param: error.param } };
  }
}
