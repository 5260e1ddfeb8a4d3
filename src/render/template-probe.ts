import { REASONING_EFFORTS } from '../protocol/chat-request.ts';
import type { ReasoningEffort } from '../protocol/chat-request.ts';
import { chatPrompt } from './chat-prompt.ts';
import { chooseTemplate } from './choose-template.ts';
import type { RenderEnvironment } from './render-environment.ts';
import { effectiveKwargs, mappedEffort } from './template-kwargs.ts';
import { chatTemplateOf } from './template-prompt.ts';

/** What is found out about the model's template by trying it. */
export interface TemplateProbe {
  /** Whether the template takes a system message in front only. */
  mergeInlineSystem(): boolean;
  /** The effort that makes the template think least: `none`, or `low` where the template knows no `none`. */
  disabledThinkingEffort(): Promise<ReasoningEffort>;
}

function takesInlineSystem(source: string): boolean {
  try {
    const messages = ['system', 'user', 'system', 'user'].map((role) => ({ role, content: 't' }));
    chatTemplateOf(source).render({ messages }, null);
    return true;
  } catch {
    return false;
  }
}

function mergesInlineSystem({ model, settings, encoder }: RenderEnvironment): boolean {
  const given = settings.chatTemplate;
  if (encoder !== null) return given === null || !takesInlineSystem(given);
  const sources = [chooseTemplate(model.chatTemplates, given, false), chooseTemplate(model.chatTemplates, given, true)];
  return sources.some((source) => source === null || !takesInlineSystem(source));
}

async function probePrompt(environment: RenderEnvironment, effort: ReasoningEffort): Promise<string | null> {
  const { settings, defaultKwargs, model, parsers } = environment;
  const reasoningEffort = mappedEffort(effort, settings.reasoningEffortMap);
  const asked = { requested: null, addGenerationPrompt: true, continueFinalMessage: false, documents: null, reasoningEffort };
  const kwargs = effectiveKwargs(asked, defaultKwargs);
  try {
    const { ids } = await chatPrompt(environment, {
      messages: { list: [{ role: 'user', content: 'Hi' }], partsError: null },
      tools: null,
      toolChoice: 'none',
      responseFormat: null,
      documents: null,
      reasoningEffort,
      chatTemplate: null,
      chatTemplateKwargs: null,
      kwargs,
      tokenize: {
        maxModelLen: model.maxModelLen,
        maxOutputTokens: null,
        maxOutputTokensName: 'max_tokens',
        truncateTo: null,
        truncationSide: null,
        addSpecialTokens: false,
        returnOffsets: false,
      },
    });
    // A parser may know fewer efforts than the template does.
    parsers?.promptReasoningEnded(ids, kwargs);
    return ids.join();
  } catch {
    return null;
  }
}

/** A template that refuses `none`, or takes it for some other effort, is told `low`. */
async function leastEffort(environment: RenderEnvironment): Promise<ReasoningEffort> {
  const none = await probePrompt(environment, 'none');
  if (none === null) return 'low';
  for (const effort of ['low', 'medium', 'high', 'xhigh', 'max'] as const) {
    if ((await probePrompt(environment, effort)) === none) return 'low';
  }
  return 'none';
}

/** Each thing is tried once, when it is first asked for. */
export function createTemplateProbe(environment: RenderEnvironment): TemplateProbe {
  const configured = REASONING_EFFORTS.find((effort) => effort === environment.settings.anthropicDisabledThinkingEffort);
  let merge: boolean | undefined;
  let effort: Promise<ReasoningEffort> | undefined;
  return {
    mergeInlineSystem: () => (merge ??= mergesInlineSystem(environment)),
    disabledThinkingEffort: () => (effort ??= configured === undefined ? leastEffort(environment) : Promise.resolve(configured)),
  };
}
