import { z } from 'zod';
import { dumps } from '../../core/python-json.ts';
import { coerceText, isStringOnly, ownMember } from './schema-coercion.ts';
import type { Properties } from './schema-coercion.ts';

/**
 * Writes named parameters, whose values come as plain text, as one JSON object. A value that stays a string whatever it says is given
 * out as it comes; any other is held until it is closed, since its type decides its form. What closes a value (its quote, or the whole
 * of a held value) is given out with what follows it, as in the reference.
 */
export interface ParameterWriter {
  /** `before`: no parameter yet; `streaming`, `holding`: inside a value; `between`: behind one. */
  mode: 'before' | 'streaming' | 'holding' | 'between';
  key: string;
  /** Inside a held value its text; between values what is still to be written of the last one. */
  held: string;
}

export const parameterWriterState: z.ZodType<ParameterWriter> = z.object({
  mode: z.enum(['before', 'streaming', 'holding', 'between']),
  key: z.string(),
  held: z.string(),
});

/** Takes more of the arguments' JSON text. */
export type Write = (json: string) => void;

export function startWriter(): ParameterWriter {
  return { mode: 'before', key: '', held: '' };
}

/** A text as it stands inside a JSON string. */
export function escapeText(text: string): string {
  return dumps(text).slice(1, -1);
}

export function isInValue(writer: ParameterWriter): boolean {
  return writer.mode === 'streaming' || writer.mode === 'holding';
}

/** Whether a parameter's value may be given out before it is complete. Without any schema all values are strings. */
export function streamsValue(key: string, properties: Properties): boolean {
  if (Object.keys(properties).length === 0) return true;
  return Object.hasOwn(properties, key) && isStringOnly(properties[key]);
}

function open(writer: ParameterWriter, key: string, streaming: boolean, write: Write): void {
  write(`${writer.mode === 'before' ? '{' : `${writer.held}, `}${dumps(key)}: ${streaming ? '"' : ''}`);
  writer.mode = streaming ? 'streaming' : 'holding';
  writer.key = key;
  writer.held = '';
}

/** A parameter begins; one that is still open is closed. */
export function openParameter(writer: ParameterWriter, key: string, properties: Properties, write: Write): void {
  closeParameter(writer, properties);
  open(writer, key, streamsValue(key, properties), write);
}

/** A parameter begins whose value will be given to `closeWith`. No other may be open. */
export function openHeld(writer: ParameterWriter, key: string, write: Write): void {
  open(writer, key, false, write);
}

export function writeValue(writer: ParameterWriter, text: string, write: Write): void {
  if (text === '') return;
  if (writer.mode === 'streaming') write(escapeText(text));
  else if (writer.mode === 'holding') writer.held += text;
}

/** The open value, if there is one, is complete. A held one takes the type of its schema; without schema it stays a string. */
export function closeParameter(writer: ParameterWriter, properties: Properties): void {
  const { mode, key, held } = writer;
  if (mode === 'streaming') closeWith(writer, '"');
  else if (mode === 'holding')
    closeWith(writer, dumps(Object.hasOwn(properties, key) ? coerceText(held, ownMember(properties, key)) : held));
}

/** The open value is complete, and this is what remains to be written of it. */
export function closeWith(writer: ParameterWriter, rest: string): void {
  writer.mode = 'between';
  writer.held = rest;
}

/** The object is complete; a value still open is closed. */
export function endParameters(writer: ParameterWriter, properties: Properties, write: Write): void {
  closeParameter(writer, properties);
  write(writer.mode === 'before' ? '{}' : `${writer.held}}`);
}

/** The output was cut off: an open value stays open, with all that came of it; between values the object is closed. */
export function cutParameters(writer: ParameterWriter, properties: Properties, write: Write): void {
  if (writer.mode === 'holding') write(/^\s*[[{"\d-]/.test(writer.held) ? writer.held : `"${escapeText(writer.held)}`);
  else if (writer.mode !== 'streaming') endParameters(writer, properties, write);
}
