import { StartupError } from '../core/errors.ts';
import type { Settings } from '../core/settings.ts';
import type { ParserContext } from '../core/stream-parser.ts';
import { createDerenderService } from '../derender/service.ts';
import type { Services } from '../http/services.ts';
import { loadModel } from '../model/load-model.ts';
import type { LoadedModel } from '../model/load-model.ts';
import { textConfig } from '../model/text-config.ts';
import { chooseFormats, reasoningParserNames, toolParserNames } from '../parsers/registry.ts';
import type { SessionFormats } from '../parsers/session.ts';
import type { RenderModel, RenderParsers } from '../render/render-environment.ts';
import { parseMessagesRequest } from '../protocol/messages-request.ts';
import { chatRequestOf } from '../render/messages-render.ts';
import { chooseEncoder, resolveTokenizerMode } from '../render/encoders/choose.ts';
import { createRenderService } from '../render/render-service.ts';
import { referenceReasoningParser, referenceToolParser } from '../render/tool-parser-traits.ts';
import { createTokenizer } from '../tokenizer/create-tokenizer.ts';
import type { Tokenizer } from '../tokenizer/tokenizer.ts';
import { TemplatePool } from '../workers/template-pool.ts';
import { TemplateRenderer } from '../workers/template-renderer.ts';
import { readGenerationConfig } from './generation-config.ts';
import { checkParserName } from './parser-names.ts';
import { tokenizerInfo } from './tokenizer-info.ts';

/** The parser that a type of model has without being asked. */
const OWN_REASONING_PARSER: Readonly<Record<string, string>> = { gpt_oss: 'openai_gptoss' };

function chooseParsers(settings: Settings): SessionFormats | null {
  checkParserName('--tool-call-parser', settings.toolCallParser, toolParserNames());
  checkParserName('--reasoning-parser', settings.reasoningParser, reasoningParserNames());
  return chooseFormats(settings.toolCallParser, settings.reasoningParser);
}

/** A parser whose markers the tokenizer does not know could never find them. */
function checkRequiredTokens(formats: SessionFormats, tokenizer: Tokenizer): void {
  for (const format of [formats.tool, formats.reasoning, formats.unified]) {
    const missing = format?.requiredTokens?.filter((token) => tokenizer.tokenToId(token) === undefined) ?? [];
    if (format && missing.length > 0) {
      throw new StartupError(`The parser ${format.name} needs the token ${missing[0]}, which this model's tokenizer does not have.`);
    }
  }
}

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
    tool: toolCallParser !== null && tool ? referenceToolParser(toolCallParser, tool.name) : null,
    reasoning: reasoningParser !== null && reasoning ? referenceReasoningParser(reasoningParser, reasoning.name) : null,
    promptReasoningEnded: (ids, kwargs) => reasoning?.promptEnded(ids, context(kwargs)) ?? true,
  };
}

function templateRenderer({ rendererNumWorkers, chatTemplate }: Settings, { chatTemplates }: LoadedModel): TemplateRenderer | null {
  if (rendererNumWorkers === 0) return null;
  const own = [...Object.values(chatTemplates.named), ...(chatTemplate === null ? [] : [chatTemplate])];
  return new TemplateRenderer({ pool: new TemplatePool(rendererNumWorkers), own });
}

/** The clock for prompts that show the date. */
function clockOf({ templateNow }: Settings): () => Date {
  return () => (templateNow === null ? new Date() : new Date(templateNow));
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
 * @throws StartupError for what keeps the server from starting, in one sentence
 */
export async function createServices(given: Settings): Promise<Services> {
  chooseParsers(given);
  const { model: name, tokenizer: tokenizerName, revision, hfToken, maxModelLen } = given;
  const model = await loadModel({ model: name, tokenizer: tokenizerName, revision, hfToken, maxModelLen });
  const settings: Settings = { ...given, reasoningParser: given.reasoningParser ?? OWN_REASONING_PARSER[model.modelType] ?? null };
  const formats = chooseParsers(settings);
  const mode = resolveTokenizerMode(settings.tokenizerMode, model);
  const tokenizer = await createTokenizer(model.tokenizer, { mode });
  if (formats) checkRequiredTokens(formats, tokenizer);
  const renderer = templateRenderer(settings, model);
  const render = createRenderService({
    model: renderModel(model, settings),
    tokenizer,
    settings,
    encoder: chooseEncoder({ mode, model, tokenizer, now: clockOf(settings) }),
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
