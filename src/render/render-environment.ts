import type { Settings } from '../core/settings.ts';
import type { ChatTemplates } from '../model/chat-templates.ts';
import type { Tokenizer } from '../tokenizer/tokenizer.ts';
import type { ChatEncoder } from './chat-encoder.ts';
import type { SamplingDefaults } from './default-sampling.ts';
import type { TemplateJob, TemplatePrompt } from './template-prompt.ts';

/** Facts about the model that rendering needs. */
export interface RenderModel {
  readonly maxModelLen: number;
  /** `vocab_size` of config.json, which may be more or less than the tokenizer's. */
  readonly vocabSize: number;
  readonly chatTemplates: ChatTemplates;
  /** Members of generation_config.json: the model's own, or the folder's that `--generation-config` names. */
  readonly generationConfig: Readonly<Record<string, unknown>>;
}

/** The parsers that will read the answers. */
export interface RenderParsers {
  /** Names in the reference's spelling; null where there is none of the kind. */
  readonly tool: string | null;
  readonly reasoning: string | null;
  /** Whether reasoning is over where the prompt ends. Only asked where there is a reasoning parser. */
  promptReasoningEnded(promptTokenIds: readonly number[], chatTemplateKwargs: Readonly<Record<string, unknown>>): boolean;
}

/** What rendering works with. */
export interface RenderOptions {
  readonly model: RenderModel;
  readonly tokenizer: Tokenizer;
  readonly settings: Settings;
  /** For models whose prompts are written by code instead of a template. */
  readonly encoder: ChatEncoder | null;
  readonly parsers: RenderParsers | null;
  /** Renders templates where they do not hold up other requests; absent where they are rendered at once. */
  readonly renderTemplate?: (job: TemplateJob) => TemplatePrompt | Promise<TemplatePrompt>;
}

/** The options, with what is worked out from them once. */
export interface RenderEnvironment extends RenderOptions {
  readonly sampling: SamplingDefaults;
  /** `--default-chat-template-kwargs`, and what the server itself always gives. */
  readonly defaultKwargs: Readonly<Record<string, unknown>>;
}
