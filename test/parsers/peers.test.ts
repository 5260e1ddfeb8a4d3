import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { tellComplete, tellStream } from './output-groups.ts';
import { piecesOfText } from './text-pieces.ts';
import type { Vector } from './vectors.ts';

/** What an engine answers. */
interface PeerAnswer {
  content: string | null;
  reasoning: string | null;
  tool_calls: [name: string, args: string][];
  error?: string;
}

/** A fixture of the parity suite of ai-dynamo/dynamo: an output and what three engines make of it; null where one has no such parser. */
interface PeerFixture {
  id: string;
  kind: 'tool' | 'reasoning';
  parser: string;
  text: string | null;
  chunks: string[] | null;
  tools: { name: string; parameters: Record<string, unknown> }[] | null;
  finish_reason: string;
  chat_template_kwargs?: Record<string, unknown>;
  expected: Record<'vllm' | 'dynamo' | 'sglang', PeerAnswer | null>;
  ref_tokenizer: string;
  ref_request?: Vector['chat_request'];
}

/** Fixtures on which the engines agree and our answer is another, on purpose. */
const DIFFERENT: readonly { because: string; of: readonly string[] }[] = [
  {
    because: 'text behind and between calls is content, as in the streams of vLLM 0.33',
    of: [
      ...['8.b', '8.c', '8.d'].flatMap((id) => ['deepseek_v3', 'deepseek_v3_1', 'gemma4'].map((parser) => `${parser}/PARSER.batch.${id}`)),
      ...['deepseek_v3_1', 'gemma4', 'minimax_m2', 'qwen3_coder'].map((parser) => `${parser}/PARSER.batch.2.c`),
      'mistral/PARSER.batch.8.b',
      'mistral/PARSER.batch.8.c',
      'phi4/PARSER.batch.8.b',
    ],
  },
  {
    because: 'a call that is cut off or not closed is told as far as it came',
    of: [
      ...['4.b', '4.d', '5.a', '5.c'].map((id) => `pythonic/PARSER.batch.${id}`),
      'hermes/TOOLCALLING.batch.4.b',
      ...['5.c', '5.d', '5.e'].map((id) => `kimi_k2/TOOLCALLING.batch.${id}`),
      ...['deepseek_v3_2', 'deepseek_v4', 'glm47', 'kimi_k2'].map((parser) => `${parser}/PARSER.batch.4.d`),
      'deepseek_v4/TOOLCALLING.stream.4.b',
      'gemma4/TOOLCALLING.batch.5.e',
      'qwen3_coder/TOOLCALLING.batch.5.c',
    ],
  },
  { because: 'markup in which no call can be read is content', of: ['phi4/PARSER.batch.4.a', 'phi4/PARSER.batch.4.b'] },
  { because: 'white space between parentheses is no argument, as in the streams of vLLM 0.33', of: ['pythonic/PARSER.batch.6.b'] },
  { because: 'text takes the type of its schema, as in vLLM 0.33', of: ['gemma4/PARSER.batch.7.c', 'kimi_k2/PARSER.batch.7.c'] },
  { because: 'without a schema, bare words inside objects are text, as in vLLM 0.33', of: ['gemma4/PARSER.batch.7.d'] },
  { because: 'a call without a name is one with an empty name, as in vLLM 0.33', of: ['mistral/TOOLCALLING.batch.4.c'] },
  { because: 'a message on the commentary channel to nobody is content, as in vLLM 0.33', of: ['harmony/PARSER.batch.4.c'] },
  {
    because: 'text without any header is content, as in vLLM 0.33',
    of: ['gpt_oss/REASONING.batch.1.b', 'gpt_oss/REASONING.stream.1.b', 'gpt_oss/REASONING.stream.3.c'],
  },
  { because: 'a second closing marker is not shown, as in complete answers of vLLM 0.33', of: ['mistral/REASONING.batch.6.b'] },
  { because: 'a closing marker that closes nothing is shown, as in vLLM 0.33', of: ['qwen25/TOOLCALLING.stream.4.c'] },
];

const reasons = new Map(DIFFERENT.flatMap(({ because, of }) => of.map((id): [string, string] => [`dynamo/${id}`, because])));

function readFixtures(): PeerFixture[] {
  const text = gunzipSync(readFileSync(new URL('../../fixtures/parsers/dynamo.jsonl.gz', import.meta.url))).toString('utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as PeerFixture);
}

function argumentsOf(written: string): unknown {
  try {
    return JSON.parse(written);
  } catch {
    return written;
  }
}

/** White space around content and reasoning does not count. */
function answer(content: string, reasoning: string, calls: readonly [string, string][]): unknown {
  return { content: content.trim(), reasoning: reasoning.trim(), calls: calls.map(([name, args]) => [name, argumentsOf(args)]) };
}

/** What the engines that have such a parser answer, if at least two do and all agree. */
function agreed({ expected }: PeerFixture): unknown {
  const answers = Object.values(expected).filter((peer) => peer !== null && peer.error === undefined);
  const [first, ...others] = answers.map((peer) => answer(peer?.content ?? '', peer?.reasoning ?? '', peer?.tool_calls ?? []));
  return others.length > 0 && others.every((other) => JSON.stringify(other) === JSON.stringify(first)) ? first : undefined;
}

/** Our answers: complete, streamed in one chunk, by pieces, and in the fixture's chunks. */
function ours({ id, kind, parser, text, chunks, tools, ...fixture }: PeerFixture): unknown[] {
  const { ref_tokenizer: tokenizer, ref_request: request, chat_template_kwargs: kwargs } = fixture;
  const vector = {
    id,
    server: { tokenizer, ...(kind === 'tool' ? { tool_parser: parser } : { reasoning_parser: parser }) },
    chat_request: {
      ...(tools ? { tools: tools.map((tool) => ({ function: tool })) } : {}),
      ...request,
      ...(kwargs ? { chat_template_kwargs: kwargs } : {}),
    },
    prompt_token_ids: [] as number[],
    finish_reason: fixture.finish_reason,
  } as Vector;
  const pieces = piecesOfText(text ?? chunks?.join('') ?? '', tokenizer);
  const cuts = [[pieces], pieces.length > 0 ? pieces.map((piece) => [piece]) : [[]]];
  if (chunks) cuts.push(chunks.map((chunk) => piecesOfText(chunk, tokenizer)));
  return [tellComplete(vector, pieces), ...cuts.map((cut) => tellStream(vector, cut))].map(({ content, reasoning, calls }) =>
    answer(
      content,
      reasoning,
      calls.map(({ name, args }) => [name, args]),
    ),
  );
}

describe('where other engines agree', () => {
  const fixtures = readFixtures().filter((fixture) => agreed(fixture) !== undefined);

  it('is known', () => {
    expect(fixtures.length).toBe(242);
    expect(fixtures.filter(({ id }) => reasons.has(id)).length).toBe(reasons.size);
  });

  it.each(fixtures.filter(({ id }) => !reasons.has(id)))('answers as they do: $id', (fixture) => {
    const right = agreed(fixture);
    for (const got of ours(fixture)) expect(got).toEqual(right);
  });

  it.each(fixtures.filter(({ id }) => reasons.has(id)))('differs on purpose, always in the same way: $id', (fixture) => {
    const [first, ...others] = ours(fixture);
    expect(first, reasons.get(fixture.id)).not.toEqual(agreed(fixture));
    for (const other of others) expect(other).toEqual(first);
  });
});
