import { expect, it } from 'vitest';
import { chooseParsers } from '../../src/cli/choose-parsers.ts';
import { allFormats } from '../../src/parsers/registry.ts';
import { contextOf, formatsOf, readVectors } from './vectors.ts';

/** The formats whose parsers the reference cannot make without their tokens, whatever a request asks for; and Harmony, which is read by token alone. */
const NEEDY = [
  ...['deepseek_v3', 'deepseek_v31', 'hy_v3', 'hy_v4', 'jamba', 'lfm2', 'llama3_json', 'mistral'].map((name) => `tool ${name}`),
  ...['deepseek_r1', 'ernie45', 'holo2', 'hy_v3', 'hy_v4', 'k2_horizon', 'minimax_m3', 'mistral', 'poolside_v1', 'step3'].map(
    (name) => `reasoning ${name}`,
  ),
  'unified openai',
];

const needs = allFormats().filter((format) => format.requiredTokens !== undefined);

it('is said by every format that needs tokens', () => {
  expect(needs.map(({ kind, name }) => `${kind} ${name}`)).toEqual(expect.arrayContaining(NEEDY));
});

it('is no more than the recorded models have', () => {
  for (const vector of readVectors()) {
    const { vocabulary, tokenizerConfig } = contextOf(vector, 'stream');
    for (const format of Object.values(formatsOf(vector))) {
      const needed = format?.requiredTokens ?? [];
      const check = { vocabulary, tokenizerConfig, toolParser: null, reasoningParser: null };
      const tokens: readonly string[] = typeof needed === 'function' ? needed(check) : needed;
      expect(
        tokens.filter((token) => vocabulary.tokenToId(token) === undefined),
        `${format?.name} with ${vector.server.tokenizer}`,
      ).toEqual([]);
    }
  }
});

it.each(needs.map((format): [string, string, string] => [format.kind, format.name, nameOf(format)]))(
  'refuses a model without them: %s %s',
  (kind, name, flag) => {
    const model = { modelType: '', architectures: [], tokenizerConfig: {}, chatTemplates: { default: '', named: {} } };
    const tokenizer = { size: 0, tokenToId: () => undefined, idToToken: () => undefined };
    const flags = { toolCallParser: kind === 'reasoning' ? null : flag, reasoningParser: kind === 'reasoning' ? flag : null };
    expect(() => chooseParsers({ ...flags, chatTemplate: null }, model, tokenizer)).toThrow(
      new RegExp(`^The parser ${name} needs the token \\S+, which this model's tokenizer does not have: most likely`),
    );
  },
);

function nameOf(format: (typeof needs)[number]): string {
  return format.kind === 'unified' ? (format.toolNames[0] ?? format.name) : format.name;
}
