import { badRequest } from '../../../core/errors.ts';
import { dumps } from '../../../core/python-json.ts';
import type { JsonObject } from '../../chat-encoder.ts';
import { isObject, member, toPython } from '../json-value.ts';
import { isSchema } from './json-schema-check.ts';
import { checkFunctionName } from './validate.ts';

function definition(tool: JsonObject): Map<string, unknown> {
  const fn = member(tool, 'function');
  const name = member(fn, 'name');
  const description = member(fn, 'description') ?? '';
  const parameters = member(fn, 'parameters') ?? {};
  if (typeof name !== 'string' || typeof description !== 'string' || !isObject(parameters)) {
    throw badRequest('A tool must have a function with a name, a description that is text, and parameters that are an object.');
  }
  if (!isSchema(parameters)) throw badRequest(`The parameters of the function ${JSON.stringify(name)} are not a valid JSON schema.`);
  checkFunctionName(name);
  return new Map<string, unknown>([
    ['name', name],
    ['description', description],
    ['parameters', parameters],
  ]);
}

/**
 * Tools as the prompt has them, or null where there are none.
 * @throws ApiError (400) for names that Mistral does not allow and for parameters that are no JSON schema (draft 7)
 */
export function toolsJson(tools: readonly JsonObject[] | null): string | null {
  if (tools === null || tools.length === 0) return null;
  return dumps(
    toPython(
      tools.map(
        (tool) =>
          new Map<string, unknown>([
            ['type', 'function'],
            ['function', definition(tool)],
          ]),
      ),
    ),
  );
}
