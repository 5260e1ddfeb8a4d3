import { randomUUID } from 'node:crypto';
import { dumps, tryLoads } from '../../core/python-json.ts';
import type { EventSink, ToolCall } from '../../core/stream-parser.ts';

/**
 * The call that a finished JSON object stands for, its arguments serialised again; null where it stands for none.
 * @param keys members that hold the arguments, the first that is there counts
 */
export function heldCall(json: string, keys: readonly string[]): ToolCall | null {
  const object = tryLoads(json);
  if (!(object instanceof Map)) return null;
  const name = object.get('name');
  const key = keys.find((candidate) => object.has(candidate));
  if (typeof name !== 'string' || key === undefined) return null;
  return { name, arguments: dumps(object.get(key) ?? null) };
}

/** The call that a finished JSON object with `name` and `arguments` stands for; arguments that are a string are taken for their JSON text. */
export function objectCall(json: string): ToolCall | null {
  const object = tryLoads(json);
  if (!(object instanceof Map)) return null;
  const name = object.get('name');
  const values = object.get('arguments');
  if (typeof name !== 'string') return null;
  if (values instanceof Map) return { name, arguments: dumps(values) };
  return typeof values === 'string' ? { name, arguments: values } : null;
}

/** The random part of an id, for formats that make their own ids. */
export function randomHex(): string {
  return randomUUID().replaceAll('-', '');
}

/** Gives out a whole call. */
export function giveCall(call: ToolCall, index: number, sink: EventSink): void {
  sink.toolStart(index, call.name, call.id);
  sink.toolArguments(index, call.arguments);
  sink.toolEnd(index);
}

const OPEN_NAME = /^[^{]*\{\s*"name"\s*:\s*"[^"]*$/;

/** Whether an object was cut off inside the name of its function: there is nothing to show of such a call yet. */
export function isOpenName(text: string): boolean {
  return OPEN_NAME.test(text);
}
