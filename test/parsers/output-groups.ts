import type { Piece } from '../../src/core/stream-parser.ts';
import { createSession } from '../../src/parsers/session.ts';
import { contextOf, formatsOf, piecesOf, readVectors } from './vectors.ts';
import type { Vector } from './vectors.ts';

/** The recorded outputs of one pair of parsers and one tokenizer. */
export interface OutputGroup {
  /** Tool parser, reasoning parser (`-` where there is none) and tokenizer. */
  name: string;
  vectors: Vector[];
}

/** What a stream adds up to. */
export interface Told {
  content: string;
  reasoning: string;
  calls: { name: string; args: string; ids: string[]; starts: number }[];
}

/** All groups, without the requests that are refused. */
export function outputGroups(): OutputGroup[] {
  const groups = new Map<string, Vector[]>();
  for (const vector of readVectors()) {
    if (vector.one_shot.error) continue;
    const { tool_parser: tool = '-', reasoning_parser: reasoning = '-', tokenizer } = vector.server;
    const name = `${tool} ${reasoning} ${tokenizer}`;
    groups.set(name, [...(groups.get(name) ?? []), vector]);
  }
  return [...groups].map(([name, vectors]) => ({ name, vectors }));
}

/** An output without the tokens that end a turn: what becomes of those inside an output depends on its chunks, as in the reference. */
export function outputPieces(vector: Vector): Piece[] {
  const { endTokenIds } = contextOf(vector, 'stream');
  const pieces = piecesOf(vector, 0, vector.output_token_ids.length, false);
  return pieces.filter(({ tokenId }) => tokenId === null || !endTokenIds.has(tokenId));
}

/** Parses chunks for a vector's request, with the state through JSON and its schema at each. */
export function tellStream(vector: Vector, chunks: readonly (readonly Piece[])[]): Told {
  const session = createSession(formatsOf(vector), contextOf(vector, 'stream'));
  let state = JSON.stringify(session.init(vector.prompt_token_ids));
  const told: Told = { content: '', reasoning: '', calls: [] };
  for (const [index, pieces] of chunks.entries()) {
    const current = session.stateSchema.parse(JSON.parse(state));
    const delta = session.push(current, pieces, index === chunks.length - 1);
    state = JSON.stringify(current);
    told.content += delta.content ?? '';
    told.reasoning += delta.reasoning ?? '';
    for (const call of delta.toolCalls) {
      const slot = (told.calls[call.index] ??= { name: '', args: '', ids: [], starts: 0 });
      slot.name += call.name ?? '';
      slot.args += call.arguments ?? '';
      slot.starts += Number(call.starts);
      // Some formats make ids at random.
      if (call.id !== null) slot.ids.push(call.id.replace(/[0-9a-f]{32}$/, '*'));
    }
  }
  return told;
}

/** Parses a complete output for a vector's request. */
export function tellComplete(vector: Vector, pieces: readonly Piece[]): Told {
  const answer = createSession(formatsOf(vector), contextOf(vector, 'one-shot')).complete(pieces, vector.prompt_token_ids);
  const calls = answer.toolCalls.map(({ name, arguments: args, id }) => ({ name, args, ids: id === undefined ? [] : [id], starts: 1 }));
  return { content: answer.content ?? '', reasoning: answer.reasoning ?? '', calls };
}

/** All the text of an answer. */
export function allText({ content, reasoning, calls }: Told): string {
  return [reasoning, content, ...calls.flatMap(({ name, args, ids }) => [name, args, ...ids])].join('\n');
}
