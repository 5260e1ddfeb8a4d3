import { describe, expect, it } from 'vitest';
import { createDeepseekV32Encoder } from '../../../src/render/encoders/deepseek/v32.ts';
import { createDeepseekV4Encoder } from '../../../src/render/encoders/deepseek/v4.ts';
import { createDeepseekV41Encoder } from '../../../src/render/encoders/deepseek/v41.ts';
import { encodeRecorded, recordedChats } from './recorded-chats.ts';

describe.each([
  ['deepseek_v32', createDeepseekV32Encoder],
  ['deepseek_v4', createDeepseekV4Encoder],
  ['deepseek_v41', createDeepseekV41Encoder],
])('%s', (name, create) => {
  it.each(recordedChats(name).map((chat) => [chat.id, chat] as const))('%s', async (_id, chat) => {
    const expected = chat.error === undefined ? { text: chat.text, addSpecialTokens: false } : { error: chat.error };
    expect(await encodeRecorded(create(), chat)).toEqual(expected);
  });
});
