import type { Tokenizer as Native } from 'tokenizers';
import type { AddedTokens } from './added-tokens.ts';
import { joiningDecoder } from './decoder-from-json.ts';
import type { EffectiveTokenizer } from './effective-tokenizer.ts';
import { encodeNative, encodeNativeWithOffsets, nativeDecoder, nativeNormalizer } from './native-tokenizer.ts';
import { allSpecialTexts } from './special-tokens.ts';
import type { JoiningDecoder, TokenDecoder } from './token-decoder.ts';
import type { EncodingWithOffsets, Tokenizer } from './tokenizer.ts';
import { tokenText } from './tokenizer-settings.ts';
import type { VocabularyTable } from './vocabulary-table.ts';

/** A tokenizer made from the files of a model, as transformers makes it. */
export class FileTokenizer implements Tokenizer {
  readonly size: number;
  readonly tokenCount: number;
  readonly allSpecialIds: ReadonlySet<number>;
  readonly specialTokens: Readonly<Record<string, string>>;
  readonly eosTokenId: number | undefined;
  readonly bosTokenId: number | undefined;
  readonly leadingSpaceMarker: string | null;
  /** What vLLM sets for models that generate, whatever the files say. */
  readonly truncationSide = 'left';
  readonly joiningDecoder?: JoiningDecoder;
  readonly decodesPiecewise: boolean;
  readonly #native: Native | undefined;
  readonly #vocabulary: VocabularyTable;
  readonly #added: AddedTokens;
  /** Added tokens by id, as the library spells them. */
  readonly #addedTexts: ReadonlyMap<number, string>;
  readonly #decoder: TokenDecoder;
  readonly #finish: ((text: string) => string) | undefined;

  /** @param native the library's tokenizer; without it the tokenizer only decodes. */
  constructor(effective: EffectiveTokenizer, native: Native | undefined) {
    const { vocabulary, added, special, parts } = effective;
    this.#native = native;
    this.#vocabulary = vocabulary;
    this.#added = added;
    this.#addedTexts = spelledTokens(added, parts.normalizer);
    this.size = Math.max(vocabulary.size, added.highestId + 1);
    this.tokenCount = vocabulary.count + added.countOutside();
    this.specialTokens = Object.fromEntries([...special.named].map(([name, token]) => [name, tokenText(token)]));
    const unknown = this.specialTokens['unk_token'];
    const idOf = (token: string | undefined): number | undefined =>
      token === undefined ? undefined : (added.tokenToId(token) ?? (unknown === undefined ? undefined : added.tokenToId(unknown)));
    this.eosTokenId = idOf(this.specialTokens['eos_token']);
    this.bosTokenId = idOf(this.specialTokens['bos_token']);
    this.allSpecialIds = new Set(
      allSpecialTexts(special)
        .map(idOf)
        .filter((id) => id !== undefined),
    );
    this.leadingSpaceMarker = spaceMarker(parts.pre_tokenizer);
    const joining = joiningDecoder(parts.decoder);
    if (joining !== undefined) this.joiningDecoder = joining;
    this.#decoder = joining ?? nativeDecoder(parts.decoder);
    this.#finish = finishText(effective);
    this.decodesPiecewise = joining !== undefined && this.#finish === undefined;
  }

  tokenToId(token: string): number | undefined {
    return (
      this.#added.idOf(token) ??
      (this.#native === undefined ? this.#vocabulary.tokenToId(token) : (this.#native.tokenToId(token) ?? undefined))
    );
  }

  idToToken(id: number): string | undefined {
    return this.#addedTexts.get(id) ?? this.#vocabulary.token(id);
  }

  isAdded(id: number): boolean {
    return this.#addedTexts.has(id);
  }

  isSpecial(id: number): boolean {
    const text = this.#addedTexts.get(id);
    return text !== undefined && this.#added.isSpecialText(text);
  }

  async encode(text: string, addSpecialTokens: boolean): Promise<number[]> {
    return encodeNative(this.#encoder(), text, addSpecialTokens);
  }

  async encodeWithOffsets(text: string, addSpecialTokens: boolean): Promise<EncodingWithOffsets> {
    return encodeNativeWithOffsets(this.#encoder(), text, addSpecialTokens);
  }

  decode(ids: readonly number[], skipSpecialTokens: boolean): string {
    const tokens: string[] = [];
    for (const id of ids) {
      const token = this.idToToken(id);
      if (token !== undefined && !(skipSpecialTokens && this.#added.isSpecialText(token))) tokens.push(token);
    }
    const text = this.#decoder.decode(tokens, true);
    return this.#finish === undefined ? text : this.#finish(text);
  }

  tokensToString(tokens: readonly string[]): string {
    return this.#decoder.decode(tokens);
  }

  #encoder(): Native {
    if (this.#native === undefined) throw new Error('This tokenizer was made for decoding only.');
    return this.#native;
  }
}

/** Tokens that are matched in the normalized text are spelled in its way, too. */
function spelledTokens(added: AddedTokens, normalizer: unknown): Map<number, string> {
  const entries = added.entries();
  const normalize = nativeNormalizer(entries.some(({ normalized }) => normalized) ? normalizer : null);
  return new Map(entries.map(({ id, content, normalized }) => [id, normalized ? normalize(content) : content]));
}

function spaceMarker(preTokenizer: unknown): string | null {
  if (typeof preTokenizer !== 'object' || preTokenizer === null) return null;
  const part = preTokenizer as Readonly<Record<string, unknown>>;
  const list = part['type'] === 'Sequence' ? (part['pretokenizers'] as Readonly<Record<string, unknown>>[]) : [part];
  const metaspace = list.find((each) => each['type'] === 'Metaspace');
  if (metaspace === undefined) return null;
  return typeof metaspace['replacement'] === 'string' ? metaspace['replacement'] : '▁';
}

/** What happens to a whole decoded text: the class's own rewriting, then the clean-up of spaces that WordPiece texts need. */
function finishText({ finishText: own, settings, parts, cleansUpBpe }: EffectiveTokenizer): ((text: string) => string) | undefined {
  const wanted = Boolean(settings.values.get('clean_up_tokenization_spaces'));
  const forBpe = settings.values.get('clean_up_tokenization_spaces_for_bpe_even_though_it_will_corrupt_output') ?? cleansUpBpe;
  const cleansUp = wanted && (parts.model['type'] !== 'BPE' || Boolean(forBpe));
  if (own === undefined) return cleansUp ? cleanUpSpaces : undefined;
  return cleansUp ? (text) => cleanUpSpaces(own(text)) : own;
}

const SPACE_CLEAN_UPS: readonly (readonly [string, string])[] = [
  [' .', '.'],
  [' ?', '?'],
  [' !', '!'],
  [' ,', ','],
  [" ' ", "'"],
  [" n't", "n't"],
  [" 'm", "'m"],
  [" 's", "'s"],
  [" 've", "'ve"],
  [" 're", "'re"],
];

function cleanUpSpaces(text: string): string {
  let clean = text;
  for (const [from, to] of SPACE_CLEAN_UPS) clean = clean.replaceAll(from, to);
  return clean;
}
