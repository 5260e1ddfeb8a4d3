import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { StartupError } from '../core/errors.ts';
import type { Settings } from '../core/settings.ts';
import type { ReasoningFormat, ToolFormat, UnifiedFormat } from '../core/stream-parser.ts';
import type { LoadedModel } from '../model/load-model.ts';
import { AUTO, autoReasoningFormat, autoToolFormat } from '../parsers/auto.ts';
import type { AutoChoice, ModelTraits } from '../parsers/auto.ts';
import { declaredFormats } from '../parsers/declarative/declared-formats.ts';
import type { DeclaredFormats } from '../parsers/declarative/declared-formats.ts';
import { combineFormats, reasoningFormatNamed, reasoningParserNames, toolFormatNamed, toolParserNames } from '../parsers/registry.ts';
import type { SessionFormats } from '../parsers/session.ts';
import type { Tokenizer } from '../tokenizer/tokenizer.ts';
import { checkParserName } from './parser-names.ts';

/** The parser that a type of model has without being asked. */
const OWN_REASONING_PARSER: Readonly<Record<string, string>> = { gpt_oss: 'openai_gptoss' };

const TOOL_FLAG = '--tool-call-parser';
const REASONING_FLAG = '--reasoning-parser';
const FILE = /\.ya?ml$/i;

type ParserFlags = Pick<Settings, 'toolCallParser' | 'reasoningParser'>;

/** What is looked at of a model. */
export type ParsedModel = Pick<LoadedModel, 'modelType' | 'architectures' | 'tokenizerConfig' | 'chatTemplates'>;
type TokenNames = Pick<Tokenizer, 'tokenToId' | 'idToToken' | 'size'>;

/** What the two flags stand for. */
export interface ChosenParsers {
  formats: SessionFormats | null;
  /** The flags with the names of what was chosen in place of `auto` and files. */
  flags: ParserFlags;
  /** What was left to the server and how it chose: sentences for the log. */
  notes: string[];
}

function readFormats(flag: string, path: string): DeclaredFormats {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new StartupError(`${flag}: ${path} cannot be read: ${(error as Error).message}`);
  }
  return declaredFormats(text, basename(path));
}

function declaredTool(path: string): ToolFormat | UnifiedFormat {
  const { tool } = readFormats(TOOL_FLAG, path);
  if (!tool) throw new StartupError(`${TOOL_FLAG}: ${basename(path)} declares no tool_calls.`);
  return tool;
}

function declaredReasoning(path: string): ReasoningFormat | UnifiedFormat {
  const { reasoning } = readFormats(REASONING_FLAG, path);
  if (!reasoning) throw new StartupError(`${REASONING_FLAG}: ${basename(path)} declares no reasoning.`);
  return reasoning;
}

/**
 * Refuses flags that name no parser, before the model is loaded.
 * @throws StartupError for names that are not registered, and files that cannot be read or declare nothing
 */
export function checkParserFlags({ toolCallParser, reasoningParser }: ParserFlags): void {
  if (toolCallParser !== null && FILE.test(toolCallParser)) declaredTool(toolCallParser);
  else if (toolCallParser !== AUTO) checkParserName(TOOL_FLAG, toolCallParser, toolParserNames());
  if (reasoningParser !== null && FILE.test(reasoningParser)) declaredReasoning(reasoningParser);
  else if (reasoningParser !== AUTO) checkParserName(REASONING_FLAG, reasoningParser, reasoningParserNames());
}

function traitsOf(model: ParsedModel, tokenizer: TokenNames, ownTemplate: string | null): ModelTraits {
  const { chatTemplates, modelType, architectures, tokenizerConfig } = model;
  const templates = ownTemplate === null ? [chatTemplates.default ?? '', ...Object.values(chatTemplates.named)] : [ownTemplate];
  const { response_template: responseTemplate } = tokenizerConfig;
  return {
    modelType,
    architectures,
    template: templates.join('\n'),
    hasResponseTemplate: typeof responseTemplate === 'object' && responseTemplate !== null,
    hasToken: (token) => tokenizer.tokenToId(token) !== undefined,
  };
}

function required(choice: AutoChoice | null, flag: string, { modelType }: ModelTraits): AutoChoice {
  if (choice) return choice;
  const kind = modelType === '' ? 'its config.json names no model type' : `it is a ${modelType}`;
  throw new StartupError(
    `${flag} auto: no format is known to fit this model (${kind}, and its chat template shows none of the known markers). ` +
      'Give a name instead (`derender-server parsers` lists them), a file that declares the format, or leave the flag out.',
  );
}

/** A parser whose markers the tokenizer does not know could never find them. */
function checkFormats(formats: SessionFormats, flags: ParserFlags, model: ParsedModel, tokenizer: TokenNames): void {
  const { tokenizerConfig } = model;
  const check = { vocabulary: tokenizer, tokenizerConfig, toolParser: flags.toolCallParser, reasoningParser: flags.reasoningParser };
  for (const format of [formats.tool, formats.reasoning, formats.unified]) {
    const tokens = typeof format?.requiredTokens === 'function' ? format.requiredTokens(check) : format?.requiredTokens;
    const missing = tokens?.find((token) => tokenizer.tokenToId(token) === undefined);
    if (format && missing !== undefined) {
      throw new StartupError(
        `The parser ${format.name} needs the token ${missing}, which this model's tokenizer does not have: most likely it is the format of another model.`,
      );
    }
    format?.check?.(check);
  }
}

/**
 * The formats that the flags stand for with this model: names, files that declare one, or `auto`.
 * @throws StartupError where nothing fits `auto`, and for formats that the model cannot be used with
 */
export function chooseParsers(
  settings: ParserFlags & Pick<Settings, 'chatTemplate'>,
  model: ParsedModel,
  tokenizer: TokenNames,
): ChosenParsers {
  const traits = traitsOf(model, tokenizer, settings.chatTemplate);
  const notes: string[] = [];
  const named = (flag: string, given: string | null, choose: (traits: ModelTraits) => AutoChoice | null): string | null => {
    if (given !== AUTO) return given;
    const { name, because } = required(choose(traits), flag, traits);
    notes.push(`${flag} auto: chose ${name}, because ${because}`);
    return name;
  };
  const toolName = named(TOOL_FLAG, settings.toolCallParser, autoToolFormat);
  const ownName = OWN_REASONING_PARSER[model.modelType] ?? null;
  const reasoningName = named(REASONING_FLAG, settings.reasoningParser, autoReasoningFormat) ?? ownName;
  const toolFile = toolName !== null && FILE.test(toolName);
  const reasoningFile = reasoningName !== null && FILE.test(reasoningName);
  const tool = toolName === null ? null : ((toolFile ? declaredTool(toolName) : toolFormatNamed(toolName)) ?? null);
  const reasoning =
    reasoningName === null ? null : ((reasoningFile ? declaredReasoning(reasoningName) : reasoningFormatNamed(reasoningName)) ?? null);
  const flags = {
    toolCallParser: toolFile ? (tool?.name ?? null) : toolName,
    reasoningParser: reasoningFile ? (reasoning?.name ?? null) : reasoningName,
  };
  const formats = combineFormats(tool, reasoning);
  if (formats) checkFormats(formats, flags, model, tokenizer);
  return { formats, flags, notes };
}
