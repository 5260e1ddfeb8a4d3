import fc from 'fast-check';
import type { Piece } from '../../src/core/stream-parser.ts';
import { allText, outputPieces, tellComplete, tellStream } from './output-groups.ts';
import { formatsOf } from './vectors.ts';
import type { Vector } from './vectors.ts';

/** Where answers do not tell all that a model wrote, on purpose: in the recorded answers it is so. */
interface Untold {
  because: string;
  /** Ids of the vectors. */
  of: RegExp;
  /** Only in outputs that were cut off; only in complete answers. */
  only?: 'cut' | 'one-shot';
  /** Not just behind all that was told. */
  anywhere?: true;
}

const UNTOLD: readonly Untold[] = [
  {
    because: 'text behind the last call is dropped, in streams as in complete answers',
    of: /^(?:hermes|llama3_json|llama4_pythonic|olmo3|granite-20b-fc|jamba|internlm)\/content-after$/,
  },
  {
    because: 'text behind the last call is dropped, in streams as in complete answers',
    of: /^tool-(?:deepseek_v32|deepseek_v4|kimi_k2|kimi_k3|longcat|minimax_m3)\/text-after$/,
  },
  {
    because: 'text behind the last call is dropped, in streams as in complete answers',
    of: /^(?:ernie45|ernie45-plain|hunyuan_a13b|hy_v3|hy_v4|hy_v4-plain)\/call-then-text$|^tool-kimi_k2\/broken-json$/,
  },
  {
    because: 'an element that cannot be read ends the block, and what follows in it is dropped',
    of: /^tool-minimax_m3\/malformed-element$/,
  },
  {
    because: 'a call is told once it is complete, or its arguments are',
    of: /^(?:beam|ernie45|ernie45-plain|hf|muse|muse_glimmer|musespark1x|xlam|tool-dots|tool-kimi_k3|tool-minimax_m3)\//,
    only: 'cut',
  },
  { because: 'under tool choice "none" calls are read and dropped', of: /\/choice-none$/ },
  { because: 'under tool choice "required" a list of calls must be complete', of: /\/required$/, only: 'one-shot' },
  { because: 'messages to built-in tools are shown to nobody', of: /^openai\/builtin-/, anywhere: true },
  {
    because: 'messages to nobody, and on the commentary channel, are shown to nobody',
    of: /^muse_glimmer\/(?:commentary|no-recipient)$/,
    anywhere: true,
  },
  {
    because: 'what stands outside the regions of a response template is dropped',
    of: /^(?:beam|hf-xml)\/(?:think-no-open|unwrapped-text)$/,
    anywhere: true,
  },
];

const word = (count: number): string => `qu${String(count).replaceAll(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '')}z`;

/** An open tag, or the header of a message: what stands there is markup. */
const IN_MARKUP = /<[^<>]*$|<\|(?:start|channel|open)\|>(?:(?!<\|(?:message|sep)\|>)[^])*$|｜DSML｜[^<>]*$/;

/** A recorded output with words of our own between its words, where it is prose. */
function withWords(vector: Vector): { pieces: Piece[]; words: Map<number, string> } {
  const output = outputPieces(vector);
  const isText = (piece: Piece | undefined, form: RegExp): boolean => piece?.tokenId === null && form.test(piece.text);
  const pieces: Piece[] = [];
  const words = new Map<number, string>();
  let text = '';
  for (const [at, piece] of output.entries()) {
    pieces.push(piece);
    text += piece.text;
    if (!isText(piece, /[a-z]$/i) || !isText(output[at + 1], /^ [a-z]/i) || IN_MARKUP.test(text)) continue;
    words.set(pieces.length, word(words.size));
    pieces.push({ text: ` ${word(words.size - 1)}`, tokenId: null });
  }
  return { pieces, words };
}

/** The words that an answer should tell and does not. */
function missing(vector: Vector, told: string, words: readonly string[], kind: 'stream' | 'one-shot', isCut: boolean): string[] {
  const untold = words.filter((candidate) => !told.includes(candidate));
  const isAtEnd = untold.every((candidate, index) => candidate === words[words.length - untold.length + index]);
  const excused = UNTOLD.some(
    ({ of, only, anywhere }) =>
      of.test(vector.id) && (anywhere || isAtEnd) && (only === undefined || only === kind || (only === 'cut' && isCut)),
  );
  return excused ? [] : untold;
}

/** Words that get lost in a vector's output, cut where asked, with the kind of the answer. */
export function lostWords(vector: Vector, cuts: readonly number[]): string[] {
  const { pieces, words } = withWords(vector);
  return [pieces.length, ...cuts.map((cut) => cut % (pieces.length + 1))].flatMap((cut) => {
    const output = pieces.slice(0, cut);
    const written = [...words].filter(([at]) => at < cut).map(([, candidate]) => candidate);
    const isCut = cut < pieces.length;
    const lost = (kind: 'stream' | 'one-shot', told: string): string[] =>
      missing(vector, told, written, kind, isCut).map((candidate) => `${vector.id} up to token ${cut}, ${kind}: ${candidate}`);
    return [...lost('stream', allText(tellStream(vector, [output]))), ...lost('one-shot', allText(tellComplete(vector, output)))];
  });
}

/** Tokens that the vectors' outputs hold, and the beginnings of tags in the samples of their formats. */
function markersOf(vectors: readonly Vector[]): string[] {
  const formats = vectors.slice(0, 1).flatMap((vector) => Object.values(formatsOf(vector)));
  const tags = formats.flatMap((format) =>
    [...(format?.sample ?? '').matchAll(/<[^<>\s=]+>?|\[[A-Z_/]+\]|\w+\[|[[{(]/g)].map(([tag]) => tag),
  );
  const tokens = vectors.flatMap(outputPieces).flatMap(({ text, tokenId }) => (tokenId === null || text === '' ? [] : [text]));
  return [...new Set([...tags, ...tokens, '<'])];
}

/** Prose between beginnings of markers that do not go on, in parts. */
export function brokenMarkers(vectors: readonly Vector[]): fc.Arbitrary<string[]> {
  const markers = markersOf(vectors);
  const prose = fc.constantFrom(' plain', ' words', ' of', ' prose', ',', '.', '\n', '"', "'", ' 42', ' é', ' 😀');
  const begun = fc
    .tuple(fc.constantFrom(...markers), fc.nat(30))
    .map(([marker, at]) => marker.slice(0, at % marker.length) || marker.slice(0, 1));
  return fc.array(fc.oneof(prose, begun), { maxLength: 20 }).map((parts) => ['Hello', ...parts, ' end']);
}
