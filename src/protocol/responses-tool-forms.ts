import { anyRecord, bool, listOf, type Match, type Matcher, nullable, oneOf, shape, text, union } from './typed-shape.ts';

const FREE: Matcher = shape({});
const webSearch: Matcher = shape({}, { filters: nullable(anyRecord), user_location: nullable(anyRecord) });
const integer: Matcher = (value) => (Number.isInteger(value) ? { fields: 0 } : { failedAt: [] });

const functionTool: Matcher = shape(
  { name: text },
  { parameters: nullable(anyRecord), strict: nullable(bool), description: nullable(text), output_schema: nullable(anyRecord) },
);
const customTool: Matcher = shape(
  { name: text },
  {
    description: nullable(text),
    format: nullable(
      union(shape({ type: oneOf('text') }), shape({ type: oneOf('grammar'), definition: text, syntax: oneOf('lark', 'regex') })),
    ),
  },
);

/** A tool inside a namespace. */
const innerTool: Matcher = (value) => {
  const asFunction = shape({ type: oneOf('function'), name: text }, { description: nullable(text), strict: nullable(bool) })(value);
  return 'fields' in asFunction || 'failedAt' in shape({ type: oneOf('custom') })(value) ? asFunction : customTool(value);
};

/** The form of each type of tool that the Responses API knows: the members that it must have, and what its others may be. */
const TOOL_FORMS: Readonly<Record<string, Matcher>> = {
  apply_patch: FREE,
  code_interpreter: shape({ container: union(text, shape({ type: oneOf('auto') })) }),
  computer: FREE,
  computer_use_preview: shape({
    display_height: integer,
    display_width: integer,
    environment: oneOf('windows', 'mac', 'linux', 'ubuntu', 'browser'),
  }),
  custom: customTool,
  file_search: shape({ vector_store_ids: listOf(text) }),
  function: functionTool,
  image_generation: FREE,
  local_shell: FREE,
  mcp: shape({ server_label: text }, { server_url: nullable(text), server_description: nullable(text), headers: nullable(anyRecord) }),
  namespace: shape({ name: text, description: text, tools: listOf(innerTool) }),
  programmatic_tool_calling: FREE,
  shell: shape({}, { environment: nullable(anyRecord) }),
  tool_search: shape({}, { description: nullable(text), execution: nullable(oneOf('server', 'client')) }),
  web_search: webSearch,
  web_search_2025_08_26: webSearch,
  web_search_preview: webSearch,
  web_search_preview_2025_03_11: webSearch,
};

/** Matches a tool of a Responses request against the form of its type; one of no known type is told as a function would be. */
export function matchTool(tool: unknown): Match {
  const type = typeof tool === 'object' && tool !== null && 'type' in tool ? tool.type : undefined;
  if (typeof type === 'string' && Object.hasOwn(TOOL_FORMS, type)) return (TOOL_FORMS[type] as Matcher)(tool);
  const match = shape({ name: text })(tool);
  return 'failedAt' in match ? match : { failedAt: ['type'] };
}
