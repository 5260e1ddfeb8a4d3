import { ApiError } from '../../../core/errors.ts';
import { member, textOf } from '../json-value.ts';
import type { HarmonyMessage } from './message.ts';
import { typescriptType } from './typescript-types.ts';

/** The system and developer messages with which every Harmony conversation begins. */

const EFFORTS = new Set(['low', 'medium', 'high']);

/** A function as Harmony declares it. `parameters` is a JSON schema, or null for a function without arguments. */
export interface FunctionDeclaration {
  readonly name: string;
  readonly description: string;
  readonly parameters: unknown;
}

/** The declaration in a chat tool's `function`, or in a Responses tool itself. */
export function functionDeclaration(definition: unknown): FunctionDeclaration {
  return {
    name: textOf(member(definition, 'name')),
    description: textOf(member(definition, 'description')),
    parameters: member(definition, 'parameters') ?? null,
  };
}

function dateText(date: Date): string {
  const digits = (value: number, width: number): string => String(value).padStart(width, '0');
  return `${digits(date.getFullYear(), 4)}-${digits(date.getMonth() + 1, 2)}-${digits(date.getDate(), 2)}`;
}

/**
 * @param hasFunctions whether any developer message declares functions
 * @throws ApiError (400, param `reasoning_effort`) for an effort that gpt-oss does not have
 */
export function systemMessage(reasoningEffort: string | null, today: Date, hasFunctions: boolean): HarmonyMessage {
  if (reasoningEffort !== null && !EFFORTS.has(reasoningEffort)) {
    const message = `This model has no reasoning effort ${JSON.stringify(reasoningEffort)}; it has ${[...EFFORTS].join(', ')}.`;
    throw new ApiError(400, 'BadRequestError', message, 'reasoning_effort');
  }
  const functionsLine = hasFunctions ? "\nCalls to these tools must go to the commentary channel: 'functions'." : '';
  const text = `You are ChatGPT, a large language model trained by OpenAI.
Knowledge cutoff: 2024-06
Current date: ${dateText(today)}

Reasoning: ${reasoningEffort ?? 'medium'}

# Valid channels: analysis, commentary, final. Channel must be included for every message.${functionsLine}`;
  return { role: 'system', contents: [text] };
}

function commentLines(text: string): string {
  const lines = text.split('\n').map((line) => `// ${line.replace(/\r$/, '')}\n`);
  if (text === '' || text.endsWith('\n')) lines.pop();
  return lines.join('');
}

function declarationText({ name, description, parameters }: FunctionDeclaration): string {
  const argument = parameters === null ? '' : `_: ${typescriptType(parameters, '')}`;
  return `${commentLines(description)}type ${name} = (${argument}) => any;\n\n`;
}

/** Instructions and functions for the model; null instructions are not mentioned, empty ones are. */
export function developerMessage(instructions: string | null, functions: readonly FunctionDeclaration[]): HarmonyMessage {
  const sections: string[] = [];
  if (instructions !== null) sections.push('# Instructions', instructions);
  if (functions.length > 0) {
    sections.push('# Tools', `## functions\n\nnamespace functions {\n\n${functions.map(declarationText).join('')}} // namespace functions`);
  }
  return { role: 'developer', contents: [sections.join('\n\n')] };
}
