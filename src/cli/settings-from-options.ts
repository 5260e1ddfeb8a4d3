import { readFileSync } from 'node:fs';
import { StartupError } from '../core/errors.ts';
import type { Settings } from '../core/settings.ts';
import { readChatTemplate } from './chat-template-option.ts';
import { type OptionValue, isJsonObject } from './option-value.ts';
import { readTemplateNow } from './template-now.ts';

const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];

/** Typed access to the values of the table. */
class OptionValues {
  private readonly values: ReadonlyMap<string, OptionValue>;

  constructor(values: ReadonlyMap<string, OptionValue>) {
    this.values = values;
  }

  text(name: string): string | null {
    return (this.values.get(name) ?? null) as string | null;
  }

  number(name: string): number {
    return this.values.get(name) as number;
  }

  flag(name: string): boolean {
    return this.values.get(name) === true;
  }

  list(name: string): readonly string[] {
    return this.values.get(name) as readonly string[];
  }

  object(name: string): Record<string, unknown> {
    const value = this.values.get(name) ?? {};
    if (!isJsonObject(value)) throw new StartupError(`--${name} must be a JSON object.`);
    return value;
  }

  /** A JSON list of texts; a single text stands for a list of one. */
  texts(name: string, fallback: readonly string[]): readonly string[] {
    const value = this.values.get(name) ?? fallback;
    const items: readonly unknown[] = Array.isArray(value) ? value : [value];
    if (!items.every((item) => typeof item === 'string')) throw new StartupError(`--${name} must be a JSON list of texts.`);
    return items;
  }

  atLeast(name: string, minimum: number): number {
    const value = this.number(name);
    if (value < minimum) throw new StartupError(`--${name} must be at least ${minimum}, not ${value}.`);
    return value;
  }
}

function readPem(flag: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new StartupError(`--${flag}: ${path} cannot be read: ${(error as Error).message}`);
  }
}

function sslSettings(options: OptionValues): Settings['ssl'] {
  const keyfile = options.text('ssl-keyfile');
  const certfile = options.text('ssl-certfile');
  if (keyfile === null && certfile === null) return null;
  if (certfile === null) throw new StartupError('--ssl-keyfile needs --ssl-certfile.');
  const caCerts = options.text('ssl-ca-certs');
  const certReqs = options.number('ssl-cert-reqs');
  if (![0, 1, 2].includes(certReqs)) throw new StartupError('--ssl-cert-reqs must be 0, 1 or 2.');
  if (certReqs > 0 && caCerts === null) throw new StartupError('--ssl-cert-reqs needs --ssl-ca-certs.');
  return {
    // A certificate file may hold the key too.
    key: readPem('ssl-keyfile', keyfile ?? certfile),
    certificate: readPem('ssl-certfile', certfile),
    authorities: caCerts === null ? null : readPem('ssl-ca-certs', caCerts),
    clientCertificates: (['ignored', 'checked', 'required'] as const)[certReqs as 0 | 1 | 2],
    keyPassword: options.text('ssl-keyfile-password'),
    ciphers: options.text('ssl-ciphers'),
  };
}

function effortMap(options: OptionValues): Record<string, string> {
  const map = options.object('reasoning-effort-map');
  for (const [effort, value] of Object.entries(map)) {
    if (typeof value !== 'string') throw new StartupError('--reasoning-effort-map must map efforts to texts.');
    if (!EFFORTS.includes(effort))
      throw new StartupError(`--reasoning-effort-map: "${effort}" is no reasoning effort; use ${EFFORTS.join(', ')}.`);
  }
  return map as Record<string, string>;
}

/**
 * The settings that a server runs with. Files that options name (template, certificates) are read here.
 * @throws StartupError for a missing model, unreadable files, and options that do not go together
 */
export function settingsFromOptions(values: ReadonlyMap<string, OptionValue>): Settings {
  const options = new OptionValues(values);
  const model = options.text('model');
  if (model === null || model === '')
    throw new StartupError('No model given: `derender-server MODEL`, or --model. `--help` shows the options.');
  const toolCallParser = options.text('tool-call-parser');
  if (options.flag('enable-auto-tool-choice') && toolCallParser === null)
    throw new StartupError('--enable-auto-tool-choice needs --tool-call-parser.');
  const names = options.list('served-model-name');
  const chatTemplate = options.text('chat-template');
  const maxModelLen = options.text('max-model-len') === null ? null : options.atLeast('max-model-len', 1);
  const port = options.atLeast('port', 0);
  if (port > 65_535) throw new StartupError(`--port must be at most 65535, not ${port}.`);
  const templateNow = options.text('template-now');
  if (templateNow !== null) readTemplateNow(templateNow, '--template-now');
  return {
    model,
    servedModelNames: names.length > 0 ? names : [model],
    tokenizer: options.text('tokenizer'),
    tokenizerMode: options.text('tokenizer-mode') ?? 'auto',
    revision: options.text('revision'),
    hfToken: options.text('hf-token'),
    host: options.text('host') ?? '0.0.0.0',
    port,
    uds: options.text('uds'),
    rootPath: (options.text('root-path') ?? '').replace(/\/+$/, ''),
    apiKeys: options.list('api-key').filter((key) => key !== ''),
    cors: {
      origins: options.texts('allowed-origins', []),
      methods: options.texts('allowed-methods', ['*']),
      headers: options.texts('allowed-headers', ['*']),
      credentials: options.flag('allow-credentials'),
    },
    enableRequestIdHeaders: options.flag('enable-request-id-headers'),
    enableTokenizerInfoEndpoint: options.flag('enable-tokenizer-info-endpoint'),
    disableDocs: options.flag('disable-fastapi-docs'),
    maxBodyBytes: options.atLeast('max-body-size', 1),
    logLevel: options.text('log-level') ?? 'info',
    rendererNumWorkers: options.atLeast('renderer-num-workers', 0),
    ssl: sslSettings(options),
    shutdownTimeoutSeconds: options.atLeast('shutdown-timeout', 0),
    maxModelLen,
    maxLogprobs: options.atLeast('max-logprobs', -1),
    toolCallParser,
    reasoningParser: options.text('reasoning-parser'),
    enableAutoToolChoice: options.flag('enable-auto-tool-choice'),
    toolStrictLevel: options.text('tool-strict-level'),
    excludeToolsWhenToolChoiceNone: options.flag('exclude-tools-when-tool-choice-none'),
    streamState: options.text('stream-state') === 'vllm' ? 'vllm' : 'compact',
    streamStateKey: options.text('stream-state-key'),
    chatTemplate: chatTemplate === null ? null : readChatTemplate(chatTemplate),
    chatTemplateContentFormat: (options.text('chat-template-content-format') ?? 'auto') as Settings['chatTemplateContentFormat'],
    trustRequestChatTemplate: options.flag('trust-request-chat-template'),
    trustRequestMmKwargs: options.flag('trust-request-mm-kwargs'),
    defaultChatTemplateKwargs: options.object('default-chat-template-kwargs'),
    reasoningEffortMap: effortMap(options),
    anthropicDisabledThinkingEffort: options.text('anthropic-disabled-thinking-effort'),
    cohereFormat: options.text('cohere-format'),
    templateNow,
    generationConfig: options.text('generation-config') ?? 'auto',
    overrideGenerationConfig: options.object('override-generation-config'),
  };
}
