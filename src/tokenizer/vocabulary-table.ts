import { skipSpace, skipString, skipValue } from './json-sections.ts';

/** Ids above this are a broken file: the table is an array by id. */
const HIGHEST_ID = 1 << 24;
/** Most tokens whose ids are remembered: who asks may be anybody. */
const REMEMBERED_TOKENS = 1 << 16;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Tokens of a model's base vocabulary by id, read from the JSON text of `model.vocab`. Strings are made when asked for: a
 * server shows a few thousand of the 150,000 tokens in its life.
 */
export class VocabularyTable {
  /** Number of tokens. */
  readonly count: number;
  /** One more than the highest id. */
  readonly size: number;
  readonly #json: Buffer;
  /** Start and end of the quoted token of id `n` at `2n` and `2n + 1`; `0, 0` where the id has no token. */
  readonly #ranges: Uint32Array;
  readonly #tokens: (string | undefined)[];
  /** Ids of the tokens that were asked for, undefined for those that are not there. */
  readonly #ids = new Map<string, number | undefined>();

  /**
   * @param json `{"token": id, ...}` (BPE, WordPiece, WordLevel) or `[["token", score], ...]` (Unigram, ids are positions).
   * @throws SyntaxError for anything else.
   */
  constructor(json: Uint8Array) {
    this.#json = Buffer.from(json);
    const { ranges, count, size } = readRanges(this.#json);
    this.#ranges = ranges;
    this.count = count;
    this.size = size;
    this.#tokens = Array.from<string | undefined>({ length: size });
  }

  /** The raw token of an id, undefined where the vocabulary has none. */
  token(id: number): string | undefined {
    const known = this.#tokens[id];
    if (known !== undefined) return known;
    if (!Number.isInteger(id)) return undefined;
    const token = this.#read(id);
    if (token !== undefined) this.#tokens[id] = token;
    return token;
  }

  /** Id of a token. The first question for a token reads through the whole vocabulary (some ms), unless it was `prepare`d. */
  tokenToId(token: string): number | undefined {
    if (!this.#ids.has(token)) {
      if (this.#ids.size > REMEMBERED_TOKENS) this.#ids.clear();
      this.prepare([token]);
    }
    return this.#ids.get(token);
  }

  /** Looks up many tokens in one pass, so that `tokenToId` knows them. */
  prepare(tokens: Iterable<string>): void {
    const lengths = new Set<number>();
    const firstBytes = new Set<number>();
    let unknown = 0;
    for (const token of tokens) {
      if (this.#ids.has(token)) continue;
      this.#ids.set(token, undefined);
      lengths.add(Buffer.byteLength(token));
      firstBytes.add(Buffer.from(token.slice(0, 2))[0] ?? QUOTE);
      unknown += 1;
    }
    if (unknown === 0) return;
    for (let id = 0; id < this.size; id += 1) {
      const start = this.#ranges[2 * id] ?? 0;
      const end = this.#ranges[2 * id + 1] ?? 0;
      const plain = lengths.has(end - start - 2) && firstBytes.has(this.#json[start + 1] ?? 0);
      if (!plain && !this.#hasEscape(start, end)) continue;
      const token = this.#read(id);
      if (token !== undefined && this.#ids.has(token)) this.#ids.set(token, id);
    }
  }

  /**
   * Position of a token in a scored vocabulary.
   * @param options `score`: the entry must have this one; `from`: the first position that counts
   */
  position(token: string, { score, from = 0 }: { score?: number; from?: number } = {}): number | undefined {
    for (let id = from; id < this.size; id += 1) {
      if (this.#read(id) !== token) continue;
      if (score === undefined || this.#score(id) === score) return id;
    }
    return undefined;
  }

  #score(id: number): number {
    const end = this.#ranges[2 * id + 1] ?? 0;
    const comma = skipSpace(this.#json, end);
    if (this.#json[comma] !== 0x2c) return Number.NaN;
    const start = skipSpace(this.#json, comma + 1);
    return Number(this.#json.toString('utf8', start, skipValue(this.#json, start)));
  }

  #hasEscape(start: number, end: number): boolean {
    for (let at = start; at < end; at += 1) if (this.#json[at] === BACKSLASH) return true;
    return false;
  }

  #read(id: number): string | undefined {
    const start = this.#ranges[2 * id];
    const end = this.#ranges[2 * id + 1];
    if (start === undefined || end === undefined || end === 0) return undefined;
    const text = this.#json.toString('utf8', start + 1, end - 1);
    return text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text;
  }
}

function readRanges(json: Buffer): { ranges: Uint32Array; count: number; size: number } {
  let ranges = new Uint32Array(2 * 4096);
  let count = 0;
  let size = 0;
  const set = (id: number, start: number, end: number): void => {
    if (!Number.isInteger(id) || id < 0 || id > HIGHEST_ID) throw new SyntaxError(`${id} is no token id`);
    if (2 * id >= ranges.length) {
      const grown = new Uint32Array(Math.max(2 * ranges.length, 2 * (id + 1)));
      grown.set(ranges);
      ranges = grown;
    }
    if (ranges[2 * id + 1] === 0) count += 1;
    ranges[2 * id] = start;
    ranges[2 * id + 1] = end;
    if (id >= size) size = id + 1;
  };
  if (json[0] === 0x7b) readObject(json, set);
  else if (json[0] === 0x5b) readList(json, set);
  else throw new SyntaxError('the vocabulary is neither an object nor a list');
  return { ranges: ranges.slice(0, 2 * size), count, size };
}

type SetRange = (id: number, start: number, end: number) => void;

function readObject(json: Buffer, set: SetRange): void {
  let at = skipSpace(json, 1);
  while (json[at] === QUOTE) {
    const end = skipString(json, at);
    const valueStart = skipSpace(json, skipSpace(json, end) + 1);
    const valueEnd = skipValue(json, valueStart);
    set(readInteger(json, valueStart, valueEnd), at, end);
    at = skipSpace(json, valueEnd);
    if (json[at] === 0x2c) at = skipSpace(json, at + 1);
  }
}

function readList(json: Buffer, set: SetRange): void {
  let at = skipSpace(json, 1);
  let id = 0;
  while (json[at] === 0x5b || json[at] === QUOTE) {
    const start = json[at] === 0x5b ? skipSpace(json, at + 1) : at;
    if (json[start] !== QUOTE) throw new SyntaxError('a vocabulary entry has no token');
    set(id, start, skipString(json, start));
    id += 1;
    at = skipSpace(json, skipValue(json, at));
    if (json[at] === 0x2c) at = skipSpace(json, at + 1);
  }
}

/** `Number(text)` without the text: there are 150,000 of these. */
function readInteger(json: Buffer, start: number, end: number): number {
  let value = 0;
  for (let at = start; at < end; at += 1) {
    const digit = (json[at] ?? 0) - 0x30;
    if (digit < 0 || digit > 9) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}
