/**
 * What a chunk costs in each parser, in process: CPU per chunk at token 10,000 over that at token 100, in content, reasoning and a long
 * string argument, and the state's size. `npx tsx bench/parsers.ts [NAME]`.
 */
import type { ParserContext, Piece } from '../src/core/stream-parser.ts';
import { createSession } from '../src/parsers/session.ts';
import type { ParserSession, SessionState } from '../src/parsers/session.ts';
import { contextOf, formatsOf, piecesOf, readVectors } from '../test/parsers/vectors.ts';
import type { Vector } from '../test/parsers/vectors.ts';
import { printTable } from './table.ts';

const EARLY = 100;
const LATE = 10_000;
const WINDOW = 50;
const LIMIT = 1.5;
/** A state of more bytes holds what the model writes. */
const HELD = 10_000;
const only = process.argv[2];

/** Where a stretch of plain words can be put into a vector's output so that it stays inside one region: after each piece. */
type Region = 'content' | 'reasoning' | 'arguments';

interface Measured {
  ratio: number;
  stateBytes: number;
}

function longest(vector: Vector, region: Region): number | null {
  const session = createSession(formatsOf(vector), contextOf(vector, 'stream'));
  const state = session.init(vector.prompt_token_ids);
  const pieces = piecesOf(vector, 0, vector.output_token_ids.length, false);
  for (const [at, piece] of pieces.entries()) {
    const delta = session.push(state, [piece], false);
    if (piece.tokenId !== null || !/[a-z]$/.test(piece.text)) continue;
    if (region === 'content' && delta.content?.endsWith(piece.text)) return at + 1;
    if (region === 'reasoning' && delta.reasoning?.endsWith(piece.text)) return at + 1;
    // Words behind words are those of a string value: a key is one.
    const isProse = /^ [a-z]/i.test(piece.text) && /[a-z]$/i.test(pieces[at - 1]?.text ?? '');
    if (region === 'arguments' && isProse && delta.toolCalls.at(-1)?.arguments?.endsWith(piece.text)) return at + 1;
  }
  return null;
}

/** One chunk as the server does it: the state from JSON, one token, the state to JSON. */
function chunk(session: ParserSession, state: string, piece: Piece): string {
  const current: SessionState = session.stateSchema.parse(JSON.parse(state));
  session.push(current, [piece], false);
  return JSON.stringify(current);
}

function measure(vector: Vector, cut: number, context: ParserContext): Measured {
  const session = createSession(formatsOf(vector), context);
  let state = JSON.stringify(session.init(vector.prompt_token_ids));
  for (const piece of piecesOf(vector, 0, vector.output_token_ids.length, false).slice(0, cut)) state = chunk(session, state, piece);
  const word: Piece = { text: ' word', tokenId: null };
  const cost = new Map<number, number>();
  for (let at = 0; at < LATE + WINDOW; at += 1) {
    if (at === EARLY || at === LATE) {
      let best = Number.POSITIVE_INFINITY;
      for (let round = 0; round < 40; round += 1) {
        const from = process.hrtime.bigint();
        let trial = state;
        for (let step = 0; step < WINDOW; step += 1) trial = chunk(session, trial, word);
        best = Math.min(best, Number(process.hrtime.bigint() - from) / WINDOW / 1000);
      }
      cost.set(at, best);
    }
    state = chunk(session, state, word);
  }
  return { ratio: (cost.get(LATE) ?? 0) / (cost.get(EARLY) ?? 1), stateBytes: Buffer.byteLength(state) };
}

const rows: (string | number)[][] = [];
const seen = new Set<string>();
let broken = 0;
for (const vector of readVectors()) {
  const { tool_parser: tool, reasoning_parser: reasoning } = vector.server;
  if (vector.one_shot.error || (only !== undefined && tool !== only && reasoning !== only)) continue;
  for (const region of ['content', 'reasoning', 'arguments'] as const) {
    const name = `${tool ?? '-'} ${reasoning ?? '-'} ${region}`;
    if (seen.has(name)) continue;
    const cut = longest(vector, region);
    if (cut === null) continue;
    seen.add(name);
    const { ratio, stateBytes } = measure(vector, cut, contextOf(vector, 'stream'));
    // Only the values of an open call may have to be seen whole.
    const isHeld = region === 'arguments' && stateBytes > HELD;
    const holds = isHeld || (ratio <= LIMIT && stateBytes <= HELD);
    if (!holds) broken += 1;
    const remark = isHeld ? 'held: a value that must be seen whole' : holds ? '' : 'BROKEN';
    rows.push([tool ?? '-', reasoning ?? '-', region, ratio.toFixed(2), stateBytes, remark]);
  }
}
printTable('Cost of a chunk at token 10,000 over token 100', ['tool', 'reasoning', 'in', 'ratio', 'state bytes', ''], rows);
process.exitCode = broken === 0 ? 0 : 1;
