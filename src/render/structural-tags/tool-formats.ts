import { constant, jsonSchema, regex, sequence, tag, tagList, triggered } from './formats.ts';
import type { Format, Schema, SchemaStyle, Tag } from './formats.ts';

/** A tool as grammars see it. */
export interface GrammarTool {
  readonly name: string;
  /** Schema of the arguments; true where they are free: none was given, or the tool is not strict. */
  readonly schema: Schema;
  /** The schema as given, whether the tool is strict or not; null where there is none. */
  readonly parameters: unknown;
  readonly strict: boolean;
}

/** `auto`: text or calls; `required`: calls only; `forced`: one call of the one tool there is. */
export type CallMode = 'auto' | 'required' | 'forced';

/** Writes the format of an answer that calls some of the tools. There is at least one, exactly one where `forced`. */
export type ToolGrammar = (tools: readonly GrammarTool[], mode: CallMode) => Format;

const THINK = ['<think>', '</think>'];

type CallTag = (tool: GrammarTool) => Tag;

function styledCall(begin: (name: string) => string, end: string, style: SchemaStyle = 'json'): CallTag {
  return (tool) => tag(begin(tool.name), jsonSchema(tool.schema, style), end);
}

function first(tags: readonly Tag[]): Tag {
  return tags[0] as Tag;
}

/** Calls stand by themselves in the text; the trigger is their common beginning. */
function freeCalls(call: CallTag, trigger: string, excludes: readonly string[] = THINK): ToolGrammar {
  return (tools, mode) => {
    const tags = tools.map(call);
    return mode === 'forced' ? first(tags) : triggered(trigger, tags, { atLeastOne: mode === 'required', excludes });
  };
}

/** Hermes and its kin: a call may stand on one line or on three. */
function jsonInTags(name: string): ToolGrammar {
  const open = `<${name}>`;
  const close = `</${name}>`;
  const lines: CallTag = styledCall((tool) => `${open}\n{"name": "${tool}", "arguments": `, `}\n${close}`);
  const line: CallTag = styledCall((tool) => `${open}{"name": "${tool}", "arguments": `, `}${close}`);
  return (tools, mode) => {
    const tags = tools.flatMap((tool) => [lines(tool), line(tool)]);
    return mode === 'auto' ? triggered(open, tags) : tagList(tags, '', mode === 'forced');
  };
}

/** DeepSeek V3 and V3.1: one section holds all calls. */
function deepseekSection(call: CallTag, separator: string): ToolGrammar {
  const open = '<｜tool▁calls▁begin｜>';
  const close = '<｜tool▁calls▁end｜>';
  return (tools, mode) => {
    const tags = tools.map(call);
    if (mode === 'forced') {
      const { begin, content, end } = first(tags);
      return tag(`${open}${String(begin)}`, content as Format, `${String(end)}${close}`);
    }
    const section = tag(open, tagList(tags, separator), close);
    return mode === 'auto' ? triggered(open, [section], { excludes: THINK }) : section;
  };
}

interface BlockStyle {
  /** The block's first tag without its line end: what begins it in free text. */
  readonly trigger: string;
  readonly close: string;
  /** What stands before the block where the answer is nothing but calls. */
  readonly before: string;
  readonly call: CallTag;
  /** Whether a forced call is written as a list of one. */
  readonly forcedAsList: boolean;
}

/** XML-like blocks: a line that opens, calls, a line that closes. */
function xmlBlock({ trigger, close, before, call, forcedAsList }: BlockStyle): ToolGrammar {
  const open = `${trigger}\n`;
  return (tools, mode) => {
    const tags = tools.map(call);
    if (mode === 'auto') return triggered(trigger, [tag(open, tagList(tags), close)], { excludes: THINK });
    const calls = mode === 'required' || forcedAsList ? tagList(tags, '', mode === 'forced') : first(tags);
    return sequence(constant(`${before}${open}`), calls, constant(close));
  };
}

function dsml(block: string, space: string, style: SchemaStyle): ToolGrammar {
  const call = styledCall((name) => `<｜DSML｜${space}invoke name="${name}">\n`, `</｜DSML｜${space}invoke>\n`, style);
  return xmlBlock({ trigger: `<｜DSML｜${block}>`, close: `</｜DSML｜${block}>`, before: '\n\n', call, forcedAsList: false });
}

const KIMI_OPEN = '<|tool_calls_section_begin|>';
const KIMI_CLOSE = '<|tool_calls_section_end|>';
const KIMI_CALL = '<|tool_call_begin|>';

const kimi: ToolGrammar = (tools, mode) => {
  const tags = tools.map(({ name, schema }) => {
    const content = sequence(regex('\\d+'), constant('<|tool_call_argument_begin|>'), jsonSchema(schema));
    return tag(`${KIMI_CALL}functions.${name}:`, content, '<|tool_call_end|>');
  });
  if (mode === 'auto') return triggered(KIMI_OPEN, [tag(KIMI_OPEN, tagList(tags), KIMI_CLOSE)], { excludes: [...THINK, KIMI_CALL] });
  return sequence(constant(KIMI_OPEN), mode === 'forced' ? first(tags) : tagList(tags), constant(KIMI_CLOSE));
};

const PLAMO_OPEN = '<|plamo:begin_tool_requests:plamo|>';
const PLAMO_CLOSE = '<|plamo:end_tool_requests:plamo|>';

const plamo3: ToolGrammar = (tools, mode) => {
  const call = styledCall(
    (name) =>
      `<|plamo:begin_tool_request:plamo|><|plamo:begin_tool_name:plamo|>${name}<|plamo:end_tool_name:plamo|>` +
      '<|plamo:begin_tool_arguments:plamo|><|plamo:constrain|>json<|plamo:msg|>',
    '<|plamo:end_tool_arguments:plamo|><|plamo:end_tool_request:plamo|>',
  );
  const requests = tag(PLAMO_OPEN, tagList(tools.map(call), '', mode === 'forced'), [PLAMO_CLOSE, `${PLAMO_CLOSE}<|plamo:tag|>`]);
  return mode === 'auto' ? triggered(PLAMO_OPEN, [requests]) : requests;
};

export const hermes: ToolGrammar = jsonInTags('tool_call');
export const longcat: ToolGrammar = jsonInTags('longcat_tool_call');
export const llama: ToolGrammar = freeCalls(
  styledCall((name) => `{"name": "${name}", "parameters": `, '}'),
  '{"name": ',
);
export const qwen3Coder: ToolGrammar = freeCalls(
  styledCall((name) => `<tool_call>\n<function=${name}>\n`, '\n</function>\n</tool_call>', 'qwen_xml'),
  '<tool_call>\n<function=',
);
export const mimo: ToolGrammar = freeCalls(
  styledCall((name) => `<tool_call><function=${name}>`, '</function></tool_call>', 'qwen_xml'),
  '<tool_call>',
  [...THINK, '</tool_call>', '<function='],
);
export const deepseekV3: ToolGrammar = deepseekSection(
  styledCall((name) => `<｜tool▁call▁begin｜>function<｜tool▁sep｜>${name}\n\`\`\`json\n`, '\n```<｜tool▁call▁end｜>'),
  '\n',
);
export const deepseekV31: ToolGrammar = deepseekSection(
  styledCall((name) => `<｜tool▁call▁begin｜>${name}<｜tool▁sep｜>`, '<｜tool▁call▁end｜>'),
  '',
);
export const deepseekV32: ToolGrammar = dsml('function_calls', '', 'deepseek_xml');
export const deepseekV4: ToolGrammar = dsml('tool_calls', '', 'deepseek_xml');
export const deepseekV41: ToolGrammar = dsml(' calls', ' ', 'deepseek_v4_1_xml');
export const minimax: ToolGrammar = xmlBlock({
  trigger: '<minimax:tool_call>',
  close: '</minimax:tool_call>',
  before: '\n',
  call: styledCall((name) => `<invoke name="${name}">\n`, '</invoke>\n', 'minimax_xml'),
  forcedAsList: true,
});
export { kimi, plamo3 };
