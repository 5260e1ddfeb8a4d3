import type { Settings } from '../core/settings.ts';
import type { ParserContext } from '../core/stream-parser.ts';
import { createDerenderService } from '../derender/service.ts';
import type { Services } from '../http/services.ts';
import { loadModel } from '../model/load-model.ts';
import type { LoadedModel } from '../model/load-model.ts';
import { textConfig } from '../model/text-config.ts';
import type { SessionFormats } from '../parsers/session.ts';
import type { RenderModel, RenderParsers } from '../render/render-environment.ts';
import { parseMessagesRequest } from '../protocol/messages-request.ts';
import { chatRequestOf } from '../render/messages-render.ts';
import { chooseEncoder, resolveTokenizerMode } from '../render/encoders/choose.ts';
import { createRenderService } from '../render/render-service.ts';
import { referenceReasoningParser, referenceToolParser } from '../render/tool-parser-traits.ts';
import { parseClockTime } from '../template/index.ts';
import { createTokenizer } from '../tokenizer/create-tokenizer.ts';
import type { Tokenizer } from '../tokenizer/tokenizer.ts';
import { TemplatePool } from '../workers/template-pool.ts';
import { TemplateRenderer } from '../workers/template-renderer.ts';
import { checkParserFlags, chooseParsers } from './choose-parsers.ts';
import { readGenerationConfig } from './generation-config.ts';
import { tokenizerInfo } from './tokenizer-info.ts';

function renderParsers(formats: SessionFormats, settings: Settings, model: LoadedModel, tokenizer: Tokenizer): RenderParsers {
  const { toolCallParser, reasoningParser } = settings;
  const tool = formats.unified ?? formats.tool;
  const reasoning = formats.unified ?? formats.reasoning;
  const context = (chatTemplateKwargs: ParserContext['chatTemplateKwargs']): ParserContext => ({
    vocabulary: tokenizer,
    decode: (ids) => tokenizer.decode(ids, false),
    specialIds: tokenizer.allSpecialIds,
    endTokenIds: new Set(model.eosTokenIds),
    tools: [],
    toolChoice: 'auto',
    chatTemplateKwargs,
    modelType: model.modelType,
    tokenizerConfig: model.tokenizerConfig,
    hasReasoningParser: reasoningParser !== null,
    hasToolParser: toolCallParser !== null,
    historyToolCalls: 0,
    mode: 'one-shot',
  });
  return {
    tool: toolCallParser !== null && tool ? referenceToolParser(toolCallParser, tool) : null,
    reasoning: reasoningParser !== null && reasoning ? referenceReasoningParser(reasoningParser, reasoning) : null,
    promptReasoningEnded: (ids, kwargs) => reasoning?.promptEnded(ids, context(kwargs)) ?? true,
  };
}

function templateRenderer({ rendererNumWorkers, chatTemplate }: Settings, { chatTemplates }: LoadedModel): TemplateRenderer | null {
  if (rendererNumWorkers === 0) return null;
  const own = [...Object.values(chatTemplates.named), ...(chatTemplate === null ? [] : [chatTemplate])];
  return new TemplateRenderer({ pool: new TemplatePool(rendererNumWorkers), own });
}

/** The clock for prompts that show the date. A fixed time is what the clock on the wall shows, whatever the zone, as in templates. */
function clockOf({ templateNow }: Settings): () => Date {
  const fixed = templateNow === null ? undefined : parseClockTime(templateNow);
  if (fixed === undefined) return () => new Date();
  const { year, month, day, hour, minute, second } = fixed;
  return () => new Date(year, month - 1, day, hour, minute, second);
}

function renderModel(model: LoadedModel, settings: Settings): RenderModel {
  const vocabSize = textConfig(model.config)['vocab_size'];
  const ownConfig = settings.generationConfig === 'auto' || settings.generationConfig === 'vllm';
  return {
    maxModelLen: model.maxModelLen,
    vocabSize: typeof vocabSize === 'number' ? vocabSize : 0,
    chatTemplates: model.chatTemplates,
    generationConfig: ownConfig ? (model.generationConfig ?? {}) : readGenerationConfig(settings.generationConfig),
  };
}

/**
 * Loads a model and makes all that the routes work with.
 * @param note takes sentences about what was left to the server, for the log
 * @throws StartupError for what keeps the server from starting, in one sentence
 */
export async function createServices(given: Settings, note: (text: string) => void = () => {}): Promise<Services> {
  checkParserFlags(given);
  const { model: name, tokenizer: tokenizerName, revision, hfToken, maxModelLen } = given;
  const model = await loadModel({ model: name, tokenizer: tokenizerName, revision, hfToken, maxModelLen });
  const mode = resolveTokenizerMode(given.tokenizerMode, model);
  const tokenizer = await createTokenizer(model.tokenizer, { mode });
  const { formats, flags, notes } = chooseParsers(given, model, tokenizer);
  for (const text of notes) note(text);
  const settings: Settings = { ...given, ...flags };
  const renderer = templateRenderer(settings, model);
  const encoder = chooseEncoder({ mode, model, tokenizer, now: clockOf(settings) });
  if (encoder !== null && settings.chatTemplate !== null)
    note(`--chat-template has no use here: prompts are written by the encoder ${encoder.name}, not by a template.`);
  const render = createRenderService({
    model: renderModel(model, settings),
    tokenizer,
    settings,
    encoder,
    parsers: formats && renderParsers(formats, settings, model, tokenizer),
    ...(renderer ? { renderTemplate: (job) => renderer.render(job) } : {}),
  });
  return {
    model: { names: settings.servedModelNames, root: settings.model, maxModelLen: model.maxModelLen },
    tokenizer,
    tokenizerInfo: tokenizerInfo(model, settings),
    render,
    derender: createDerenderService({
      tokenizer,
      model,
      settings,
      formats,
      messagesToChat: async () => {
        const disabledEffort = await render.disabledThinkingEffort();
        return (value) => chatRequestOf(parseMessagesRequest(value), null, { mergeInlineSystem: false, disabledEffort });
      },
    }),
    close: async () => renderer?.close(),
  };
}
