import type { CompleteAnswer, Piece } from '../core/stream-parser.ts';
import type { ParsedDelta } from '../parsers/delta.ts';
import type { SessionState } from '../parsers/session.ts';
import type { PreparedOutput } from './parse-session.ts';

/** Members of parsers' states that tell where a parser stands. */
const MODES: ReadonlySet<string> = new Set(['mode', 'phase', 'call', 'region', 'ended']);
const CONTEXT_UNITS = 24;

function answerJson({ reasoning, content, toolCalls }: CompleteAnswer): Record<string, unknown> {
  return { reasoning, content, tool_calls: toolCalls };
}

function indented(text: string): string {
  return text
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n');
}

/** The complete answer, for people or as JSON. */
export function* reportAnswer({ session, promptTokenIds, chunks }: PreparedOutput, asJson: boolean): Generator<string> {
  const answer = session('one-shot').complete(chunks.flat(), promptTokenIds);
  if (asJson) {
    yield JSON.stringify(answerJson(answer));
    return;
  }
  const { reasoning, content, toolCalls } = answer;
  if (reasoning !== null) yield `reasoning:\n${indented(reasoning)}`;
  if (content !== null) yield `content:\n${indented(content)}`;
  for (const [index, call] of toolCalls.entries()) {
    yield `tool call ${index}: ${call.name}${call.id === undefined ? '' : ` (id ${call.id})`}\n${indented(call.arguments)}`;
  }
  if (reasoning === null && content === null && toolCalls.length === 0) yield 'nothing: no reasoning, no content, no tool calls';
}

function deltaJson({ reasoning, content, toolCalls }: ParsedDelta): Record<string, unknown> {
  const calls = toolCalls.map(({ index, starts, name, id, arguments: written }) => ({
    index,
    ...(starts ? { name } : {}),
    ...(id === null ? {} : { id }),
    ...(written === null ? {} : { arguments: written }),
  }));
  return {
    ...(reasoning === null ? {} : { reasoning }),
    ...(content === null ? {} : { content }),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
}

const textOf = (pieces: readonly Piece[]): string => pieces.map(({ text }) => text).join('');

/** What each chunk of a stream adds, and how many bytes the parsers' states then have. The state goes through JSON at each chunk. */
export function* reportDeltas({ session, promptTokenIds, chunks }: PreparedOutput, asJson: boolean): Generator<string> {
  const stream = session('stream');
  let state = JSON.stringify(stream.init(promptTokenIds));
  for (const [index, pieces] of [...chunks, []].entries()) {
    const current = stream.stateSchema.parse(JSON.parse(state));
    const delta = deltaJson(stream.push(current, pieces, index === chunks.length));
    state = JSON.stringify(current);
    const stateBytes = Buffer.byteLength(state);
    const text = textOf(pieces);
    if (asJson) yield JSON.stringify({ chunk: index, text, delta, state_bytes: stateBytes });
    else yield `${index === chunks.length ? 'end' : `${index} ${JSON.stringify(text)}`}  ${JSON.stringify(delta)}  state ${stateBytes} B`;
  }
}

/**
 * Where the parsers stand: modes by their path in the state.
 * @param reasons whether there is a reasoning parser that has not come to its end before the output
 */
function modesOf(state: SessionState, reasons: boolean): Map<string, string> {
  const modes = new Map<string, string>();
  const walk = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
    for (const [key, member] of Object.entries(value)) {
      const name = path === '' ? key : `${path}.${key}`;
      if (MODES.has(key) && (typeof member !== 'object' || member === null)) modes.set(name, String(member ?? 'none'));
      else walk(member, name);
    }
  };
  walk(state, '');
  if (reasons && state.reasoning === null) modes.set('reasoning', 'over');
  return modes;
}

function changes(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  return [...after]
    .filter(([path, mode]) => before.get(path) !== mode)
    .map(([path, mode]) => (before.has(path) ? `${path} ${before.get(path)} → ${mode}` : `${path} ${mode}`));
}

/** What kinds of things a delta gives out. */
function kindsOf({ reasoning, content, toolCalls }: ParsedDelta): string[] {
  const kinds = [...(reasoning ? ['reasoning'] : []), ...(content ? ['content'] : [])];
  for (const { index, starts, name, arguments: written } of toolCalls) {
    if (starts) kinds.push(`call ${index} (${name ?? ''})`);
    else if (written) kinds.push(`arguments of call ${index}`);
  }
  return [...new Set(kinds)];
}

/** Token by token, where a parser's mode changed or another kind of output began, and by which marker or token. */
export function* reportSwitches({ session, promptTokenIds, chunks }: PreparedOutput, asJson: boolean): Generator<string> {
  const stream = session('stream');
  const state = stream.init(promptTokenIds);
  const reasons = state.reasoning !== null;
  let modes = modesOf(state, reasons);
  let kinds: string[] = [];
  let offset = 0;
  let read = '';
  const start = [...modes].map(([path, mode]) => `${path} ${mode}`);
  yield asJson ? JSON.stringify({ start }) : `start: ${start.join(', ')}`;
  const pieces: (Piece | null)[] = [...chunks.flat(), null];
  for (const [index, piece] of pieces.entries()) {
    const delta = stream.push(state, piece ? [piece] : [], piece === null);
    const after = modesOf(state, reasons);
    const switched = changes(modes, after);
    const now = kindsOf(delta);
    const begins = now.filter((kind) => !kinds.includes(kind));
    modes = after;
    if (now.length > 0) kinds = now;
    if (switched.length > 0 || begins.length > 0) {
      const where = piece === null ? { at: 'end' } : { token: index, offset, text: piece.text, token_id: piece.tokenId, after: read };
      if (asJson) yield JSON.stringify({ ...where, switched, begins });
      else yield `${describePlace(piece, index, offset, read)}: ${[...switched, ...begins.map((kind) => `gives ${kind}`)].join(', ')}`;
    }
    offset += piece?.text.length ?? 0;
    read = (read + (piece?.text ?? '')).slice(-CONTEXT_UNITS);
  }
}

function describePlace(piece: Piece | null, index: number, offset: number, read: string): string {
  if (!piece) return 'end';
  const what =
    piece.tokenId === null
      ? `${JSON.stringify(piece.text)} behind ${JSON.stringify(read)}`
      : `token ${JSON.stringify(piece.text)} (${piece.tokenId})`;
  return `#${index} at ${offset}, ${what}`;
}
