import { StartupError } from '../../core/errors.ts';
import type { FormatCheck, ParserContext, StreamParser, UnifiedFormat } from '../../core/stream-parser.ts';
import { enablesThinking } from '../family/thinking-switch.ts';
import { cutCloser } from './cut-closer.ts';
import { messagePrefix } from './message-prefix.ts';
import { reasoningEnded } from './prompt-reasoning.ts';
import { RegionReading } from './region-reading.ts';
import { RegionRouting } from './region-routing.ts';
import { regionState, startRegions } from './region-state.ts';
import type { RegionState } from './region-state.ts';
import { describeIssues, responseTemplateSchema } from './template.ts';
import type { ResponseTemplate } from './template.ts';

const known = new WeakMap<object, ResponseTemplate>();

/**
 * The template that a tokenizer's configuration brings, compiled once.
 * @throws StartupError where it has none, or one that cannot be used
 */
export function configuredTemplate(tokenizerConfig: ParserContext['tokenizerConfig']): ResponseTemplate {
  const { response_template: written } = tokenizerConfig;
  if (typeof written !== 'object' || written === null || Array.isArray(written)) {
    throw new StartupError('tokenizer_config.json has no "response_template", which describes how the model writes its answers.');
  }
  const compiled = known.get(written);
  if (compiled) return compiled;
  const read = responseTemplateSchema.safeParse(written);
  if (!read.success) {
    throw new StartupError(`"response_template" in tokenizer_config.json cannot be used: ${describeIssues(read.error, written)}.`);
  }
  known.set(written, read.data);
  return read.data;
}

function createParser(template: ResponseTemplate, context: ParserContext): StreamParser<RegionState> {
  return {
    init(promptTokenIds) {
      const state = startRegions();
      const prefix = messagePrefix(promptTokenIds, template, context.decode);
      state.promptUnits = prefix.length;
      new RegionReading(template, state, new RegionRouting(state, NOTHING, context)).read(prefix, false);
      return { ...state, promptUnits: state.held.length, calls: 0 };
    },
    push(state, piece, sink): void {
      if (piece.text === '') return;
      state.written = true;
      new RegionReading(template, state, new RegionRouting(state, sink, context)).read(piece.text, false);
    },
    finish(state, sink): void {
      if (!state.written) return;
      const reading = new RegionReading(template, state, new RegionRouting(state, sink, context));
      reading.read(state.opened ? cutCloser(reading.current?.close ?? null, template.anchor, state.held) : '', true);
    },
  };
}

type Described = Pick<UnifiedFormat, 'name' | 'aliases' | 'models' | 'sample'>;

/** A format that a response template describes; where it comes from, `templateOf` says. */
export function responseTemplateFormat(
  described: Described,
  templateOf: (context: Pick<ParserContext, 'tokenizerConfig'>) => ResponseTemplate,
): UnifiedFormat<RegionState> {
  const { name } = described;
  return {
    kind: 'unified',
    ...described,
    toolNames: [name],
    reasoningNames: [name],
    stateVersion: 1,
    stateSchema: regionState,
    check: (check) => checkTemplate(name, templateOf(check), check),
    create: (context) => createParser(templateOf(context), context),
    promptEnded(promptTokenIds, context) {
      const template = templateOf(context);
      const prefix = messagePrefix(promptTokenIds, template, context.decode);
      return reasoningEnded(prefix, template, enablesThinking(context.chatTemplateKwargs));
    },
    forcedChoice: 'markup',
    whenNone: 'parse',
    callDeltas: 'merged',
  };
}

function checkTemplate(name: string, { fields }: ResponseTemplate, { toolParser, reasoningParser }: FormatCheck): void {
  for (const other of [toolParser, reasoningParser]) {
    if (other !== null && other !== name) {
      throw new StartupError(`--tool-call-parser ${toolParser} and --reasoning-parser ${reasoningParser} cannot be combined.`);
    }
  }
  if (toolParser !== null && !fields.has('tool_calls')) {
    throw new StartupError(`--tool-call-parser ${name} needs a response template with a field "tool_calls".`);
  }
  if (reasoningParser !== null && !fields.has('thinking')) {
    throw new StartupError(`--reasoning-parser ${name} needs a response template with a field "thinking".`);
  }
}

/** What the prompt says is no output. */
const NOTHING = {
  content() {},
  reasoning() {},
  toolStart() {},
  toolArguments() {},
  toolEnd() {},
};
