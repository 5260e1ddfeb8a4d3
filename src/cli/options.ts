/**
 * The one table of options: command line parsing, environment variables, `--config` files, `--help` and the README's list are all made
 * from it. Names and meanings are those of vLLM where vLLM has the option.
 */

/** How an option's text is read. `count` takes `4096`, `4k` (4000), `4K` (4096) and so on. */
export type OptionKind = 'text' | 'integer' | 'count' | 'flag' | 'list' | 'json';

/** One row of the table. */
export interface Option {
  /** The flag without its dashes; also the key in a configuration file, and `DERENDER_` + upper case in the environment. */
  name: string;
  aliases?: readonly string[];
  kind: OptionKind;
  /** The value where nothing is given; null where the absence itself means something. */
  default: string | number | boolean | readonly string[] | null;
  choices?: readonly string[];
  /** What stands for the value in `--help`. */
  placeholder?: string;
  /** Environment variables of other tools that are read after our own. */
  environment?: readonly string[];
  /** The value is a secret and is never printed. */
  secret?: boolean;
  group: OptionGroup;
  help: string;
}

export type OptionGroup = 'Model' | 'Parsers and streams' | 'Prompts' | 'Sampling defaults and limits' | 'Server' | 'Security' | 'Logging';

const EFFORTS = ['auto', 'none', 'low', 'medium', 'high', 'xhigh', 'max'] as const;

export const OPTIONS: readonly Option[] = [
  { name: 'model', kind: 'text', default: null, placeholder: 'DIR|HUB-ID', group: 'Model', help: 'Model directory or hub id; also the first positional argument.' },
  { name: 'served-model-name', kind: 'list', default: [], placeholder: 'NAME', group: 'Model', help: 'Names under which the model is served, the first one in answers. Default: the value of --model.' },
  { name: 'tokenizer', kind: 'text', default: null, placeholder: 'DIR|HUB-ID', group: 'Model', help: 'Where the tokenizer files are, if not with the model.' },
  { name: 'tokenizer-mode', kind: 'text', default: 'auto', choices: ['auto', 'hf', 'slow', 'mistral', 'deepseek_v32', 'deepseek_v4', 'deepseek_v41', 'inkling', 'kimi_k3', 'cohere'], group: 'Model', help: 'Which prompt encoder and tokenizer to use; auto follows the model.' },
  { name: 'revision', kind: 'text', default: null, placeholder: 'REF', group: 'Model', help: 'Branch, tag or commit of the model on the hub.' },
  { name: 'hf-token', kind: 'text', default: null, placeholder: 'TOKEN', environment: ['HF_TOKEN', 'HUGGING_FACE_HUB_TOKEN'], secret: true, group: 'Model', help: 'Access token for the hub.' },

  { name: 'tool-call-parser', kind: 'text', default: null, placeholder: 'NAME', group: 'Parsers and streams', help: 'Format of the tool calls that the model writes; `derender-server parsers` lists the names.' },
  { name: 'reasoning-parser', kind: 'text', default: null, placeholder: 'NAME', group: 'Parsers and streams', help: 'Format of the reasoning that the model writes.' },
  { name: 'enable-auto-tool-choice', kind: 'flag', default: false, group: 'Parsers and streams', help: 'Accepted as vLLM takes it. Tool choice auto works whenever --tool-call-parser is given.' },
  { name: 'tool-strict-level', kind: 'text', default: null, choices: ['auto', 'function', 'parameter'], group: 'Parsers and streams', help: 'Least strictness of the structural tags for tool calls. Default: the format\'s own.' },
  { name: 'stream-state', kind: 'text', default: 'compact', choices: ['compact', 'vllm'], group: 'Parsers and streams', help: 'Shape of stream_state: compact has a bounded size, vllm is the reference\'s own, for fleets where both servers share streams.' },
  { name: 'stream-state-key', kind: 'text', default: null, placeholder: 'SECRET', secret: true, group: 'Parsers and streams', help: 'Sign stream_state with this key, and refuse states that carry no valid signature.' },

  { name: 'chat-template', kind: 'text', default: null, placeholder: 'FILE|TEXT', group: 'Prompts', help: 'Chat template that replaces the model\'s own: a file, or the template itself on one line.' },
  { name: 'chat-template-content-format', kind: 'text', default: 'auto', choices: ['auto', 'string', 'openai'], group: 'Prompts', help: 'Whether the template gets message content as text or as a list of parts.' },
  { name: 'default-chat-template-kwargs', kind: 'json', default: null, placeholder: 'JSON', group: 'Prompts', help: 'Template arguments for every request; those of a request win.' },
  { name: 'trust-request-chat-template', kind: 'flag', default: false, group: 'Prompts', help: 'Accept a chat_template in requests.' },
  { name: 'trust-request-mm-kwargs', kind: 'flag', default: false, group: 'Prompts', help: 'Accept mm_processor_kwargs and media_io_kwargs in requests.' },
  { name: 'reasoning-effort-map', kind: 'json', default: null, placeholder: 'JSON', group: 'Prompts', help: 'Rewrites reasoning efforts of requests to those that the template knows, for example {"medium": "low"}.' },
  { name: 'exclude-tools-when-tool-choice-none', kind: 'flag', default: false, group: 'Prompts', help: 'Leave the tools out of the prompt under tool_choice none.' },
  { name: 'anthropic-disabled-thinking-effort', kind: 'text', default: 'auto', choices: EFFORTS, group: 'Prompts', help: 'Reasoning effort of Anthropic requests that disable thinking.' },
  { name: 'cohere-format', kind: 'text', default: 'cmd4', choices: ['cmd3', 'cmd4'], group: 'Prompts', help: 'Prompt format of Cohere models.' },
  { name: 'template-now', kind: 'text', default: null, placeholder: 'ISO-DATE', group: 'Prompts', help: 'A fixed clock for templates that print the date, for reproducible prompts.' },

  { name: 'max-model-len', kind: 'count', default: null, placeholder: 'N', group: 'Sampling defaults and limits', help: 'Longest sequence in tokens. Default: what config.json says.' },
  { name: 'max-logprobs', kind: 'integer', default: 20, placeholder: 'N', group: 'Sampling defaults and limits', help: 'Most candidates per position that an answer may carry; -1 for no limit.' },
  { name: 'generation-config', kind: 'text', default: 'auto', placeholder: 'auto|vllm|DIR', group: 'Sampling defaults and limits', help: 'Where sampling defaults come from: the model\'s generation_config.json (auto), nowhere (vllm), or a directory.' },
  { name: 'override-generation-config', kind: 'json', default: null, placeholder: 'JSON', group: 'Sampling defaults and limits', help: 'Sampling defaults that replace those of the model.' },

  { name: 'host', kind: 'text', default: '0.0.0.0', placeholder: 'HOST', group: 'Server', help: 'Address to listen on.' },
  { name: 'port', kind: 'integer', default: 8000, placeholder: 'PORT', group: 'Server', help: 'Port to listen on; 0 takes a free one.' },
  { name: 'uds', kind: 'text', default: null, placeholder: 'PATH', group: 'Server', help: 'Listen on this Unix domain socket; host and port are then ignored.' },
  { name: 'root-path', kind: 'text', default: null, placeholder: 'PATH', group: 'Server', help: 'Path prefix under which a proxy shows this server.' },
  { name: 'max-body-size', kind: 'count', default: 268_435_456, placeholder: 'BYTES', group: 'Server', help: 'Largest request body in bytes; a larger one gets status 413.' },
  { name: 'renderer-num-workers', kind: 'integer', default: 1, placeholder: 'N', group: 'Server', help: 'Threads for long work. 0 does everything on the main thread.' },
  { name: 'shutdown-timeout', kind: 'integer', default: 30, placeholder: 'SECONDS', group: 'Server', help: 'How long a stop waits for running requests.' },
  { name: 'enable-request-id-headers', kind: 'flag', default: false, group: 'Server', help: 'Put X-Request-Id on every answer.' },
  { name: 'enable-tokenizer-info-endpoint', kind: 'flag', default: false, group: 'Server', help: 'Serve /tokenizer_info.' },
  { name: 'disable-fastapi-docs', aliases: ['disable-docs'], kind: 'flag', default: false, group: 'Server', help: 'Do not serve /openapi.json and /docs.' },

  { name: 'api-key', kind: 'list', default: [], placeholder: 'KEY', secret: true, group: 'Security', help: 'Keys of which every request under /v1 must carry one as a bearer token.' },
  { name: 'allowed-origins', kind: 'json', default: null, placeholder: 'JSON', group: 'Security', help: 'Origins whose pages may call the server, as a JSON list; ["*"] for all.' },
  { name: 'allowed-methods', kind: 'json', default: null, placeholder: 'JSON', group: 'Security', help: 'Methods that those pages may use. Default: all.' },
  { name: 'allowed-headers', kind: 'json', default: null, placeholder: 'JSON', group: 'Security', help: 'Request headers that those pages may send. Default: all.' },
  { name: 'allow-credentials', kind: 'flag', default: false, group: 'Security', help: 'Whether those pages may send cookies.' },
  { name: 'ssl-keyfile', kind: 'text', default: null, placeholder: 'FILE', group: 'Security', help: 'Private key (PEM); with --ssl-certfile the server speaks HTTPS.' },
  { name: 'ssl-certfile', kind: 'text', default: null, placeholder: 'FILE', group: 'Security', help: 'Certificate chain (PEM).' },
  { name: 'ssl-keyfile-password', kind: 'text', default: null, placeholder: 'TEXT', secret: true, group: 'Security', help: 'Password of the private key.' },
  { name: 'ssl-ca-certs', kind: 'text', default: null, placeholder: 'FILE', group: 'Security', help: 'Certificate authorities (PEM) that client certificates are checked against.' },
  { name: 'ssl-cert-reqs', kind: 'integer', default: 0, placeholder: '0|1|2', group: 'Security', help: 'Client certificates: 0 not asked for, 1 checked if sent, 2 required.' },
  { name: 'ssl-ciphers', kind: 'text', default: null, placeholder: 'LIST', group: 'Security', help: 'Cipher suites for TLS 1.2.' },

  { name: 'log-level', kind: 'text', default: 'info', choices: ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'], group: 'Logging', help: 'Least level of log lines. Contents of requests are never logged above debug.' },
];
