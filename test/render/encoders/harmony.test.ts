import { describe, expect, it } from 'vitest';
import { ApiError, StartupError } from '../../../src/core/errors.ts';
import type { EncodedPrompt, JsonObject } from '../../../src/render/chat-encoder.ts';
import { createHarmonyEncoder } from '../../../src/render/encoders/harmony/harmony.ts';
import { typescriptType } from '../../../src/render/encoders/harmony/typescript-types.ts';
import { createByteTokenizer, piecesOf } from './byte-tokenizer.ts';
import { breaksReference, encodeRecorded, type RecordedChat, recordedFixture } from './recorded-chats.ts';

const SPECIALS = ['<|start|>', '<|message|>', '<|channel|>', '<|constrain|>', '<|end|>', '<|call|>'];

const CHATS = recordedFixture<RecordedChat>('harmony');

describe('harmony', () => {
  const encoder = createHarmonyEncoder(createByteTokenizer(SPECIALS), () => new Date(2026, 2, 4, 23, 59));

  it.each(CHATS.filter((chat) => !breaksReference(chat)).map((chat) => [chat.id, chat] as const))('%s', async (_id, chat) => {
    const encoded = await encodeRecorded(encoder, chat);
    const actual = 'tokenIds' in encoded ? { pieces: piecesOf(encoded.tokenIds, SPECIALS) } : encoded;
    expect(actual).toEqual(chat.error === undefined ? { pieces: chat.pieces } : { error: chat.error });
  });

  it.each(
    recordedFixture<Pick<RecordedChat, 'id' | 'pieces' | 'error'> & { request: JsonObject }>('harmony-responses').map(
      (it) => [it.id, it] as const,
    ),
  )('responses: %s', async (_id, { request, pieces, error }) => {
    const input = {
      input: request['input'] as string | JsonObject[],
      instructions: (request['instructions'] as string | undefined) ?? null,
      tools: (request['tools'] as JsonObject[] | undefined) ?? [],
      reasoningEffort: (request['reasoning'] as { effort: string } | undefined)?.effort ?? null,
      previousInputMessages: (request['previous_input_messages'] as JsonObject[] | undefined) ?? null,
    };
    const encode = async (): Promise<EncodedPrompt | undefined> => encoder.encodeResponses?.(input);
    if (error !== undefined) {
      await expect(encode()).rejects.toMatchObject(error);
      await expect(encode()).rejects.toBeInstanceOf(ApiError);
      return;
    }
    const encoded = await encode();
    expect(encoded !== undefined && 'tokenIds' in encoded ? piecesOf(encoded.tokenIds, SPECIALS) : encoded).toEqual(pieces);
  });

  it('takes plain texts as content parts, which the reference breaks on', async () => {
    for (const chat of CHATS.filter(breaksReference)) expect(await encodeRecorded(encoder, chat)).toHaveProperty('tokenIds');
  });

  it('declares types as the Harmony library does', () => {
    const schemas = recordedFixture<{ schema: unknown; text: string }>('harmony-types');
    expect(schemas.length).toBeGreaterThan(400);
    for (const { schema, text } of schemas) expect(typescriptType(schema, '')).toBe(text);
  });

  it('refuses a tokenizer without its tokens', () => {
    expect(() => createHarmonyEncoder(createByteTokenizer(SPECIALS.slice(1)), () => new Date())).toThrow(StartupError);
  });
});
