import { dumps, tryLoads } from '../../core/python-json.ts';
import { readLiteral, startLiteral } from './python-literal.ts';
import { isFiniteValue } from './schema-coercion.ts';

/** The JSON of a Python literal; null where the text is none. */
function literalJson(text: string): string | null {
  if (/^\s*[-+]*0\d/.test(text)) return null;
  const literal = startLiteral();
  // The white space tells where a number ends.
  const source = `${text}\n`;
  const end = readLiteral(literal, source, 0, false);
  return end === source.length && literal.mode === 'after' && literal.frames.length === 0 ? literal.json : null;
}

/** The JSON of a text that is JSON or a Python literal; of the text as a string where it is neither. */
export function looseJson(text: string): string {
  const value = tryLoads(text);
  if (value !== undefined && isFiniteValue(value)) return dumps(value);
  return literalJson(text) ?? dumps(text);
}
