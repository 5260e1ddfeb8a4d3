import type { ParserContext, Piece } from '../../core/stream-parser.ts';

/** The markers of a format: each has a name, and one or more spellings. */
export interface Markers {
  spellings: Readonly<Record<string, readonly string[]>>;
  /** Markers that count only as a token of their own, where the tokenizer has the first spelling as one token. */
  byToken: readonly string[];
  /** Special tokens that are part of the text. */
  textTokens?: readonly string[];
  /** A tail that begins so and may begin a marker is dropped where the output ends. */
  unfinished?: string;
}

/** Takes what a lexer found, in order. */
export interface MarkedSink {
  marker(name: string, text: string): void;
  /** Text that is no marker. Never empty. */
  text(text: string): void;
}

/** The name under which special tokens that the format does not know are found: they are left out of the answer. */
export const UNKNOWN_SPECIAL = '';

/** Finds markers in a stream of pieces. Text whose end may begin a marker is held; that tail is all that is remembered. */
export interface MarkedLexer {
  /** @returns the tail to hold. @param held what the last call returned, '' at first */
  push(held: string, piece: Piece, sink: MarkedSink): string;
  /** The marker that a token is; undefined for one that is none. */
  nameOf(tokenId: number | null): string | undefined;
  /** Gives out a tail that nothing follows. */
  flush(held: string, sink: MarkedSink): void;
}

/** @param context its vocabulary decides which markers are tokens, its special tokens which of them are left out */
export function createMarkedLexer(markers: Markers, context: ParserContext): MarkedLexer {
  const { vocabulary, specialIds } = context;
  const nameOfId = new Map<number, string>();
  const nameOfText = new Map<string, string>();
  for (const [name, spellings] of Object.entries(markers.spellings)) for (const spelling of spellings) nameOfText.set(spelling, name);
  const tokensOnly = new Set<string>();
  for (const name of markers.byToken) {
    const id = vocabulary.tokenToId(markers.spellings[name]?.[0] ?? '');
    if (id === undefined) continue;
    nameOfId.set(id, name);
    tokensOnly.add(name);
  }
  for (const id of specialIds) {
    const token = vocabulary.idToToken(id);
    if (token === undefined || token === '' || nameOfText.has(token) || markers.textTokens?.includes(token)) continue;
    nameOfId.set(id, UNKNOWN_SPECIAL);
    nameOfText.set(token, UNKNOWN_SPECIAL);
    tokensOnly.add(UNKNOWN_SPECIAL);
  }
  const byFirst = new Map<string, string[]>();
  for (const spelling of nameOfText.keys()) {
    const first = spelling.charAt(0);
    byFirst.set(
      first,
      [...(byFirst.get(first) ?? []), spelling].sort((a, b) => b.length - a.length),
    );
  }

  /** Gives out all of `text` but, unless it is final, the tail that may begin a marker. */
  const scan = (text: string, final: boolean, sink: MarkedSink): string => {
    let start = 0;
    const giveText = (end: number): void => {
      if (end > start) sink.text(text.slice(start, end));
    };
    for (let at = start; at < text.length; at += 1) {
      const spellings = byFirst.get(text.charAt(at));
      if (spellings === undefined) continue;
      const rest = text.length - at;
      // The longest spelling comes first: one that the text may still grow into goes before one that is already complete.
      const hit = spellings.find((spelling) =>
        rest < spelling.length ? !final && spelling.startsWith(text.slice(at)) : text.startsWith(spelling, at),
      );
      if (hit === undefined) continue;
      giveText(at);
      if (rest < hit.length) return text.slice(at);
      const name = nameOfText.get(hit) ?? UNKNOWN_SPECIAL;
      if (tokensOnly.has(name)) sink.text(hit);
      else sink.marker(name, hit);
      start = at + hit.length;
      at = start - 1;
    }
    giveText(text.length);
    return '';
  };

  const nameOf = (tokenId: number | null): string | undefined => (tokenId === null ? undefined : nameOfId.get(tokenId));
  return {
    nameOf,
    push(held, piece, sink): string {
      const name = nameOf(piece.tokenId);
      if (name === undefined) return piece.text === '' ? held : scan(held + piece.text, false, sink);
      if (held !== '') scan(held, true, sink);
      sink.marker(name, piece.text);
      return '';
    },
    flush(held, sink): void {
      const isDropped = markers.unfinished !== undefined && held.startsWith(markers.unfinished);
      if (held !== '' && !isDropped) scan(held, true, sink);
    },
  };
}
