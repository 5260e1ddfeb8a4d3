import type { CallDelta } from '../../src/parsers/delta.ts';
import { createSession } from '../../src/parsers/session.ts';
import type { ParserSession, SessionFormats } from '../../src/parsers/session.ts';
import { contextOf, formatsOf, otherStopToken, piecesOf, toolChoiceOf } from './vectors.ts';
import type { RecordedChoice, RecordedMessage, Vector } from './vectors.ts';

/** What an answer adds up to: names and arguments joined, ids by form. */
export interface Sum {
  content: string;
  reasoning: string;
  tool_calls: { ids: number; name: string; arguments: string }[];
  finish_reason: string | undefined;
  roles: number;
}

/** Ids made at random are compared by form only. */
function idForm(id: string): string {
  if (id.startsWith('chatcmpl-tool-')) return 'chatcmpl-tool-*';
  if (/^[A-Za-z0-9]{9}$/.test(id)) return '*9';
  if (/^call_\d+_[0-9a-f]{8,}$/.test(id)) return id.replace(/[0-9a-f]+$/, '*');
  return /^call_[A-Za-z0-9]{8,}$/.test(id) ? 'call_*' : id;
}

/** Whether the request lets calls through: forced, or auto with tools. */
function keepsCalls(vector: Vector): boolean {
  const choice = toolChoiceOf(vector);
  if (choice === 'required' || (choice !== null && typeof choice === 'object')) return true;
  return choice === 'auto' && vector.server.tool_parser !== undefined && (vector.chat_request.tools ?? []).length > 0;
}

function finishReason(vector: Vector, calls: boolean): string {
  const choice = toolChoiceOf(vector);
  const named = choice !== null && typeof choice === 'object';
  return calls && vector.finish_reason === 'stop' && !named ? 'tool_calls' : vector.finish_reason;
}

/** A stop token other than the tokenizer's own is told. */
function stopReason(vector: Vector): { stop_reason?: number } {
  const id = otherStopToken(vector);
  return id === null ? {} : { stop_reason: id };
}

function makeId(vector: Vector, { countsIds, shortIds }: ParserSession, name: string, index: number): string {
  const context = contextOf(vector, 'stream');
  if (shortIds) return '*9';
  return countsIds && context.modelType === 'kimi_k2' ? `functions.${name}:${context.historyToolCalls + index}` : 'chatcmpl-tool-*';
}

type RecordedCall = NonNullable<RecordedMessage['tool_calls']>[number];

function recordedCall(vector: Vector, call: CallDelta, session: ParserSession): RecordedCall {
  const written: RecordedCall = { index: call.index, function: {} };
  if (call.starts) {
    written.id = idForm(call.id ?? makeId(vector, session, call.name ?? '', call.index));
  }
  if (call.starts || session.repeatsType) written.type = 'function';
  if (call.name !== null) written.function.name = call.name;
  if (call.arguments !== null) written.function.arguments = call.arguments;
  return written;
}

/** Chunks as lengths in tokens; `finishApart` gives the finish reason in a chunk of its own. The state goes through JSON at each. */
export function runStream(
  vector: Vector,
  chunkLens: readonly number[],
  finishApart: boolean,
  formats: SessionFormats = formatsOf(vector),
): RecordedChoice[] {
  const session = createSession(formats, contextOf(vector, 'stream'));
  let state = JSON.stringify(session.init(vector.prompt_token_ids));
  const keeps = keepsCalls(vector);
  const { include_reasoning: showsReasoning = true, parallel_tool_calls: parallel } = vector.chat_request;
  const choices: RecordedChoice[] = [];
  let position = 0;
  let calls = false;
  const chunks = chunkLens.map((length, index) => ({ length, last: index === chunkLens.length - 1 && !finishApart }));
  if (finishApart) chunks.push({ length: 0, last: true });
  for (const { length, last } of chunks) {
    const pieces = piecesOf(vector, position, position + length, last && length > 0);
    position += length;
    const current = session.stateSchema.parse(JSON.parse(state));
    const parsed = session.push(current, pieces, last);
    state = JSON.stringify(current);
    const delta: RecordedMessage = {};
    if (choices.length === 0) delta.role = 'assistant';
    if (parsed.content !== null && (showsReasoning || parsed.content !== '')) delta.content = parsed.content;
    if (parsed.reasoning !== null && showsReasoning) delta.reasoning = parsed.reasoning;
    if (parsed.toolCalls.length > 0 && keeps) {
      calls = true;
      const shown = parsed.toolCalls.filter((call) => parallel !== false || call.index === 0);
      if (shown.length > 0) delta.tool_calls = shown.map((call) => recordedCall(vector, call, session));
    }
    if (parsed.citations) delta.citations = parsed.citations;
    choices.push(last ? { delta, finish_reason: finishReason(vector, calls), ...(length > 0 ? stopReason(vector) : {}) } : { delta });
  }
  return choices;
}

export function runComplete(vector: Vector, formats: SessionFormats = formatsOf(vector)): RecordedChoice {
  const session = createSession(formats, contextOf(vector, 'one-shot'));
  const answer = session.complete(piecesOf(vector, 0, vector.output_token_ids.length, true), vector.prompt_token_ids);
  const choice = toolChoiceOf(vector);
  const forced = choice === 'required' || (choice !== null && typeof choice === 'object');
  const message: RecordedMessage = { role: 'assistant' };
  const calls = keepsCalls(vector) ? answer.toolCalls.slice(0, vector.chat_request.parallel_tool_calls === false ? 1 : undefined) : [];
  const content = keepsCalls(vector) && forced ? (answer.content ?? '') : answer.content;
  if (content !== null) message.content = content;
  if (answer.reasoning !== null && (vector.chat_request.include_reasoning ?? true)) message.reasoning = answer.reasoning;
  if (calls.length > 0) {
    message.tool_calls = calls.map((call, index) => ({
      id: idForm(call.id ?? makeId(vector, session, call.name, index)),
      type: 'function',
      function: { name: call.name, arguments: call.arguments },
    }));
  }
  return { message, finish_reason: finishReason(vector, calls.length > 0), ...stopReason(vector) };
}

export function sumOfStream(choices: readonly RecordedChoice[]): Sum {
  const total: Sum = { content: '', reasoning: '', tool_calls: [], finish_reason: undefined, roles: 0 };
  for (const { delta = {}, finish_reason: finish } of choices) {
    if (delta.role) total.roles += 1;
    total.content += delta.content ?? '';
    total.reasoning += delta.reasoning ?? '';
    for (const call of delta.tool_calls ?? []) {
      const slot = (total.tool_calls[call.index ?? 0] ??= { ids: 0, name: '', arguments: '' });
      if (call.id) slot.ids += 1;
      slot.name += call.function.name ?? '';
      slot.arguments += call.function.arguments ?? '';
    }
    if (finish) total.finish_reason = finish;
  }
  return total;
}

export function sumOfComplete({ message = {}, finish_reason: finish }: RecordedChoice): Sum {
  return {
    content: message.content ?? '',
    reasoning: message.reasoning ?? '',
    tool_calls: (message.tool_calls ?? []).map((call) => ({
      ids: 1,
      name: call.function.name ?? '',
      arguments: call.function.arguments ?? '',
    })),
    finish_reason: finish,
    roles: 1,
  };
}
