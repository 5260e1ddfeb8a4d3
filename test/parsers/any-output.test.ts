import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../src/core/errors.ts';
import type { Piece } from '../../src/core/stream-parser.ts';
import { allFormats, chooseFormats } from '../../src/parsers/registry.ts';
import type { SessionFormats } from '../../src/parsers/session.ts';
import { createSession } from '../../src/parsers/session.ts';
import { addedTokensOf, contextOf, vocabularyOf } from './vectors.ts';
import type { Vector } from './vectors.ts';

/** Vocabularies of the formats whose tokens the common one has not got. */
const VOCABULARIES: Readonly<Record<string, string>> = {
  beam: 'combined_beam',
  hf: 'combined_hf',
  hunyuan_a13b: 'combined_hunyuan',
  hy_v4: 'combined_hy4',
  k2_horizon: 'combined_ifm',
  kimi_k2: 'combined_kimi_k2',
  openai: 'gptoss_harmony',
  plamo3: 'combined_plamo',
  poolside_v1: 'combined_poolside',
};
const SCRAPS = ['{', '}', '[', ']', '"', ',', ':', ' ', '\n', '\\', "'", '(', ')', '=', '"name": "f"', '"arguments": {', '"a": 1', 'null'];
const ODD_SCRAPS = [
  'True',
  '1.5',
  '-0',
  'é',
  '👩‍🔬',
  '<',
  '>',
  '</',
  '<|',
  '|>',
  '```',
  'json',
  '\t',
  '\u0000',
  '\ud83d',
  '__proto__',
  'constructor',
];
const TOOLS = [
  { function: { name: 'f', parameters: { type: 'object', properties: { a: { type: 'integer' }, o: { type: 'object' } } } } },
  { function: { name: 'get_weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } } },
];
const CHOICES = ['auto', 'required', 'none', { function: { name: 'f' } }] as const;

type Format = ReturnType<typeof allFormats>[number];

/** Texts like those that the format is made for, and worse ones. */
function outputs({ sample }: Format): fc.Arbitrary<string> {
  const words = sample.split(/(\s+|[<>{}[\]"(),:=])/).filter((word) => word !== '');
  const tags = sample.match(/<[^<>\n]{1,40}>|\[[A-Z_]+\]/g) ?? [];
  const scraps = fc.array(fc.constantFrom(...tags, ...tags, ...words, sample, ...SCRAPS, ...ODD_SCRAPS), { maxLength: 25 });
  return fc.tuple(fc.nat(sample.length), scraps).map(([length, rest]) => sample.slice(0, length) + rest.join(''));
}

/** Added tokens whole, all other text in tokens of one to four characters. */
function piecesOfText(text: string, lengths: readonly number[], vocabularyName: string): Piece[] {
  const vocabulary = vocabularyOf(vocabularyName);
  const tokens = addedTokensOf(vocabularyName).sort((a, b) => b.length - a.length);
  const pieces: Piece[] = [];
  for (let at = 0; at < text.length;) {
    const token = tokens.find((candidate) => text.startsWith(candidate, at));
    let piece = token ?? '';
    const length = lengths[pieces.length % lengths.length] ?? 1;
    while (token === undefined && piece.length < length && at + piece.length < text.length) {
      const next = at + piece.length;
      if (piece !== '' && tokens.some((candidate) => text.startsWith(candidate, next))) break;
      piece += String.fromCodePoint(text.codePointAt(next) ?? 0);
    }
    pieces.push({ text: piece, tokenId: token === undefined ? null : (vocabulary.tokenToId(token) ?? null) });
    at += piece.length;
  }
  return pieces;
}

/** What a stream adds up to; the state travels as JSON between its chunks. */
function stream(formats: SessionFormats, vector: Vector, pieces: readonly Piece[], lengths: readonly number[]): unknown {
  const session = createSession(formats, contextOf(vector, 'stream'));
  let state = JSON.stringify(session.init([]));
  const sum: { content: string; reasoning: string; calls: [string, string, number][] } = { content: '', reasoning: '', calls: [] };
  for (let at = 0, index = 0; at < pieces.length || index === 0; index += 1) {
    const length = lengths[index % lengths.length] ?? 1;
    const current = session.stateSchema.parse(JSON.parse(state));
    const delta = session.push(current, pieces.slice(at, at + length), at + length >= pieces.length);
    state = JSON.stringify(current);
    at += length;
    sum.content += delta.content ?? '';
    sum.reasoning += delta.reasoning ?? '';
    for (const call of delta.toolCalls) {
      const slot = (sum.calls[call.index] ??= ['', '', 0]);
      slot[0] += call.name ?? '';
      slot[1] += call.arguments ?? '';
      slot[2] += call.starts ? 1 : 0;
    }
  }
  expect(sum.calls.map((slot) => slot[2])).toEqual(sum.calls.map(() => 1));
  return sum;
}

describe.each(allFormats())('$kind format $name', (format) => {
  it('answers any output with the same sum, however it is cut', () => {
    const tokenizer = VOCABULARIES[format.name] ?? 'combined';
    const unified = format.kind === 'unified' ? format : null;
    const server = {
      tokenizer,
      ...(format.kind === 'reasoning' ? { reasoning_parser: format.name } : { tool_parser: unified?.toolNames[0] ?? format.name }),
      ...(unified?.reasoningNames[0] === undefined ? {} : { reasoning_parser: unified.reasoningNames[0] }),
    };
    const formats = chooseFormats(server.tool_parser ?? null, server.reasoning_parser ?? null);
    if (!formats) throw new Error('no formats');
    const lengths = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(outputs(format), lengths, lengths, fc.constantFrom(...CHOICES), fc.boolean(), (text, tokens, chunks, choice, thinks) => {
        const kwargs = thinks ? { thinking: true, enable_thinking: true, reasoning_effort: 'high' } : {};
        const request = { tools: TOOLS, tool_choice: choice, chat_template_kwargs: kwargs };
        const vector = { server, chat_request: request, finish_reason: 'stop' } as unknown as Vector;
        const pieces = piecesOfText(text, tokens, tokenizer);
        try {
          const single = stream(formats, vector, pieces, [1]);
          expect(stream(formats, vector, pieces, chunks)).toEqual(single);
          expect(stream(formats, vector, pieces, [pieces.length + 1])).toEqual(single);
          createSession(formats, contextOf(vector, 'one-shot')).complete(pieces, []);
        } catch (error) {
          // Some formats refuse some requests or models.
          if (!(error instanceof ApiError && error.status === 400) && !/response_template/.test(String(error))) throw error;
        }
      }),
      { numRuns: 60, seed: 7 },
    );
  });
});
