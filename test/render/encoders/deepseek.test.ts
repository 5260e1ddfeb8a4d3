import { describe, expect, it } from 'vitest';
import { createDeepseekV32Encoder } from '../../../src/render/encoders/deepseek/v32.ts';
import { createDeepseekV4Encoder } from '../../../src/render/encoders/deepseek/v4.ts';
import { createDeepseekV41Encoder } from '../../../src/render/encoders/deepseek/v41.ts';
import { createByteTokenizer, piecesOf } from './byte-tokenizer.ts';
import { encodeRecorded, recordedChats } from './recorded-chats.ts';

const tokenizer = createByteTokenizer([]);

describe.each([
  ['deepseek_v32', createDeepseekV32Encoder(tokenizer)],
  ['deepseek_v4', createDeepseekV4Encoder(tokenizer)],
  ['deepseek_v41', createDeepseekV41Encoder(tokenizer)],
])('%s', (name, encoder) => {
  it.each(recordedChats(name).map((chat) => [chat.id, chat] as const))('%s', async (_id, chat) => {
    const encoded = await encodeRecorded(encoder, chat);
    const actual = 'tokenIds' in encoded ? { pieces: piecesOf(encoded.tokenIds, []) } : encoded;
    expect(actual).toEqual(chat.error === undefined ? { pieces: [[chat.text]] } : { error: chat.error });
  });

  it('fills in the middle where the model can', () => {
    const prompt = name === 'deepseek_v32' ? undefined : '<｜fim▁begin｜>a<｜fim▁hole｜>b<｜fim▁end｜>';
    expect(encoder.completionSuffix?.('a', 'b')).toBe(prompt);
  });
});
