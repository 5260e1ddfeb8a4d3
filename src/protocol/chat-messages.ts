import { z } from 'zod';
import { anyRecord, bool, isRecord, iterable, listOf, mapOf, nothing, nullable, oneOf, shape, text, union } from './typed-shape.ts';
import type { Match, Matcher } from './typed-shape.ts';

/** A message of a chat as it came in, `reasoning_content` renamed to `reasoning`. Members that nobody knows are kept. */
export interface ChatMessage {
  readonly role: string;
  readonly content?: string | null | readonly unknown[];
  readonly reasoning?: unknown;
  readonly tool_calls?: readonly unknown[] | null;
  readonly [member: string]: unknown;
}

/** The messages of a request. */
export interface ChatMessages {
  readonly list: readonly ChatMessage[];
  /**
   * What is wrong with the content parts of some message, or null. The reference looks at these parts only when it renders them,
   * so derendering accepts such a request.
   */
  readonly partsError: string | null;
}

const embeds = nullable(
  union(
    text,
    mapOf((value) => (typeof value === 'string' || Array.isArray(value) ? { fields: 0 } : { failedAt: [] })),
  ),
);
const uuid = nullable(text);
const url = shape({ url: text });

const textPart = shape({ text, type: oneOf('text') });
const refusalPart = shape({ refusal: text, type: oneOf('refusal') });
const openAiParts: readonly [Matcher, ...Matcher[]] = [
  textPart,
  shape({ image_url: shape({ url: text }, { detail: oneOf('auto', 'low', 'high') }), type: oneOf('image_url') }),
  shape({ input_audio: shape({ data: text, format: oneOf('wav', 'mp3') }), type: oneOf('input_audio') }),
  shape({ file: shape({}, { file_data: text, file_id: text, filename: text }), type: oneOf('file') }),
];
const promptEmbedsPart = shape({ data: text, type: oneOf('prompt_embeds') });
const anyPart = union(
  ...openAiParts,
  shape({ audio_url: url, type: oneOf('audio_url') }),
  shape({ video_url: url, type: oneOf('video_url') }),
  refusalPart,
  shape({}, { image_pil: nothing, uuid }),
  shape({}, { image_url: nullable(text), uuid }),
  shape({ type: oneOf('image_embeds') }, { image_embeds: embeds, uuid }),
  shape({ type: oneOf('audio_embeds') }, { audio_embeds: embeds, uuid }),
  shape({ type: oneOf('video_embeds') }, { video_embeds: embeds, audio_embeds: embeds, uuid }),
  promptEmbedsPart,
  shape({}, { audio_url: nullable(text) }),
  shape({}, { video_url: nullable(text), uuid }),
  shape({}, { name: text, type: oneOf('tool_reference') }),
  text,
  shape({ thinking: text, type: oneOf('thinking') }, { closed: bool }),
);

const calledFunction = shape({ arguments: text, name: text });
const functionCall = shape({ id: text, function: calledFunction, type: oneOf('function') });
const anyCall = union(functionCall, shape({ id: text, custom: shape({ input: text, name: text }), type: oneOf('custom') }));
const functionTool = shape(
  { function: shape({ name: text }, { description: text, parameters: anyRecord, strict: nullable(bool) }), type: oneOf('function') },
  {},
);

/** Any role, with the members that vLLM knows; parts are checked at once. */
const customMessage = shape(
  { role: text },
  {
    content: union(text, listOf(anyPart)),
    name: text,
    tool_call_id: nullable(text),
    tool_calls: nullable(listOf(functionCall)),
    reasoning: nullable(union(text, promptEmbedsPart)),
    tools: nullable(listOf(functionTool)),
    task: nullable(text),
  },
);

interface RoleForm {
  readonly message: Matcher;
  readonly part: Matcher;
}

const parts = union(text, iterable);
const developerMessage = shape({ content: parts, role: oneOf('developer') }, { name: text });
const instruction = (role: string): RoleForm => ({ message: shape({ content: parts, role: oneOf(role) }, { name: text }), part: textPart });

/** The forms of OpenAI's API by role; parts are checked when they are rendered. */
const ROLE_FORMS: ReadonlyMap<string, RoleForm> = new Map([
  ['developer', instruction('developer')],
  ['system', instruction('system')],
  ['user', { message: shape({ content: parts, role: oneOf('user') }, { name: text }), part: union(...openAiParts) }],
  [
    'assistant',
    {
      message: shape(
        { role: oneOf('assistant') },
        {
          audio: nullable(shape({ id: text })),
          content: nullable(parts),
          function_call: nullable(calledFunction),
          name: text,
          refusal: nullable(text),
          tool_calls: iterable,
        },
      ),
      part: union(textPart, refusalPart),
    },
  ],
  ['tool', { message: shape({ content: parts, role: oneOf('tool'), tool_call_id: text }), part: textPart }],
  ['function', { message: shape({ content: nullable(text), name: text, role: oneOf('function') }), part: textPart }],
]);

/** A call with its members in the order in which the reference keeps them. */
function orderedCall(call: unknown): unknown {
  if (!isRecord(call) || !isRecord(call['function'])) return call;
  const { id, function: called, type, ...extra } = call;
  const { arguments: given, name, ...more } = called;
  const known = Object.entries({ arguments: given, name }).filter(([, value]) => value !== undefined);
  return {
    ...(id === undefined ? {} : { id }),
    function: { ...Object.fromEntries(known), ...more },
    ...(type === undefined ? {} : { type }),
    ...extra,
  };
}

/** Calls given as anything that Python iterates become a list; `reasoning_content` is the older name of `reasoning`. */
function normalized(message: Record<string, unknown>): Record<string, unknown> {
  const { reasoning_content: older, ...rest } = message;
  const calls = rest['tool_calls'];
  if (typeof calls === 'string') rest['tool_calls'] = Array.from(calls);
  else if (Array.isArray(calls)) rest['tool_calls'] = calls.map(orderedCall);
  else if (isRecord(calls)) rest['tool_calls'] = Object.keys(calls);
  if (older !== undefined && older !== null && (rest['reasoning'] ?? null) === null) rest['reasoning'] = older;
  return rest;
}

function firstBadPart(content: unknown, part: Matcher): string | null {
  if (typeof content !== 'object' || content === null) return null;
  const items: readonly unknown[] = Array.isArray(content) ? content : Object.keys(content);
  for (const [index, item] of items.entries()) {
    const match = part(item);
    if ('failedAt' in match) return ['content', index, ...match.failedAt].map(String).join('.');
  }
  return null;
}

function describeFailure(match: Match): string {
  const at = 'failedAt' in match ? match.failedAt : [];
  return at.length === 0
    ? 'Input should be a valid message'
    : `Input has no form of a message: \`${at.map(String).join('.')}\` is missing or wrong`;
}

interface CheckedMessage {
  message: ChatMessage;
  badPart: string | null;
}

type Issue = (path: readonly PropertyKey[], message: string) => void;

function checkMessage(value: unknown, issue: Issue): CheckedMessage | undefined {
  if (!isRecord(value)) {
    issue([], 'Input should be a valid dictionary');
    return undefined;
  }
  const message = normalized(value);
  const custom = customMessage(message);
  const role = message['role'];
  const form = typeof role === 'string' ? ROLE_FORMS.get(role) : undefined;
  const plain = form?.message(message);
  const plainFits = plain !== undefined && 'fields' in plain;
  if ('failedAt' in custom && !plainFits) {
    // Like the reference, errors are told for the first of the forms, whatever the role.
    const first = developerMessage(message);
    issue('failedAt' in first ? first.failedAt : custom.failedAt, describeFailure(plain ?? custom));
    return undefined;
  }
  const lazy = plainFits && ('failedAt' in custom || custom.fields <= plain.fields);
  if (lazy && role === 'assistant' && Array.isArray(message['tool_calls'])) {
    const calls = listOf(anyCall)(message['tool_calls']);
    if ('failedAt' in calls) {
      issue(['tool_calls', ...calls.failedAt], 'Input should be a valid tool call');
      return undefined;
    }
  }
  const badPart = lazy && form ? firstBadPart(message['content'], form.part) : null;
  if (isRecord(message['content'])) message['content'] = Object.keys(message['content']);
  return { message: message as ChatMessage, badPart };
}

function readMessages(value: unknown, context: z.RefinementCtx): ChatMessages {
  if (!Array.isArray(value)) {
    context.addIssue({ code: 'custom', message: value === undefined ? 'Field required' : 'Input should be a valid list', input: value });
    return z.NEVER;
  }
  const list: ChatMessage[] = [];
  let partsError: string | null = null;
  for (const [index, item] of value.entries()) {
    const checked = checkMessage(item, (path, message) =>
      context.addIssue({ code: 'custom', message, input: item, path: [index, ...path] }),
    );
    if (checked === undefined) continue;
    list.push(checked.message);
    if (checked.badPart !== null)
      partsError ??= `messages.${index}.${checked.badPart}: this is no content part that a message of this role may have.`;
  }
  return { list, partsError };
}

const PART_SCHEMA = { anyOf: [{ type: 'string' }, { type: 'object', additionalProperties: true }] };

export const chatMessages: z.ZodType<ChatMessages> = z
  .unknown()
  .transform(readMessages)
  .meta({
    type: 'array',
    items: {
      type: 'object',
      required: ['role'],
      properties: {
        role: { type: 'string' },
        content: { anyOf: [{ type: 'string' }, { type: 'array', items: PART_SCHEMA }, { type: 'null' }] },
        name: { type: 'string' },
        tool_call_id: { anyOf: [{ type: 'string' }, { type: 'null' }] },
        tool_calls: { anyOf: [{ type: 'array', items: { type: 'object' } }, { type: 'null' }] },
        reasoning: { anyOf: [{ type: 'string' }, { type: 'object' }, { type: 'null' }] },
      },
      additionalProperties: true,
    },
  });
