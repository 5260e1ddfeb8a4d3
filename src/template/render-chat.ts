import { renderContinued } from './continue-final-message.ts';
import { TemplateError } from './errors.ts';
import { fromJs } from './from-js.ts';
import type { Rendered, RenderOptions, Template } from './template.ts';
import { Dict } from './values/dict.ts';
import { typeName } from './values/type-name.ts';
import { stringOf } from './values/compare.ts';
import { truthy } from './values/truth.ts';
import type { Value } from './values/value.ts';

/** What a chat template is given, by the names that it finds it under: plain data, or values of the template language. */
export interface ChatVariables {
  readonly messages: unknown;
  /** JSON schemas of the tools; None if left out. */
  readonly tools?: unknown;
  /** Documents with `title` and `text`; None if left out. */
  readonly documents?: unknown;
  readonly add_generation_prompt?: unknown;
  /** True, or the name of the last message's member to go on with; the template does not see it. */
  readonly continue_final_message?: unknown;
  readonly [name: string]: unknown;
}

function refuse(pythonType: string, message: string): TemplateError {
  return new TemplateError('runtime', message, undefined, pythonType);
}

function checkDicts(value: Value, message: string, pythonType: string): void {
  if (value === null) return;
  if (!Array.isArray(value)) throw refuse('TypeError', `'${typeName(value)}' is no list`);
  if (!value.every((item) => item instanceof Dict)) throw refuse(pythonType, message);
}

/**
 * Renders a conversation as transformers' `apply_chat_template` does: `tools` and `documents` are None where not given, `add_generation_prompt`
 * is False, and with `continue_final_message` the prompt ends where the last message does.
 *
 * @throws TemplateError where the template raises, breaks, or takes too much; or where the arguments do not fit together.
 */
export function renderChat(
  template: Template,
  variables: ChatVariables | ReadonlyMap<string, unknown> | Dict,
  options: RenderOptions = {},
): Rendered {
  const values = valuesOf(variables);
  checkDicts(values.get('tools') as Value, 'Tools should be JSON schemas', 'ValueError');
  checkDicts(values.get('documents') as Value, "Documents should be a list of dicts with 'title' and 'text' keys!", 'TypeError');
  const continued = values.get('continue_final_message') as Value;
  values.delete('continue_final_message');
  if (!truthy(continued)) return template.render(values, options);
  if (truthy(values.get('add_generation_prompt') as Value)) {
    throw refuse(
      'ValueError',
      'continue_final_message and add_generation_prompt are not compatible. Use continue_final_message when you want the model to continue the final message, and add_generation_prompt when you want to add a header that will prompt it to start a new assistant message instead.',
    );
  }
  const messages = values.get('messages') as Value;
  if (!Array.isArray(messages)) throw refuse('TypeError', 'messages must be a list');
  const field = stringOf(continued) ?? 'content';
  const text = renderContinued(
    messages,
    field,
    template.source,
    (marked) => template.render(new Map(values).set('messages', marked), options).text,
  );
  return { text, generationRanges: [] };
}

function valuesOf(variables: ChatVariables | ReadonlyMap<string, unknown> | Dict): Map<string, Value> {
  const entries =
    variables instanceof Dict
      ? (variables.entries() as [string, Value][])
      : variables instanceof Map
        ? variables
        : Object.entries(variables);
  const values = new Map<string, Value>([
    ['tools', null],
    ['documents', null],
    ['add_generation_prompt', false],
    ['continue_final_message', false],
  ]);
  for (const [name, value] of entries) values.set(name as string, fromJs(value));
  return values;
}
