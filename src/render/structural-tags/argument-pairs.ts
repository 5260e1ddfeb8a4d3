import { dumps } from '../../core/python-json.ts';
import { isObject, items, member, members, toPython } from '../encoders/json-value.ts';
import { anyText, constant, jsonSchema, oneOf, sequence, star, tag, tagList, triggered } from './formats.ts';
import type { Format, Tag } from './formats.ts';
import type { GrammarTool, ToolGrammar } from './tool-formats.ts';

/** Formats whose arguments are pairs of a key and a raw value: GLM-4.7 and Hunyuan V4. */

const GLM_MARKERS = ['<think>', '</think>', '<tool_call>', '</tool_call>', '<arg_key>', '</arg_key>', '<arg_value>', '</arg_value>'];

/** Strings stand raw, other types as JSON. */
function glmValue(property: unknown): Format {
  const values = member(property, 'enum');
  if (values !== undefined) {
    return oneOf(items(values).map((value) => constant(typeof value === 'string' ? value : dumps(toPython(value), { ensureAscii: true }))));
  }
  const type = member(property, 'type');
  if (Array.isArray(type)) {
    const others = type.filter((one) => one !== 'string').map((one: unknown) => glmValue({ type: one }));
    return oneOf(type.includes('string') ? [...others, anyText(GLM_MARKERS)] : others);
  }
  return type === undefined || type === null || type === 'string' ? anyText(GLM_MARKERS) : jsonSchema({ type });
}

/** Properties of a schema that is nothing but an object with named properties, else null. */
function plainProperties(schema: unknown): [string, unknown][] | null {
  const properties = member(schema, 'properties');
  const combined = ['$ref', 'allOf', 'anyOf', 'oneOf', 'patternProperties'].some((key) => member(schema, key) !== undefined);
  if (!isObject(properties) || combined || member(schema, 'additionalProperties') === true) return null;
  const named = members(properties);
  return named.length === 0 ? null : named;
}

function glmCall(tool: GrammarTool): Tag {
  const begin = `<tool_call>${tool.name}`;
  const properties = tool.strict ? null : plainProperties(tool.parameters);
  if (properties === null) {
    return tag(begin, jsonSchema(tool.strict ? (tool.parameters ?? true) : true, 'glm_xml'), '</tool_call>');
  }
  const pairs = properties.map(([key, property]) =>
    sequence(constant(`<arg_key>${key}</arg_key><arg_value>`), glmValue(property), constant('</arg_value>')),
  );
  return tag(begin, star(oneOf(pairs)), '</tool_call>');
}

export const glm47: ToolGrammar = (tools, mode) => {
  const tags = tools.map(glmCall);
  const inText = (atLeastOne: boolean): Format =>
    triggered('<tool_call>', tags, { atLeastOne, excludes: GLM_MARKERS.filter((marker) => marker !== '<tool_call>') });
  if (mode === 'auto') return inText(false);
  if (!tools.every(({ strict }) => strict)) return tagList(tags, '', mode === 'forced');
  // Where all tools are strict, xgrammar's own builder is followed, which lets text stand around calls.
  return mode === 'forced' ? (tags[0] as Tag) : inText(true);
};

/** Required keys in order, then those that may or may not be there. */
function argumentKeys(parameters: unknown): { required: string[]; optional: string[] } {
  const named = members(member(parameters, 'properties')).map(([key]) => key);
  const wanted = items(member(parameters, 'required')).filter((key): key is string => typeof key === 'string');
  const required = [...named.filter((key) => wanted.includes(key)), ...wanted.filter((key) => !named.includes(key))];
  return { required, optional: named.filter((key) => !wanted.includes(key)) };
}

/**
 * Hunyuan V4. Only required and named calls are constrained.
 * @param suffix what follows the name in the checkpoint's markers, its colon included; mostly empty
 */
export function hyV4(suffix: string): ToolGrammar {
  const open = (name: string): string => `<${name}${suffix}>`;
  const close = (name: string): string => `</${name}${suffix}>`;
  const pair = (key: string): Format =>
    sequence(
      constant(open('arg_key')),
      constant(key),
      constant(close('arg_key')),
      constant(open('arg_value')),
      anyText(),
      constant(close('arg_value')),
    );
  return (tools, mode) => {
    const tags = tools.map(({ name, parameters }) => {
      const { required, optional } = argumentKeys(parameters);
      const elements = [...required.map(pair), ...(optional.length > 0 ? [star(oneOf(optional.map(pair)))] : [])];
      return tag(`${open('tool_call')}${name}`, elements.length > 0 ? sequence(...elements) : anyText(), close('tool_call'));
    });
    return sequence(constant(open('tool_calls')), tagList(tags, '', mode === 'forced'), constant(close('tool_calls')));
  };
}
