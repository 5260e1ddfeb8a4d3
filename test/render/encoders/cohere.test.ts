import { describe, expect, it } from 'vitest';
import { createCohereEncoder } from '../../../src/render/encoders/cohere/cohere.ts';
import { encodeRecorded, recordedChats } from './recorded-chats.ts';

describe('cohere', () => {
  it.each(recordedChats('cohere').map((chat) => [chat.id, chat] as const))('%s', async (_id, chat) => {
    const expected = chat.error === undefined ? { text: chat.text, addSpecialTokens: false } : { error: chat.error };
    expect(await encodeRecorded(createCohereEncoder(), chat)).toEqual(expected);
  });
});
