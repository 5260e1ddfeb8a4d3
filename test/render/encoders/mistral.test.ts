import { describe, expect, it } from 'vitest';
import { StartupError } from '../../../src/core/errors.ts';
import { isSchema } from '../../../src/render/encoders/mistral/json-schema-check.ts';
import { createMistralEncoder } from '../../../src/render/encoders/mistral/mistral.ts';
import { readModelSettings } from '../../../src/render/encoders/mistral/model-settings.ts';
import type { MistralVersion } from '../../../src/render/encoders/mistral/version.ts';
import { createByteTokenizer, piecesOf } from './byte-tokenizer.ts';
import { encodeRecorded, recordedChats, recordedFixture } from './recorded-chats.ts';

const THINK = ['[THINK]', '[/THINK]'];
const SPECIALS =
  '<unk> <s> </s> [INST] [/INST] [AVAILABLE_TOOLS] [/AVAILABLE_TOOLS] [TOOL_RESULTS] [/TOOL_RESULTS] [TOOL_CALLS] [SYSTEM_PROMPT] [/SYSTEM_PROMPT] [TOOL_CONTENT] [ARGS] [CALL_ID] [MODEL_SETTINGS] [/MODEL_SETTINGS]'.split(
    ' ',
  );
const EFFORT = { reasoning_effort: { type: 'enum', accepts_none: true, default: 'high', values: ['none', 'high'] } };

const RECORDED: [string, MistralVersion, unknown, string[]][] = [
  ...([1, 2, 3, 7, 11] as const).map((version): [string, MistralVersion, unknown, string[]] => [
    `mistral-v${version}`,
    version,
    null,
    SPECIALS,
  ]),
  ['mistral-v13', 13, null, [...SPECIALS, ...THINK]],
  ['mistral-v13-no-think', 13, null, SPECIALS],
  ['mistral-v15', 15, EFFORT, [...SPECIALS, ...THINK]],
  [
    'mistral-v15-schema',
    15,
    { ...EFFORT, json_schema: { type: 'json_schema', accepts_none: false, default: null } },
    [...SPECIALS, ...THINK],
  ],
  ['mistral-v15-no-settings', 15, null, [...SPECIALS, ...THINK]],
];

describe.each(RECORDED)('%s', (name, version, builder, specials) => {
  const settings = builder === null ? null : readModelSettings(builder);
  const encoder = createMistralEncoder(createByteTokenizer(specials), { version, isTekken: true, settings });

  it.each(recordedChats(name).map((chat) => [chat.id, chat] as const))('%s', async (_id, chat) => {
    const encoded = await encodeRecorded(encoder, chat);
    const actual = 'tokenIds' in encoded ? { pieces: piecesOf(encoded.tokenIds, specials) } : encoded;
    expect(actual).toEqual(chat.error === undefined ? { pieces: chat.pieces } : { error: chat.error });
  });
});

describe('mistral', () => {
  it('tells JSON schemas of draft 7 from other objects', () => {
    const schemas = recordedFixture<{ schema: unknown; valid: boolean }>('json-schemas');
    expect(schemas.length).toBeGreaterThan(300);
    for (const { schema, valid } of schemas) expect([schema, isSchema(schema)]).toEqual([schema, valid]);
  });

  it('refuses a tokenizer without its tokens, and SentencePiece for v13', () => {
    const facts = { version: 7, isTekken: true, settings: null } as const;
    expect(() => createMistralEncoder(createByteTokenizer(SPECIALS.slice(3)), facts)).toThrow(StartupError);
    expect(() => createMistralEncoder(createByteTokenizer(SPECIALS), { ...facts, version: 13, isTekken: false })).toThrow(StartupError);
  });
});
