import { badRequest } from '../core/errors.ts';
import type { Vocabulary } from '../core/vocabulary.ts';
import type { ChatTool, ToolChoice } from '../protocol/chat-tools.ts';
import { structuredOutputs } from '../protocol/structured-outputs.ts';
import type { StructuredOutputs } from '../protocol/structured-outputs.ts';
import { forcedCallSchema, mistralCallSchema, toolsWithoutDefinitions } from './forced-call-schema.ts';
import { constraintFormat, structuralTagText } from './structural-tags/constraint-format.ts';
import { limitedToOneCall } from './structural-tags/formats.ts';
import type { Format } from './structural-tags/formats.ts';
import { harmonyAnswer } from './structural-tags/harmony.ts';
import { mistralGrammar, writesMistralCalls } from './structural-tags/mistral-grammar.ts';
import type { CallMode, GrammarTool } from './structural-tags/tool-formats.ts';
import { looksAtEveryRequest, reasoningParserTraits, STRICT_LEVELS, toolParserTraits } from './tool-parser-traits.ts';
import type { StrictLevel, ToolParserTraits } from './tool-parser-traits.ts';

/** The parsers that will read the answer, by the reference's names. */
export interface AnswerParsers {
  readonly tool: string | null;
  readonly reasoning: string | null;
  /** `--tool-strict-level`, or null for the parser's own. */
  readonly strictLevel: string | null;
  /** Whether the tokenizer is one of Mistral's own kind. */
  readonly mistralTokenizer: boolean;
}

/** The part of a request that its parsers may change. */
export interface Adjustable {
  readonly tools: readonly ChatTool[] | null;
  readonly toolChoice: ToolChoice;
  readonly parallelToolCalls: boolean | null;
  /** What `structured_outputs` and `response_format` ask for together. */
  readonly constraint: StructuredOutputs | null;
  /** The constraint is a `response_format` of JSON, to which a call that is forced need not give way. */
  readonly formatGivesWay: boolean;
  readonly skipSpecialTokens: boolean | null;
  readonly spacesBetweenSpecialTokens: boolean;
  readonly chatTemplateKwargs: Readonly<Record<string, unknown>>;
  /** A Responses request is answered as such, which some parsers cannot guarantee calls for. */
  readonly isResponses: boolean;
}

export type Adjusted = Pick<Adjustable, 'tools' | 'constraint' | 'skipSpecialTokens' | 'spacesBetweenSpecialTokens'>;

function grammarTools(tools: readonly ChatTool[], choice: ToolChoice, level: StrictLevel): GrammarTool[] {
  const chosen =
    typeof choice === 'object' && choice !== null ? tools.filter(({ function: { name } }) => name === choice.function.name) : tools;
  return chosen.map(({ function: { name, parameters, strict } }) => {
    const isStrict = level >= 2 || strict === true;
    return { name, parameters, strict: isStrict, schema: isStrict ? (parameters ?? true) : true };
  });
}

function callMode(choice: ToolChoice): CallMode {
  return choice === 'auto' || choice === 'required' ? choice : 'forced';
}

/** The grammar of the calls, or null where they are not constrained. */
function callFormat(request: Adjustable, traits: ToolParserTraits, asked: StrictLevel | null, vocabulary: Vocabulary): Format | null {
  const { tools, toolChoice, constraint } = request;
  const isAuto = toolChoice === 'auto';
  const singleCall = request.parallelToolCalls === false;
  let level = asked ?? traits.strictLevel;
  // Counting calls takes a grammar; where only the constraint's grammar stands, no call can come anyway.
  if (singleCall && !(isAuto && constraint !== null) && level < 1) level = 1;
  if (traits.grammar === null || tools === null || toolChoice === null || toolChoice === 'none') return null;
  if (isAuto && level === 0 && !tools.some((tool) => tool.function.strict === true)) return null;
  const answer = isAuto && constraint !== null ? constraintFormat(constraint) : null;
  if (isAuto && answer === null && !traits.grammarForAuto) return null;
  const chosen = grammarTools(tools, toolChoice, level);
  const mode = answer === null ? callMode(toolChoice) : 'required';
  if (mode === 'forced' && chosen.length !== 1) throw badRequest('`tool_choice` must name exactly one of `tools`.');
  const calls = traits.grammar(vocabulary)(chosen, mode);
  const format = singleCall ? limitedToOneCall(calls) : calls;
  return answer === null ? format : { type: 'or', elements: [format, answer] };
}

/** What forces the call where there is no grammar: a JSON schema, for the parsers that then read JSON. */
function forcedConstraint(request: Adjustable, traits: ToolParserTraits, mistralVocabulary: Vocabulary | null): StructuredOutputs | null {
  const { tools, toolChoice, constraint } = request;
  if (tools === null || constraint?.structural_tag || toolChoice === null || toolChoice === 'none' || toolChoice === 'auto') return null;
  if (traits.forced === 'mistral') {
    if ((constraint !== null && !request.formatGivesWay) || request.isResponses) return null;
    if (mistralVocabulary === null || !writesMistralCalls(mistralVocabulary))
      return structuredOutputs({ json: mistralCallSchema(tools, toolChoice) });
    return structuredOutputs({
      grammar: mistralGrammar(mistralVocabulary, grammarTools(tools, toolChoice, 0), request.parallelToolCalls === false),
    });
  }
  if (traits.forced !== 'json') return null;
  return structuredOutputs({ json: forcedCallSchema(tools, toolChoice, request.parallelToolCalls) });
}

/** Guarantees that nothing could keep are refused, so that no client relies on them. */
function checkGuarantees({ tools, toolChoice, parallelToolCalls }: Adjustable): void {
  if (tools === null || tools.length === 0 || toolChoice === 'none') return;
  const refuse = (what: string, param: string): never => {
    throw badRequest(`This model's tool parser cannot guarantee ${what}.`, param);
  };
  if (tools.some((tool) => tool.function.strict === true)) refuse('strict tools', 'tools');
  if (toolChoice === 'required') refuse('tool choice "required"', 'tool_choice');
  if (typeof toolChoice === 'object' && toolChoice !== null) refuse('a named tool', 'tool_choice');
  if (parallelToolCalls === false) refuse('a single call', 'parallel_tool_calls');
}

const K2_HORIZON_FORMATS = ['json', 'xml', 'xml_typed'];

/** K2 Horizon's template writes calls in the form that an argument names, and its parser reads only some. */
function checkCallForm(kwargs: Readonly<Record<string, unknown>>): void {
  const form = kwargs['tool_call_format'] ?? 'xml';
  if (typeof form === 'string' && K2_HORIZON_FORMATS.includes(form)) return;
  throw badRequest(`\`tool_call_format\` must be one of ${K2_HORIZON_FORMATS.join(', ')}.`);
}

function adjustForTools(request: Adjustable, parsers: AnswerParsers, vocabulary: Vocabulary): Adjustable {
  const { tool } = parsers;
  if (tool === null) return request;
  if (tool === 'k2_horizon') checkCallForm(request.chatTemplateKwargs);
  const traits = toolParserTraits(tool);
  if (traits.forced === 'refused') checkGuarantees(request);
  const asked = parsers.strictLevel === null ? null : (STRICT_LEVELS[parsers.strictLevel] ?? null);
  const withTools = request.tools !== null && request.tools.length > 0;
  const calls = withTools ? callFormat(request, traits, asked, vocabulary) : null;
  const forced = calls === null && withTools ? forcedConstraint(request, traits, parsers.mistralTokenizer ? vocabulary : null) : null;
  const keeps =
    traits.keepSpecialTokens === 'always' || (traits.keepSpecialTokens === 'with-tools' && withTools && request.toolChoice !== 'none');
  // The forced schema takes the definitions over, and the tools are passed on without them.
  const movesDefinitions = forced !== null && traits.forced === 'json' && request.toolChoice === 'required';
  return {
    ...request,
    tools: movesDefinitions ? toolsWithoutDefinitions(request.tools ?? []) : request.tools,
    constraint: calls === null ? (forced ?? request.constraint) : structuredOutputs({ structural_tag: structuralTagText(calls) }),
    skipSpecialTokens: keeps ? false : request.skipSpecialTokens,
    spacesBetweenSpecialTokens: traits.spaces && request.spacesBetweenSpecialTokens,
  };
}

/** Whether the parsers look at a request: at those that may call tools, and at all where reasoning is to be read. */
export function asksParsers(parsers: Pick<AnswerParsers, 'tool' | 'reasoning'>, toolChoice: unknown): boolean {
  return parsers.reasoning !== null || toolChoice !== 'none' || looksAtEveryRequest(parsers.tool);
}

/**
 * Changes a request as its answer's parsers need it: keeps special tokens, constrains calls.
 * @throws ApiError 400 where a guarantee is asked for that the parsers cannot give
 */
export function adjustRequest(request: Adjustable, parsers: AnswerParsers, vocabulary: Vocabulary): Adjusted {
  let adjusted = request;
  if (parsers.tool === 'openai' && request.constraint !== null) {
    const answer = constraintFormat(request.constraint);
    const text = answer === null ? null : structuralTagText(harmonyAnswer(answer));
    if (text !== null) adjusted = { ...request, constraint: structuredOutputs({ structural_tag: text }) };
  }
  if (parsers.reasoning !== null) {
    const traits = reasoningParserTraits(parsers.reasoning);
    if (traits.keepSpecialTokens) adjusted = { ...adjusted, skipSpecialTokens: false };
    if (!traits.spaces) adjusted = { ...adjusted, spacesBetweenSpecialTokens: false };
  }
  const { tools, constraint, skipSpecialTokens, spacesBetweenSpecialTokens } = adjustForTools(adjusted, parsers, vocabulary);
  return { tools, constraint, skipSpecialTokens, spacesBetweenSpecialTokens };
}
