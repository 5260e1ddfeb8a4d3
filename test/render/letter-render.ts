import type { Settings } from '../../src/core/settings.ts';
import { parseChatRequest } from '../../src/protocol/chat-request.ts';
import { parseCompletionRequest } from '../../src/protocol/completion-request.ts';
import type { GenerateRequest } from '../../src/protocol/generate-request.ts';
import { parseMessagesRequest } from '../../src/protocol/messages-request.ts';
import { parseResponsesRequest } from '../../src/protocol/responses-request.ts';
import type { RenderParsers } from '../../src/render/render-environment.ts';
import { createRenderService } from '../../src/render/render-service.ts';
import type { RenderService } from '../../src/render/render-service.ts';
import type { Tokenizer } from '../../src/tokenizer/tokenizer.ts';

/** Token ids of the letter tokenizer: 1 and 2 stand around a text, every code point has its own number behind them. */
const BEFORE = 1;
const AFTER = 2;
const FIRST = 3;
const SIZE = 0x11_0000 + FIRST;

const letterIds = (text: string): number[] => Array.from(text, (letter) => FIRST + (letter.codePointAt(0) ?? 0));

const LONGEST = 'abcde';

/** One token for each code point; a longer one is only there for its length. */
export const letters: Tokenizer = {
  size: SIZE,
  tokenToId: (token) => (token.length === 1 ? FIRST + token.charCodeAt(0) : undefined),
  idToToken: (id) => (id === 0 ? LONGEST : id < SIZE ? String.fromCodePoint(Math.max(0, id - FIRST)) : undefined),
  isAdded: (id) => id < FIRST,
  isSpecial: (id) => id < FIRST,
  allSpecialIds: new Set([BEFORE, AFTER]),
  specialTokens: { bos_token: '<s>' },
  eosTokenId: AFTER,
  bosTokenId: BEFORE,
  leadingSpaceMarker: null,
  truncationSide: 'right',
  encode: (text, addSpecialTokens) => Promise.resolve(addSpecialTokens ? [BEFORE, ...letterIds(text), AFTER] : letterIds(text)),
  encodeWithOffsets: (text, addSpecialTokens) => {
    const ids = letterIds(text);
    const offsets = ids.map((_, index): [number, number] => [index, index + 1]);
    if (!addSpecialTokens) return Promise.resolve({ ids, offsets });
    return Promise.resolve({ ids: [BEFORE, ...ids, AFTER], offsets: [[0, 0], ...offsets, [0, 0]] });
  },
  decodesPiecewise: false,
  decode: (ids) => textOf(ids),
  tokensToString: (tokens) => tokens.join(''),
};

/** The text of token ids, special ones as `^` and `$`. */
export function textOf(ids: readonly number[]): string {
  return ids.map((id) => (id === BEFORE ? '^' : id === AFTER ? '$' : String.fromCodePoint(id - FIRST))).join('');
}

/** A template that shows all it gets. */
export const SHOWING: string =
  '{% for m in messages %}[{{ m.role }}:{{ m.content | tojson if m.content is not string else m.content }}' +
  '{% if m.reasoning %}~{{ m.reasoning }}{% endif %}{% for c in m.tool_calls or [] %}!{{ c.function.name }}{{ c.function.arguments | tojson }}{% endfor %}]{% endfor %}' +
  '{% if tools %}T{{ tools | tojson }}{% endif %}{% if add_generation_prompt %}>{% endif %}{{ mode }}';

export interface LetterFlags {
  readonly template?: string | null;
  readonly maxModelLen?: number;
  readonly generationConfig?: Record<string, unknown>;
  readonly parsers?: RenderParsers | null;
  readonly settings?: Partial<Settings>;
}

const settings: Partial<Settings> = {
  enableAutoToolChoice: true,
  toolStrictLevel: null,
  excludeToolsWhenToolChoiceNone: false,
  chatTemplate: null,
  chatTemplateContentFormat: 'auto',
  trustRequestChatTemplate: false,
  trustRequestMmKwargs: false,
  defaultChatTemplateKwargs: {},
  reasoningEffortMap: {},
  anthropicDisabledThinkingEffort: null,
  cohereFormat: null,
  templateNow: '2026-12-01T09:30:00',
  generationConfig: 'auto',
  overrideGenerationConfig: {},
};

export interface LetterRender {
  readonly service: RenderService;
  chat(body: Record<string, unknown>, rawBody?: string): Promise<GenerateRequest>;
  completion(body: Record<string, unknown>, rawBody?: string): Promise<GenerateRequest[]>;
  messages(body: Record<string, unknown>, rawBody?: string): Promise<GenerateRequest>;
  responses(body: Record<string, unknown>, rawBody?: string): Promise<GenerateRequest>;
}

/** A render service on the letter tokenizer. Bodies without a text of their own are written as JSON. */
export function letterRender(flags: LetterFlags = {}): LetterRender {
  const { template = SHOWING, maxModelLen = 1000, generationConfig = {}, parsers = null } = flags;
  const service = createRenderService({
    model: { maxModelLen, vocabSize: SIZE, chatTemplates: { default: template, named: {} }, generationConfig },
    tokenizer: letters,
    settings: { ...settings, ...flags.settings } as Settings,
    encoder: null,
    parsers,
  });
  const context = (rawBody: string) => ({ requestId: 'r', rawBody });
  return {
    service,
    chat: async (body, raw = JSON.stringify(body)) => service.chat(parseChatRequest(JSON.parse(raw)), context(raw)),
    completion: async (body, raw = JSON.stringify(body)) => service.completion(parseCompletionRequest(JSON.parse(raw)), context(raw)),
    messages: async (body, raw = JSON.stringify(body)) => service.messages(parseMessagesRequest(JSON.parse(raw)), context(raw)),
    responses: async (body, raw = JSON.stringify(body)) => service.responses(parseResponsesRequest(JSON.parse(raw)), context(raw)),
  };
}
