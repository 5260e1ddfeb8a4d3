import { badRequest } from '../../../core/errors.ts';
import type { JsonObject } from '../../chat-encoder.ts';
import { items, member, textOf, toPython, truthy } from '../json-value.ts';
import { rustJson, type RustJsonStyle } from '../rust-json.ts';

/** Turns of a chat as Cohere's prompts have them; calls are numbered through, results name the number of their call. */

export type Turn =
  | { readonly role: 'system' | 'user'; readonly texts: readonly string[] }
  /** `plan` is what is said before calls; null where the message has no content at all. */
  | { readonly role: 'chatbot'; readonly thinking: string; readonly texts: readonly string[] }
  | { readonly role: 'calls'; readonly plan: string | null; readonly calls: readonly string[] }
  | { readonly role: 'results'; readonly results: ReadonlyMap<number, readonly string[]> };

const SPACED: RustJsonStyle = { itemSeparator: ', ', keySeparator: ': ', plusInExponent: false, refusesBigIntegers: true };
const ARGUMENTS: RustJsonStyle = { ...SPACED, refusesBigIntegers: false };
const ROLES = new Map([
  ['system', 'system'],
  ['developer', 'system'],
  ['user', 'user'],
  ['assistant', 'chatbot'],
  ['chatbot', 'chatbot'],
  ['tool', 'tool'],
] as const);

/**
 * JSON of a tool or document.
 * @throws ApiError (400) for integers beyond 64 bits
 */
export function spacedJson(value: unknown): string {
  return rustJson(toPython(value), SPACED);
}

function roleOf(role: unknown): 'system' | 'user' | 'chatbot' | 'tool' {
  const known = [...ROLES].find(([name]) => name === textOf(role).toLowerCase());
  if (known === undefined) throw badRequest(`The role ${JSON.stringify(role)} is not known to this model.`);
  return known[1];
}

function blockTexts(content: unknown): string[] {
  if (typeof content === 'string') return [content];
  return items(content).map((part) => (typeof part === 'string' ? part : textOf(member(part, 'text')) || textOf(member(part, 'name'))));
}

/** Numbers of tool calls in the order in which their ids are first seen. */
class CallNumbers {
  private readonly numbers = new Map<string, number>();
  private readonly first: number;

  /** @param first the number of the first call */
  constructor(first: number) {
    this.first = first;
  }

  has(id: string): boolean {
    return this.numbers.has(id);
  }

  of(id: string): number {
    const known = this.numbers.get(id);
    if (known !== undefined) return known;
    const next = this.first + this.numbers.size;
    this.numbers.set(id, next);
    return next;
  }
}

class TurnReader {
  private readonly numbers: CallNumbers;
  private readonly called = new Set<string>();
  private readonly answered = new Set<string>();
  readonly turns: Turn[] = [];
  private open: Map<number, string[]> | null = null;

  constructor(firstCall: number) {
    this.numbers = new CallNumbers(firstCall);
  }

  add(message: JsonObject): void {
    const role = roleOf(message['role']);
    if (role === 'tool') {
      this.addResult(message);
      return;
    }
    this.open = null;
    const texts = blockTexts(message['content']);
    if (role !== 'chatbot') {
      this.turns.push({ role, texts });
      return;
    }
    const reasoning = textOf(message['reasoning']) || textOf(message['reasoning_content']);
    const calls = items(message['tool_calls']).map((call) => this.callText(call));
    if (calls.length > 0) this.turns.push({ role: 'calls', plan: reasoning || (texts[0] ?? null), calls });
    else this.turns.push({ role, thinking: reasoning, texts });
  }

  private callText(call: unknown): string {
    const id = textOf(member(call, 'id'));
    if (id === '') throw badRequest('A tool call must have an id.');
    if (this.called.has(id)) throw badRequest(`Two tool calls have the id ${JSON.stringify(id)}.`);
    this.called.add(id);
    const called = member(call, 'function');
    const name = JSON.stringify(textOf(member(called, 'name')));
    const args = rustJson(toPython(member(called, 'arguments') ?? {}), ARGUMENTS);
    return `    {"tool_call_id": "${this.numbers.of(id)}", "tool_name": ${name}, "parameters": ${args}}`;
  }

  /** Results of one call in neighbouring messages are one result; a call answered before cannot be answered again. */
  private addResult(message: JsonObject): void {
    const id = textOf(message['tool_call_id']);
    if (id === '') throw badRequest('A tool message must have a tool_call_id.');
    if (this.open === null) {
      this.open = new Map();
      this.turns.push({ role: 'results', results: this.open });
    }
    const number = this.numbers.of(id);
    const texts = blockTexts(message['content']).map((text) => spacedJson({ content: text }));
    const earlier = this.open.get(number);
    if (earlier !== undefined) earlier.push(...texts);
    else if (this.answered.has(id)) throw badRequest(`The tool call ${JSON.stringify(id)} is answered twice.`);
    else this.open.set(number, texts);
    this.answered.add(id);
  }
}

/**
 * @param hasDocuments whether the documents take the first call's number
 * @throws ApiError (400) for unknown roles, and for calls and results that do not fit
 */
export function readTurns(conversation: readonly JsonObject[], hasDocuments: boolean): Turn[] {
  const reader = new TurnReader(hasDocuments ? 1 : 0);
  for (const message of conversation) reader.add(message);
  return reader.turns;
}

/** `<|START_ACTION|>` … of calls. */
export function actionText(calls: readonly string[]): string {
  return `<|START_ACTION|>[\n${calls.join(',\n')}\n]<|END_ACTION|>`;
}

/** `<|START_TOOL_RESULT|>` … of the results of calls. */
export function resultsText(results: ReadonlyMap<number, readonly string[]>): string {
  const texts = Array.from(results, ([number, values]) => {
    const lines = values.map((value, index) => `\n            "${index}": ${value}`);
    return `    {\n        "tool_call_id": "${number}",\n        "results": {${lines.join(',')}\n        },\n        "is_error": null\n    }`;
  });
  return `<|START_TOOL_RESULT|>[\n${texts.join(',\n')}\n]<|END_TOOL_RESULT|>`;
}

/** A turn with its delimiters. */
export function turnText(role: 'USER' | 'CHATBOT' | 'SYSTEM', text: string): string {
  return `<|START_OF_TURN_TOKEN|><|${role}_TOKEN|>${text}<|END_OF_TURN_TOKEN|>`;
}

/** The turns that show documents as the result of a call; they follow the first user turn. */
export function documentTurns(documents: readonly string[], showsThinking: boolean): string {
  const thinking = showsThinking ? '<|START_THINKING|>I will look through the document to address the users needs.<|END_THINKING|>' : '';
  const call = '    {"tool_call_id": "0", "tool_name": "direct-injected-document", "parameters": {}}';
  return turnText('CHATBOT', thinking + actionText([call])) + turnText('SYSTEM', resultsText(new Map([[0, documents]])));
}

/** Tools as lines of a JSON list, the documents' own tool first. */
export function toolLines(tools: readonly unknown[], hasDocuments: boolean): string[] {
  const lines = tools.map((tool) => {
    const definition = typeof member(tool, 'function') === 'object' && member(tool, 'function') !== null ? member(tool, 'function') : tool;
    const name = JSON.stringify(textOf(member(definition, 'name')));
    const description = JSON.stringify(textOf(member(definition, 'description')));
    const parameters = truthy(member(definition, 'parameters')) ? member(definition, 'parameters') : {};
    return `    {"name": ${name}, "description": ${description}, "parameters": ${spacedJson(parameters)}, "responses": null}`;
  });
  return hasDocuments ? [DOCUMENT_TOOL, ...lines] : lines;
}

const DOCUMENT_TOOL =
  '    {"name": "direct-injected-document", "description": "This is a special tool to directly inject user-uploaded documents into the chat as additional context. DO NOT use this tool by yourself!", "parameters": {"type": "object", "properties": {}, "required": []}, "responses": {"200": {"description": "Successfully returned a list of chunked text snippets from the directly uploaded documents.", "content": {"application/json": {"schema": {"type": "array", "items": {"type": "object", "required": ["url", "snippet"], "properties": {"url": {"type": "string", "description": "The url of the uploaded document."}, "snippet": {"type": "string", "description": "The text snippet for the returned document chunk."}}}}}}}}}';

export const GROUNDING =
  'Grounding means you associate pieces of texts (called "spans") with those specific tool results that support them (called "sources"). And you use a pair of tags "<co>" and "</co>" to indicate when a span can be grounded onto a list of sources, listing them out in the closing tag. Sources from the same tool call are grouped together and listed as "{tool_call_id}:[{list of result indices}]", before they are joined together by ",". E.g., "<co>span</co: 0:[1,2],1:[0]>" means that "span" is supported by result 1 and 2 from "tool_call_id=0" as well as result 0 from "tool_call_id=1".';

/** What asks for JSON; `schema` is empty or JSON. */
export function jsonModeText(schema: string): string {
  const text =
    'When generating JSON objects, do not generate block markers. Generate an object directly without prefixing with ```json. Return only the JSON and nothing else.';
  return schema === '' ? text : `${text}\nYour output should adhere to the following json schema:\n${schema}`;
}
