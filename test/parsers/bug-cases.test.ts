import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Piece } from '../../src/core/stream-parser.ts';
import { chooseFormats } from '../../src/parsers/registry.ts';
import { createSession } from '../../src/parsers/session.ts';
import { piecesOfText } from './text-pieces.ts';
import { contextOf } from './vectors.ts';
import type { Vector } from './vectors.ts';

/** Small outputs that servers of this kind were reported to get wrong. Each must come out right however it is cut. */
interface BugCase {
  /** The public thread. */
  source: string;
  about: string;
  tool: string | null;
  reasoning: string | null;
  tokenizer?: string;
  request?: Vector['chat_request'];
  text: string;
  /** The token behind the text that stopped the output: it adds no text. */
  stop?: string;
  /** The cuts that were reported; others are tried as well. */
  chunks?: string[];
  finish: string;
  expected: { content: string | null; reasoning: string | null; tool_calls: [name: string, args: string, id?: string][] };
}

interface Sum {
  content: string;
  reasoning: string;
  calls: { name: string; args: string; id: string | null }[];
}

const DEFAULT_TOKENIZER = 'combined';
const directory = new URL('../../fixtures/parsers/bug-cases/', import.meta.url);
const files = readdirSync(directory).filter((file) => file.endsWith('.json'));
const readCases = (file: string): BugCase[] => JSON.parse(readFileSync(new URL(file, directory), 'utf8')) as BugCase[];

/** The same text with its other characters in runs, as tokens have them. */
function inRuns(pieces: readonly Piece[], lengths: readonly number[]): Piece[] {
  const runs: Piece[] = [];
  let left = 0;
  for (const piece of pieces) {
    const last = runs.at(-1);
    if (last && left > 0 && piece.tokenId === null) {
      last.text += piece.text;
      left -= 1;
    } else {
      runs.push({ ...piece });
      left = piece.tokenId === null ? (lengths[runs.length % lengths.length] ?? 1) - 1 : 0;
    }
  }
  return runs;
}

function vectorOf({ tool, reasoning, tokenizer = DEFAULT_TOKENIZER, request = {}, finish }: BugCase): Vector {
  const server = {
    tokenizer,
    ...(tool === null ? {} : { tool_parser: tool }),
    ...(reasoning === null ? {} : { reasoning_parser: reasoning }),
  };
  return { server, chat_request: request, finish_reason: finish } as Vector;
}

function stream(bug: BugCase, chunks: readonly (readonly Piece[])[]): Sum {
  const formats = chooseFormats(bug.tool, bug.reasoning);
  if (!formats) throw new Error(`${bug.source} names no parser`);
  const session = createSession(formats, contextOf(vectorOf(bug), 'stream'));
  let state = JSON.stringify(session.init([]));
  const sum: Sum = { content: '', reasoning: '', calls: [] };
  for (const [index, pieces] of chunks.entries()) {
    const current = session.stateSchema.parse(JSON.parse(state));
    const delta = session.push(current, pieces, index === chunks.length - 1);
    state = JSON.stringify(current);
    sum.content += delta.content ?? '';
    sum.reasoning += delta.reasoning ?? '';
    for (const call of delta.toolCalls) {
      const slot = (sum.calls[call.index] ??= { name: '', args: '', id: null });
      slot.name += call.name ?? '';
      slot.args += call.arguments ?? '';
      slot.id ??= call.id;
    }
  }
  return sum;
}

function complete(bug: BugCase, pieces: readonly Piece[]): Sum {
  const formats = chooseFormats(bug.tool, bug.reasoning);
  if (!formats) throw new Error(`${bug.source} names no parser`);
  const answer = createSession(formats, contextOf(vectorOf(bug), 'one-shot')).complete(pieces, []);
  const calls = answer.toolCalls.map(({ name, arguments: args, id }) => ({ name, args, id: id ?? null }));
  return { content: answer.content ?? '', reasoning: answer.reasoning ?? '', calls };
}

/** Arguments as values, and as text where they were cut off. */
function argumentsOf(written: string): unknown {
  try {
    return JSON.parse(written);
  } catch {
    return written;
  }
}

function plain(sum: Sum, { expected }: BugCase): unknown {
  const calls = sum.calls.map(({ name, args, id }, index) => [
    name,
    argumentsOf(args),
    ...(expected.tool_calls[index]?.[2] === undefined ? [] : [id]),
  ]);
  return { content: sum.content.trim(), reasoning: sum.reasoning, calls };
}

describe.each(files)('%s', (file) => {
  it.each(readCases(file))('$source: $about', (bug) => {
    const { content, reasoning, tool_calls: calls } = bug.expected;
    const right = {
      content: content ?? '',
      reasoning: reasoning ?? '',
      calls: calls.map(([name, args, ...id]) => [name, argumentsOf(args), ...id]),
    };
    const tokenizer = bug.tokenizer ?? DEFAULT_TOKENIZER;
    const stop = piecesOfText(bug.stop ?? '', tokenizer).map((piece) => ({ ...piece, text: '' }));
    const pieces = [...piecesOfText(bug.text, tokenizer), ...stop];
    expect(plain(complete(bug, pieces), bug)).toEqual(right);
    const cuts = [[pieces], pieces.map((piece) => [piece]), [...pieces.map((piece) => [piece]), []]];
    for (let at = 1; at < pieces.length; at += 1) cuts.push([pieces.slice(0, at), pieces.slice(at)]);
    for (const lengths of [[2], [5], [1, 4, 2, 7], [9, 3, 1]]) {
      const tokens = inRuns(pieces, lengths);
      cuts.push(
        tokens.map((token) => [token]),
        [tokens],
      );
    }
    if (bug.chunks) cuts.push([...bug.chunks.map((chunk) => piecesOfText(chunk, tokenizer)), stop]);
    for (const cut of cuts) expect(plain(stream(bug, cut), bug)).toEqual(right);
  });
});
