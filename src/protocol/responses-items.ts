import { z } from 'zod';
import { OTHER_ITEMS } from './responses-other-items.ts';
import { isRecord, type Matcher } from './typed-shape.ts';

/** An input item of a Responses request, its parts checked as far as it can be rendered. */
export type ResponsesItem = Readonly<Record<string, unknown>>;

const isText = (value: unknown): value is string => typeof value === 'string';
const isTextOrNothing = (value: unknown): boolean => (value ?? null) === null || isText(value);
const isTextIfThere = (value: unknown): boolean => value === undefined || isText(value);

const ROLES: ReadonlySet<unknown> = new Set(['user', 'assistant', 'system', 'developer']);
const STATUSES: ReadonlySet<unknown> = new Set(['in_progress', 'completed', 'incomplete']);

function isInputPart(part: unknown): boolean {
  if (!isRecord(part)) return false;
  if (part['type'] === 'input_text') return isText(part['text']);
  if (part['type'] === 'input_image') return isTextOrNothing(part['image_url']) && isTextOrNothing(part['file_id']);
  return part['type'] === 'input_file';
}

function isOutputPart(part: unknown): boolean {
  if (!isRecord(part)) return false;
  return part['type'] === 'output_text' ? isText(part['text']) : part['type'] === 'refusal' && isText(part['refusal']);
}

/** An answer of the model, as the API gave it out: parts of output, and a status. */
export function isOutputMessage(item: ResponsesItem): boolean {
  const { content } = item;
  const known = item['type'] === 'message' && item['role'] === 'assistant' && STATUSES.has(item['status'] ?? 'completed');
  return known && Array.isArray(content) && content.every(isOutputPart);
}

function isMessage(item: ResponsesItem): boolean {
  if (!ROLES.has(item['role']) || (item['type'] ?? 'message') !== 'message') return false;
  const { content } = item;
  return isText(content) || isOutputMessage(item) || (Array.isArray(content) && content.every(isInputPart));
}

function isToolOutput(output: unknown): boolean {
  return isText(output) || (Array.isArray(output) && output.every(isInputPart));
}

function isReasoning({ id, summary, content }: ResponsesItem): boolean {
  const areTexts = (parts: unknown): boolean => Array.isArray(parts) && parts.every((part) => isRecord(part) && isText(part['text']));
  return isTextIfThere(id) && areTexts(summary) && ((content ?? null) === null || areTexts(content));
}

function isOtherItem(item: ResponsesItem): boolean {
  const { type } = item;
  return isText(type) && Object.hasOwn(OTHER_ITEMS, type) && 'fields' in (OTHER_ITEMS[type] as Matcher)(item);
}

function isItem(item: unknown): item is ResponsesItem {
  if (!isRecord(item)) return false;
  switch (item['type']) {
    case 'function_call':
      return isText(item['call_id']) && isText(item['name']) && isText(item['arguments']) && isTextIfThere(item['namespace']);
    case 'custom_tool_call':
      return isText(item['call_id']) && isText(item['name']) && isText(item['input']);
    case 'function_call_output':
      return isTextOrNothing(item['call_id']) && isToolOutput(item['output']);
    case 'custom_tool_call_output':
      return isText(item['call_id']) && isToolOutput(item['output']);
    case 'reasoning':
      return isReasoning(item);
    default:
      return isOtherItem(item) || isMessage(item) || (!('role' in item) && (item['type'] ?? null) === null && isText(item['id']));
  }
}

/** `input` of a Responses request. Which of an item's many forms was meant cannot be told, so an error names `input` only. */
export const responsesInput: z.ZodType<string | ResponsesItem[]> = z
  .unknown()
  .transform((value, context): string | ResponsesItem[] => {
    if (isText(value)) return value;
    const issue = (message: string): never => {
      context.addIssue({ code: 'custom', message, input: value });
      return z.NEVER;
    };
    if (!Array.isArray(value)) return issue(value === undefined ? 'Field required' : 'Input should be a text or a list of items');
    const wrong = value.findIndex((item) => !isItem(item));
    return wrong < 0 ? (value as ResponsesItem[]) : issue(`Item ${wrong} has no form that an item of its type may have`);
  })
  .meta({ anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'object' } }] });
