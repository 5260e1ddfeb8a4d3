import type { TokenizeChatRequest } from '../protocol/tokenize-request.ts';
import type { Tokenizer } from '../tokenizer/tokenizer.ts';

/** Facts about the served model that answers show. */
export interface ServedModel {
  /** Names under which it is served; the first one stands in answers. */
  names: readonly string[];
  /** Where it came from, as given at the start. */
  root: string;
  maxModelLen: number;
}

/** What a rendering needs to know of its HTTP request. */
export interface RenderContext {
  /** The `X-Request-Id` header, or null. */
  requestId: string | null;
  /** The body's text, for what JavaScript values lose. */
  rawBody: string;
}

export interface RenderService {
  tokenizeChat(request: TokenizeChatRequest, context: RenderContext): Promise<number[]>;
}

/** What the routes of one server work with. */
export interface Services {
  model: ServedModel;
  tokenizer: Tokenizer;
  render: RenderService;
}
