import type { Tokenizer } from '../../src/tokenizer/tokenizer.ts';

const ADDED = ['<|endoftext|>', '<|im_end|>', '<think>', '</think>', '<tool_call>', '</tool_call>'];
/** Added tokens that `skip_special_tokens` hides. */
const SPECIAL = 2;

/**
 * A tokenizer without a file: the ids are the added tokens above, then one for each printable ASCII character, a newline, and a few
 * words that stop strings may part.
 */
const TOKENS = [
  ...ADDED,
  ...Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)),
  '\n',
  'END',
  'STOP',
  ' the ',
  '"}}',
  '{"name": "',
];

const ids = new Map(TOKENS.map((token, id) => [token, id]));

export const letterTokenizer: Tokenizer = {
  size: TOKENS.length,
  tokenToId: (token) => ids.get(token),
  idToToken: (id) => TOKENS[id],
  isAdded: (id) => id < ADDED.length,
  isSpecial: (id) => id < SPECIAL,
  allSpecialIds: new Set([0, 1]),
  specialTokens: { eos_token: '<|im_end|>' },
  eosTokenId: 1,
  bosTokenId: undefined,
  leadingSpaceMarker: null,
  truncationSide: 'left',
  encode: (text) => Promise.resolve(letterIds(text)),
  encodeWithOffsets: () => Promise.reject(new Error('not needed')),
  decodesPiecewise: false,
  decode: (list, skip) => list.map((id) => (skip && id < SPECIAL ? '' : (TOKENS[id] ?? ''))).join(''),
  tokensToString: (tokens) => tokens.join(''),
};

/** Ids of a text: added tokens whole, everything else by character. */
export function letterIds(text: string): number[] {
  const result: number[] = [];
  for (let at = 0; at < text.length;) {
    const token = ADDED.find((added) => text.startsWith(added, at)) ?? text.slice(at, at + 1);
    const id = ids.get(token);
    if (id === undefined) throw new Error(`no token for ${token}`);
    result.push(id);
    at += token.length;
  }
  return result;
}
