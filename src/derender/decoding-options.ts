import type { SamplingMembers } from '../protocol/sampling-members.ts';

/** What decoding reads of a chat or completion request. */
export type DecodingRequest = Pick<
  SamplingMembers,
  'stop' | 'stop_token_ids' | 'min_tokens' | 'ignore_eos' | 'include_stop_str_in_output' | 'skip_special_tokens'
>;

/** How output ids become text, and where the text ends. */
export interface DecodingOptions {
  /** Leaves special tokens out of the text. Off where a parser must see its markers. */
  skipSpecialTokens: boolean;
  /** Stop strings, none of them empty. */
  stop: readonly string[];
  stopTokenIds: readonly number[];
  /** Output tokens within which no stop string counts. Negative: counted from the end. */
  minTokens: number;
  ignoreEos: boolean;
  /** The text keeps the stop string or stop token that ended it. */
  includeStop: boolean;
}

/** The engine's defaults where no request came along. */
const DEFAULTS: DecodingOptions = {
  skipSpecialTokens: true,
  stop: [],
  stopTokenIds: [],
  minTokens: 0,
  ignoreEos: false,
  includeStop: false,
};

/** @param hasParser a parser reads the text: special tokens stay in it, whatever the request says */
export function decodingOptions(request: DecodingRequest | null, hasParser: boolean): DecodingOptions {
  if (!request) return { ...DEFAULTS, skipSpecialTokens: !hasParser };
  const stop = typeof request.stop === 'string' ? [request.stop] : (request.stop ?? []);
  return {
    skipSpecialTokens: !hasParser && request.skip_special_tokens !== false,
    stop: stop.filter((text) => text !== ''),
    stopTokenIds: request.stop_token_ids ?? [],
    minTokens: request.min_tokens,
    ignoreEos: request.ignore_eos,
    includeStop: request.include_stop_str_in_output,
  };
}
