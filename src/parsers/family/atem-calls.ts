import { dumps, loadsOrText } from '../../core/python-json.ts';
import type { PythonValue } from '../../core/python-json.ts';
import type { ToolDefinition } from '../../core/stream-parser.ts';
import { isRecord, ownMember, propertiesOf } from './schema-coercion.ts';

/** A call in Muse's ATEM markup opens and closes with these. */
export const INVOKE_OPEN = '<atem:invoke';
export const INVOKE_CLOSE = '</atem:invoke>';
export const PARAMETER_OPEN = '<atem:parameter';
export const PARAMETER_CLOSE = '</atem:parameter>';

const NAME = /^<atem:invoke\b[^>]*?\bname="([^"]+)"/;
const PARAMETER_TAG = /^<atem:parameter\b[^>]*?\bname="([^"]+)"[^>]*>/;

/** Templates show a function under a namespace of its own name, and models write both. */
function registeredName(written: string, tools: readonly ToolDefinition[]): string {
  const isKnown = (name: string): boolean => tools.some((tool) => tool.name === name);
  if (isKnown(written)) return written;
  const dot = written.indexOf('.');
  const head = written.slice(0, Math.max(dot, 0));
  return head !== '' && head === written.slice(dot + 1) && isKnown(head) ? head : written;
}

/** Parameters in order: each from its opening tag to the next closing one. */
function readParameters(block: string): [key: string, value: string][] {
  const parameters: [string, string][] = [];
  let at = block.indexOf(PARAMETER_OPEN);
  while (at !== -1) {
    const close = block.indexOf(PARAMETER_CLOSE, at);
    if (close === -1) break;
    const tag = PARAMETER_TAG.exec(block.slice(at, close));
    if (tag?.[1] !== undefined) parameters.push([tag[1], block.slice(at + tag[0].length, close)]);
    at = block.indexOf(PARAMETER_OPEN, tag ? close + PARAMETER_CLOSE.length : at + PARAMETER_OPEN.length);
  }
  return parameters;
}

/**
 * The call in one complete block, `<atem:invoke name="f">` to its end; null where it names none. Values are JSON where they can be read
 * as such, else text.
 * @param keepsStrings whether parameters of type `string` are text whatever they say
 */
export function callOfBlock(
  block: string,
  tools: readonly ToolDefinition[],
  keepsStrings: boolean,
): { name: string; arguments: string } | null {
  const written = NAME.exec(block)?.[1];
  if (written === undefined) return null;
  const name = registeredName(written, tools);
  const properties = propertiesOf(tools, name);
  const values = new Map<string, PythonValue>();
  for (const [key, text] of readParameters(block)) {
    const schema = ownMember(properties, key);
    const isText = keepsStrings && isRecord(schema) && schema['type'] === 'string';
    values.set(key, isText ? text : loadsOrText(text));
  }
  return { name, arguments: dumps(values) };
}
