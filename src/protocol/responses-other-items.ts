import { anyRecord, bool, iterable, type Matcher, nullable, oneOf, shape, text } from './typed-shape.ts';

const status = oneOf('in_progress', 'completed', 'incomplete');
const searchStatus = oneOf('in_progress', 'searching', 'completed', 'incomplete', 'failed');
const anything: Matcher = () => ({ fields: 0 });
const developer = oneOf('developer');

/**
 * Items that the Responses API knows but no prompt can show, with the members that each must have. They are refused when they are
 * rendered; one that is not even of its type's form is refused as any wrong body.
 */
export const OTHER_ITEMS: Readonly<Record<string, Matcher>> = {
  additional_tools: shape({ role: developer, tools: iterable }, { id: nullable(text) }),
  apply_patch_call: shape({ call_id: text, operation: anyRecord, status: oneOf('in_progress', 'completed') }),
  apply_patch_call_output: shape({ call_id: text, status: oneOf('completed', 'failed') }, { output: nullable(text) }),
  code_interpreter_call: shape({
    id: text,
    code: nullable(text),
    container_id: text,
    outputs: nullable(iterable),
    status: oneOf('in_progress', 'completed', 'incomplete', 'interpreting', 'failed'),
  }),
  compaction: shape({ encrypted_content: text }, { id: nullable(text) }),
  compaction_trigger: shape({}, { id: nullable(text) }),
  computer_call: shape({ id: text, call_id: text, pending_safety_checks: iterable, status }),
  computer_call_output: shape({ call_id: text, output: anyRecord }, { id: nullable(text), status: nullable(status) }),
  configuration_update: shape({}, { id: nullable(text), reasoning: anyRecord, text: anyRecord }),
  file_search_call: shape({ id: text, queries: iterable, status: searchStatus }, { results: nullable(iterable) }),
  image_generation_call: shape({
    id: text,
    result: nullable(text),
    status: oneOf('in_progress', 'completed', 'generating', 'failed'),
  }),
  item_reference: shape({ id: text }),
  local_shell_call: shape({ id: text, action: anyRecord, call_id: text, status }),
  local_shell_call_output: shape({ id: text, output: text }, { status: nullable(status) }),
  mcp_approval_request: shape({ id: text, arguments: text, name: text, server_label: text }),
  mcp_approval_response: shape({ approval_request_id: text, approve: bool }, { id: nullable(text), reason: nullable(text) }),
  mcp_call: shape({ id: text, arguments: text, name: text, server_label: text }, { output: nullable(text) }),
  mcp_list_tools: shape({ id: text, server_label: text, tools: iterable }, { error: nullable(text) }),
  program: shape({ id: text, call_id: text, code: text, fingerprint: text }),
  program_output: shape({ id: text, call_id: text, result: text, status: oneOf('completed', 'incomplete') }),
  shell_call: shape({ action: anyRecord, call_id: text }, { id: nullable(text), status: nullable(status) }),
  shell_call_output: shape({ call_id: text, output: iterable }, { id: nullable(text), status: nullable(status) }),
  tool_search_call: shape({ arguments: anything }, { id: nullable(text), call_id: nullable(text), status: nullable(status) }),
  tool_search_output: shape({ tools: iterable }, { id: nullable(text), call_id: nullable(text), status: nullable(status) }),
  web_search_call: shape({ id: text, action: anyRecord, status: searchStatus }),
};
