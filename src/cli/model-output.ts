import { StartupError } from '../core/errors.ts';

/** A model's output as it was given to the command: text, or token ids chunk by chunk. */
export type ModelOutput =
  | { kind: 'text'; text: string }
  | { kind: 'ids'; chunks: number[][]; promptTokenIds: number[] | null; finishReason: string | null };

function isIds(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((id) => Number.isSafeInteger(id) && id >= 0);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What one answer, or one chunk of a stream, of the engine holds. */
function readAnswer(value: Record<string, unknown>, into: ModelOutput & { kind: 'ids' }): boolean {
  const { choices, prompt_token_ids: promptIds } = value;
  if (isIds(promptIds)) into.promptTokenIds = promptIds;
  const first: unknown = Array.isArray(choices) ? choices[0] : value;
  if (!isRecord(first)) return Array.isArray(choices);
  const { token_ids: ids = first['output_token_ids'], finish_reason: finishReason } = first;
  if (typeof finishReason === 'string') into.finishReason = finishReason;
  if (isIds(ids)) into.chunks.push(ids);
  return isIds(ids) || Array.isArray(choices);
}

function emptyIds(): ModelOutput & { kind: 'ids' } {
  return { kind: 'ids', chunks: [], promptTokenIds: null, finishReason: null };
}

/** A recorded stream: server-sent events, or one JSON object a line. */
function readStream(text: string): ModelOutput | null {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const isEvents = lines.some((line) => line.startsWith('data:'));
  const payloads = (isEvents ? lines.filter((line) => line.startsWith('data:')).map((line) => line.slice(5)) : lines).filter(
    (line) => line.trim() !== '[DONE]',
  );
  const output = emptyIds();
  for (const payload of payloads) {
    const value = tryParse(payload);
    const isChunk = isRecord(value) && readAnswer(value, output);
    if (isChunk) continue;
    if (isEvents) throw new StartupError(`parse: no chunk of a generate stream: ${payload.trim().slice(0, 80)}`);
    return null;
  }
  return payloads.length > 0 ? output : null;
}

/**
 * Finds out what was given: token ids as a JSON list, or a list of such for chunks; an answer or stream of `/inference/v1/generate`, or
 * anything else that has `token_ids`; everything else is text.
 * @throws StartupError for a stream of events with something else in it
 */
export function readModelOutput(text: string): ModelOutput {
  const value = tryParse(text);
  if (isIds(value)) return { ...emptyIds(), chunks: [value] };
  if (Array.isArray(value) && value.every(isIds)) return { ...emptyIds(), chunks: value };
  if (isRecord(value)) {
    const output = emptyIds();
    return readAnswer(value, output) ? output : { kind: 'text', text };
  }
  const mayBeStream = /^(?:data:|\{|event:|:)/.test(text.trimStart());
  return (mayBeStream ? readStream(text) : null) ?? { kind: 'text', text };
}
