import { z } from 'zod';
import { responseTemplateSchema } from '../response-template/template.ts';
import type { Declaration, DeclaredCalls, DeclaredReasoning } from './declaration.ts';

const text = z.string().min(1);
const texts = z.union([text, z.array(text).min(1)], { error: 'must be a text or a list of texts' });
const list = texts.transform((value) => (typeof value === 'string' ? [value] : value));
const pair = { open: text, close: text };
const contentOrDropped = z.enum(['content', 'dropped']);
const no = z.boolean().default(false);

const keys = z
  .strictObject({ name: text.default('name'), arguments: list.default(['arguments']) })
  .default({ name: 'name', arguments: ['arguments'] });

const common = { forced_choice: z.enum(['json', 'markup']).default('markup') };

const json = z.strictObject({
  ...common,
  payload: z.literal('json'),
  ...pair,
  keys,
  arguments: z.enum(['streamed', 'whole']).default('streamed'),
  quoted_arguments: no,
  text_behind: contentOrDropped.default('content'),
});

const jsonList = z.strictObject({
  ...common,
  payload: z.literal('json_list'),
  open: text,
  close: text.optional(),
  keys,
  glued: no,
  text_behind: contentOrDropped.default('content'),
  empty_deltas: no,
});

const marked = {
  ...common,
  section: z.strictObject({ ...pair, optional: no, ends_turn: no }).optional(),
  wrapper: z.strictObject(pair).optional(),
  known_functions_only: no,
  cut_name: z.enum(['call', 'dropped']).default('dropped'),
  text_between: contentOrDropped.default('content'),
  blank_around_calls: contentOrDropped.default('dropped'),
  strips_content: z.boolean().default(true),
};

const nameJson = z.strictObject({
  ...marked,
  payload: z.literal('name_json'),
  call: z.strictObject({ open: list, name_end: list, close: text }),
  header: z.enum(['name', 'function_id']).default('name'),
  arguments: z.enum(['typed', 'as_written']).default('typed'),
});

const tag = text.startsWith('<', 'must begin with "<"');

const parameters = z.strictObject({
  ...marked,
  payload: z.literal('parameters'),
  call: z.strictObject({ open: list, name_end: list.default(['>']), close: text }),
  parameter: z.strictObject({ open: tag, close: tag, quoted_name: no }),
  values: z.enum(['lines', 'verbatim']).default('lines'),
});

const pairs = z.strictObject({
  ...marked,
  payload: z.literal('pairs'),
  call: z.strictObject({ open: list, close: text }),
  key: z.strictObject(pair),
  value: z.strictObject(pair),
});

const python = z
  .strictObject({
    ...common,
    payload: z.literal('python'),
    open: text.optional(),
    close: text.optional(),
    alone: z.boolean().optional(),
    text_behind: contentOrDropped.default('content'),
    drops_echo: no,
    mends_quotes: no,
  })
  .transform((calls) => ({ ...calls, alone: calls.alone ?? calls.open === undefined }));

type Report = (path: string[], message: string) => void;

function checkCalls(calls: DeclaredCalls, report: Report): void {
  if (calls.payload === 'python' && !calls.alone && (calls.open === undefined || calls.close === undefined)) {
    report([calls.open === undefined ? 'open' : 'close'], 'is missing: a list inside of text stands between two markers');
  }
  if ('section' in calls && calls.section && calls.wrapper) report(['wrapper'], 'cannot stand beside section');
  if (calls.payload !== 'name_json' || calls.arguments !== 'as_written') return;
  if (!calls.section) report(['section'], 'is missing: arguments as written are only read in one');
  if (calls.call.open.length > 1) report(['call', 'open'], 'must be one text where arguments are given as written');
  if (calls.call.name_end.length > 1) report(['call', 'name_end'], 'must be one text where arguments are given as written');
}

const toolCalls: z.ZodType<DeclaredCalls> = z
  .discriminatedUnion('payload', [json, jsonList, nameJson, parameters, pairs, python])
  .superRefine((calls, context) => checkCalls(calls, (path, message) => context.addIssue({ code: 'custom', path, message })));

const reasoning: z.ZodType<DeclaredReasoning> = z
  .strictObject({
    ...pair,
    tokens_only: no,
    ends_at: list.default([]),
    begins: z.enum(['reasoning', 'content']).default('reasoning'),
    thinking: z.strictObject({ switches: list, default: z.enum(['on', 'off']).default('on') }).optional(),
    markers_when_off: z.enum(['hidden', 'text']).default('hidden'),
    reopens: no,
    strips_end: no,
    drops_newlines_behind: no,
    turn_tokens: z.array(text).default([]),
  })
  .refine(({ open, close }) => open !== close, { path: ['close'], message: 'must differ from open' });

/** Reads what a format's file declares. */
export const declarationSchema: z.ZodType<Declaration> = z
  .strictObject({
    name: z.string().regex(/^[\w.-]+$/, 'must be letters, digits, ".", "_" and "-"'),
    models: z.string().default(''),
    sample: z.string().default(''),
    tool_calls: toolCalls.optional(),
    reasoning: reasoning.optional(),
    response_template: responseTemplateSchema.optional(),
  })
  .superRefine((declaration, context) => {
    const { tool_calls: calls, reasoning: thoughts, response_template: template } = declaration;
    const message = template
      ? 'cannot stand beside tool_calls or reasoning: it describes both'
      : 'are both missing: at least one of them must be there';
    const path = template ? ['response_template'] : ['tool_calls and reasoning'];
    if (template ? calls || thoughts : !calls && !thoughts) context.addIssue({ code: 'custom', path, message });
  });
