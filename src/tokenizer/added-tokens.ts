/** A token outside the base vocabulary or lifted out of it: never split, matched before everything else. */
export interface AddedToken {
  content: string;
  /** Matches whole words only. */
  single_word: boolean;
  /** Takes the white space before it along. */
  lstrip: boolean;
  /** Takes the white space after it along. */
  rstrip: boolean;
  /** Matches in the normalized text instead of the text as given. */
  normalized: boolean;
  special: boolean;
}

/** An added token as `tokenizer.json` writes it. */
export interface AddedTokenEntry extends AddedToken {
  id: number;
}

/** What the added tokens need of the base vocabulary. */
export interface BaseVocabulary {
  readonly count: number;
  tokenToId(token: string): number | undefined;
}

/** An added token whose `normalized` may still be open: where nothing says otherwise, it is the opposite of `special` when added. */
export type AddedTokenDraft = Omit<AddedToken, 'normalized'> & { normalized: boolean | null };

/** An added token with the defaults of Python's constructor. */
export function draftToken(content: string, fields: Partial<Omit<AddedTokenDraft, 'content'>> = {}): AddedTokenDraft {
  return { content, single_word: false, lstrip: false, rstrip: false, normalized: null, special: false, ...fields };
}

/** Reads an added token from JSON; undefined for anything else. */
export function readAddedToken(value: unknown): AddedTokenDraft | undefined {
  if (typeof value !== 'object' || value === null || !('content' in value) || typeof value.content !== 'string') return undefined;
  const fields = value as Record<string, unknown>;
  return draftToken(value.content, {
    single_word: fields['single_word'] === true,
    lstrip: fields['lstrip'] === true,
    rstrip: fields['rstrip'] === true,
    normalized: typeof fields['normalized'] === 'boolean' ? fields['normalized'] : null,
    special: fields['special'] === true,
  });
}

/** Settles what a draft leaves open. */
export function settle(token: AddedTokenDraft): AddedToken {
  return { ...token, normalized: token.normalized ?? !token.special };
}

/** Whether two tokens agree in everything. */
export function sameToken(a: AddedTokenDraft, b: AddedTokenDraft): boolean {
  return same(settle(a), settle(b));
}

function same(a: AddedToken, b: AddedToken): boolean {
  return (
    a.content === b.content &&
    a.single_word === b.single_word &&
    a.lstrip === b.lstrip &&
    a.rstrip === b.rstrip &&
    a.normalized === b.normalized &&
    a.special === b.special
  );
}

/**
 * The added tokens of a tokenizer, with ids given out as the native library does it: the id that a file names is not used; a
 * token of the base vocabulary keeps that id, every other one gets the next free id after the vocabulary.
 */
export class AddedTokens {
  readonly #base: BaseVocabulary;
  readonly #byId = new Map<number, AddedToken>();
  readonly #idByContent = new Map<string, number>();
  /** Texts that were special once: that is what decoding hides, whatever the entry says later. */
  readonly #specialContents = new Set<string>();
  #highestId = -1;

  constructor(base: BaseVocabulary) {
    this.#base = base;
  }

  /** Adds tokens or changes those that are there already. */
  add(tokens: readonly AddedToken[]): void {
    let nextId = Math.max(this.#highestId + 1, this.#base.count);
    for (const token of tokens) {
      if (token.content === '') continue;
      if (token.special) this.#specialContents.add(token.content);
      const known = this.#idByContent.get(token.content);
      const entry = known === undefined ? undefined : this.#byId.get(known);
      if (entry !== undefined && same(entry, token)) continue;
      let id = known ?? this.#base.tokenToId(token.content);
      if (id === undefined) {
        id = nextId;
        nextId += 1;
      }
      this.#idByContent.set(token.content, id);
      this.#byId.set(id, { ...token });
      if (id > this.#highestId) this.#highestId = id;
    }
  }

  get(id: number): AddedToken | undefined {
    return this.#byId.get(id);
  }

  idOf(content: string): number | undefined {
    return this.#idByContent.get(content);
  }

  /** Id of a token, added or of the base vocabulary. */
  tokenToId(token: string): number | undefined {
    return this.#idByContent.get(token) ?? this.#base.tokenToId(token);
  }

  /** Whether a text is, or once was, that of a special token. */
  isSpecialText(text: string): boolean {
    return this.#specialContents.has(text);
  }

  get highestId(): number {
    return this.#highestId;
  }

  /** All added tokens by rising id, as `tokenizer.json` lists them. */
  entries(): AddedTokenEntry[] {
    return [...this.#byId.entries()].sort(([a], [b]) => a - b).map(([id, token]) => ({ id, ...token }));
  }

  /** Number of added tokens that are not in the base vocabulary. */
  countOutside(): number {
    let count = 0;
    for (const content of this.#idByContent.keys()) if (this.#base.tokenToId(content) === undefined) count += 1;
    return count;
  }
}
