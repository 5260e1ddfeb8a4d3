/** What the person who starts the server decides, after flags, environment and configuration file were read. One member a flag. */
export interface Settings {
  model: string;
  servedModelNames: readonly string[];
  tokenizer: string | null;
  tokenizerMode: string;
  revision: string | null;
  hfToken: string | null;

  host: string;
  port: number;
  uds: string | null;
  rootPath: string;
  apiKeys: readonly string[];
  /** Which pages of other origins may call the server; `*` in a list stands for all. */
  cors: { origins: readonly string[]; methods: readonly string[]; headers: readonly string[]; credentials: boolean };
  enableRequestIdHeaders: boolean;
  enableTokenizerInfoEndpoint: boolean;
  disableDocs: boolean;
  /** Largest request body in bytes. */
  maxBodyBytes: number;
  logLevel: string;
  rendererNumWorkers: number;
  /** PEM texts and what is asked of clients; null for plain HTTP. */
  ssl: {
    key: string;
    certificate: string;
    authorities: string | null;
    clientCertificates: 'ignored' | 'checked' | 'required';
    keyPassword: string | null;
    ciphers: string | null;
  } | null;
  shutdownTimeoutSeconds: number;

  maxModelLen: number | null;
  maxLogprobs: number;

  toolCallParser: string | null;
  reasoningParser: string | null;
  enableAutoToolChoice: boolean;
  toolStrictLevel: string | null;
  excludeToolsWhenToolChoiceNone: boolean;
  streamState: 'compact' | 'vllm';
  streamStateKey: string | null;

  /** Template text (already read where a file was named), or null for the model's own. */
  chatTemplate: string | null;
  chatTemplateContentFormat: 'auto' | 'string' | 'openai';
  trustRequestChatTemplate: boolean;
  trustRequestMmKwargs: boolean;
  defaultChatTemplateKwargs: Readonly<Record<string, unknown>>;
  reasoningEffortMap: Readonly<Record<string, string>>;
  anthropicDisabledThinkingEffort: string | null;
  cohereFormat: string | null;
  /** A fixed clock for templates, ISO 8601, or null for the real one. */
  templateNow: string | null;

  /** `auto`, `vllm` or a folder with generation_config.json. */
  generationConfig: string;
  overrideGenerationConfig: Readonly<Record<string, unknown>>;
}
