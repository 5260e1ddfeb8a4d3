import { describe, expect, it } from 'vitest';
import { StartupError } from '../../../src/core/errors.ts';
import { createInklingEncoder } from '../../../src/render/encoders/inkling/inkling.ts';
import { reasoningEffortText } from '../../../src/render/encoders/inkling/reasoning-effort.ts';
import { createByteTokenizer, piecesOf } from './byte-tokenizer.ts';
import { encodeRecorded, recordedChats } from './recorded-chats.ts';

const SPECIALS = [
  ...['user', 'model', 'system', 'tool'].map((role) => `<|message_${role}|>`),
  ...['text', 'thinking', 'xml', 'invoke_tool_json', 'model_end_sampling'].map((kind) => `<|content_${kind}|>`),
  '<|end_message|>',
];

describe('inkling', () => {
  const encoder = createInklingEncoder(createByteTokenizer(SPECIALS));

  it.each(recordedChats('inkling').map((chat) => [chat.id, chat] as const))('%s', async (_id, chat) => {
    const encoded = await encodeRecorded(encoder, chat);
    const actual = 'tokenIds' in encoded ? { pieces: piecesOf(encoded.tokenIds, SPECIALS) } : encoded;
    const pieces = chat.pieces?.filter((piece) => piece[0] !== '');
    expect(actual).toEqual(chat.error === undefined ? { pieces } : { error: chat.error });
  });

  it('refuses a tokenizer without its tokens', () => {
    expect(() => createInklingEncoder(createByteTokenizer(SPECIALS.slice(1)))).toThrow(StartupError);
  });

  it('takes the XML token under its other name', () => {
    const specials = SPECIALS.map((token) => (token === '<|content_xml|>' ? '<|unused_200024|>' : token));
    expect(() => createInklingEncoder(createByteTokenizer(specials))).not.toThrow();
  });

  it.each([
    [0.125, '0.12'],
    [0.375, '0.38'],
    [0.625, '0.62'],
    [0.875, '0.88'],
    [0.155, '0.15'],
    [0.5, '0.5'],
    [0, '0.0'],
    [0.004, '0.0'],
    [0.99, '0.99'],
  ])('writes the effort %f as Python does', (effort, digits) => {
    expect(reasoningEffortText(effort)).toBe(`Thinking effort level: ${digits}`);
  });
});
