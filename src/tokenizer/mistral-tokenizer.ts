import type { Tokenizer as Native } from 'tokenizers';
import { StartupError } from '../core/errors.ts';
import type { TokenizerFiles } from '../model/tokenizer-files.ts';
import { BytesDecoder } from './bytes-decoder.ts';
import { brokenFile } from './broken-file.ts';
import { encodeNative, encodeNativeWithOffsets, loadNative } from './native-tokenizer.ts';
import { convertSentencePiece } from './sentencepiece-convert.ts';
import { SentencePieceDecoder } from './sentencepiece-decoder.ts';
import { normalizers, precompiled, replace, SPACE_MARKER } from './pipeline-parts.ts';
import { readSentencePieceModel, type SentencePieceModel } from './sentencepiece-model.ts';
import { readTekken, tekkenTokenizerJson } from './tekken.ts';
import type { JoiningDecoder } from './token-decoder.ts';
import type { EncodingWithOffsets, Tokenizer } from './tokenizer.ts';
import { REPLACEMENT } from './utf8.ts';

/** Special tokens that are part of the text even where special tokens are hidden: parsers live on them. */
const SHOWN_TOKENS = ['[TOOL_CALLS]', '[ARGS]', '[THINK]', '[/THINK]'];

const SENTENCEPIECE_FILE = /^tokenizer\.(?:mm\.)?model\.v\d+(?:m\d+)?$/;

/** Whether a repository is one of Mistral's own, with the weights and the tokenizer in their form. */
export function hasMistralFiles({ fileNames }: Pick<TokenizerFiles, 'fileNames'>): boolean {
  return (
    fileNames.some((name) => /^consolidated.*\.safetensors$/.test(name)) &&
    fileNames.some((name) => name === 'tekken.json' || name.startsWith('tokenizer.model.v'))
  );
}

/** The file with Mistral's tokenizer: tekken.json, else the newest SentencePiece model. */
export function mistralTokenizerFile(fileNames: readonly string[]): string | undefined {
  if (fileNames.includes('tekken.json')) return 'tekken.json';
  return fileNames
    .filter((name) => SENTENCEPIECE_FILE.test(name))
    .sort()
    .at(-1);
}

/** What a vocabulary of Mistral's is made of. */
interface MistralVocabulary {
  /** Tokens by id, special ones included; an ordinary token's spelling is its text where it has one. */
  tokens: readonly string[];
  /** Special tokens by id. */
  special: ReadonlyMap<number, string>;
  decoder: JoiningDecoder;
  /** Text of a sequence with special tokens written out. */
  keepingText: (ids: readonly number[]) => string;
  /** The file for the native library, in which special tokens of a text are plain text. */
  json: () => Buffer;
}

/** @throws StartupError where the model has no tokenizer in Mistral's form, or a broken one. */
export async function createMistralTokenizer(source: TokenizerFiles, decodeOnly: boolean): Promise<Tokenizer> {
  const fileName = mistralTokenizerFile(source.fileNames);
  const content = fileName === undefined ? undefined : source.readFile(fileName);
  if (fileName === undefined || content === undefined) {
    throw new StartupError(`${source.name} has no tokenizer in Mistral's form: neither tekken.json nor tokenizer.model.v1 to v7.`);
  }
  try {
    const vocabulary = fileName === 'tekken.json' ? tekkenVocabulary(content) : sentencePieceVocabulary(content);
    return new MistralTokenizer(vocabulary, decodeOnly ? undefined : loadNative([vocabulary.json()], source.withScratchFile));
  } catch (error) {
    throw brokenFile(source, fileName, error);
  }
}

function tekkenVocabulary(content: Buffer): MistralVocabulary {
  const tekken = readTekken(content);
  const first = tekken.specialTokens.length;
  const tokens = [...tekken.specialTokens, ...tekken.tokens.map(spelledBytes)];
  const special = new Map(tekken.specialTokens.map((token, id) => [id, token]));
  const hidden = new Set(tekken.specialTokens.filter((token) => !SHOWN_TOKENS.includes(token)));
  const parts = new Map(
    tekken.tokens.map((bytes): [string, Buffer] => [spelledBytes(bytes), bytes]).filter(([token]) => token.startsWith('<0x')),
  );
  const tokenBytes = (token: string): Uint8Array => parts.get(token) ?? Buffer.from(token, 'utf8');
  const plain = new BytesDecoder(tokenBytes);
  return {
    tokens,
    special,
    decoder: new BytesDecoder((token) => (hidden.has(token) ? new Uint8Array() : tokenBytes(token))),
    keepingText: (ids) => {
      let text = '';
      let run: string[] = [];
      for (const id of ids) {
        if (id >= first) {
          run.push(tokens[id] ?? '');
          continue;
        }
        text += plain.decode(run) + (special.get(id) ?? '');
        run = [];
      }
      return text + plain.decode(run);
    },
    json: () => tekkenTokenizerJson(tekken, false),
  };
}

/** A token's text; its bytes as `<0xE2><0x82>` where they are no text by themselves. */
function spelledBytes(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  if (!text.includes(REPLACEMENT)) return text;
  return [...bytes].map((byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`).join('');
}

function sentencePieceVocabulary(content: Buffer): MistralVocabulary {
  const model = readSentencePieceModel(content);
  const tokens = model.pieces.map(({ text }) => text);
  const special = new Map<number, string>();
  for (const [id, { text, kind }] of model.pieces.entries()) if (kind === 'control') special.set(id, text);
  const hidden = new Set([...special.values()].filter((token) => !SHOWN_TOKENS.includes(token)));
  return {
    tokens,
    special,
    decoder: new SentencePieceDecoder(
      hidden,
      new Set([...special.values()].filter((token) => SHOWN_TOKENS.includes(token))),
      model.unknown,
    ),
    keepingText: (ids) => ids.map((id) => tokens[id] ?? '').join(''),
    json: () => sentencePieceJson(model),
  };
}

/** Merges, and a space in front of every text. */
function sentencePieceJson(model: SentencePieceModel): Buffer {
  const { json } = convertSentencePiece(model, 'BPE', new Map(), 'score');
  const file = JSON.parse(json.toString('utf8')) as Record<string, unknown>;
  const rules = model.charsmap.length > 0 ? [precompiled(model.charsmap.toString('base64'))] : [];
  file['normalizer'] = normalizers(...rules, { type: 'Prepend', prepend: SPACE_MARKER }, replace(' ', SPACE_MARKER));
  return Buffer.from(JSON.stringify(file));
}

/** Mistral's own tokenizer: special tokens come in by id only, never out of a text. */
class MistralTokenizer implements Tokenizer {
  readonly size: number;
  readonly allSpecialIds: ReadonlySet<number>;
  readonly specialTokens: Readonly<Record<string, string>>;
  readonly eosTokenId: number | undefined;
  readonly bosTokenId: number | undefined;
  readonly leadingSpaceMarker = null;
  readonly truncationSide = 'left';
  readonly joiningDecoder: JoiningDecoder;
  readonly decodesPiecewise = true;
  readonly #vocabulary: MistralVocabulary;
  readonly #native: Native | undefined;
  readonly #ids = new Map<string, number>();

  constructor(vocabulary: MistralVocabulary, native: Native | undefined) {
    this.#vocabulary = vocabulary;
    this.#native = native;
    this.size = vocabulary.tokens.length;
    this.joiningDecoder = vocabulary.decoder;
    // The lowest id of equal spellings counts.
    for (const [id, token] of vocabulary.tokens.entries()) if (!this.#ids.has(token)) this.#ids.set(token, id);
    this.allSpecialIds = new Set([...vocabulary.special].filter(([, token]) => !SHOWN_TOKENS.includes(token)).map(([id]) => id));
    this.eosTokenId = this.#ids.get('</s>');
    this.bosTokenId = this.#ids.get('<s>');
    const names = { bos_token: '<s>', eos_token: '</s>', unk_token: '<unk>', pad_token: '<pad>' };
    this.specialTokens = Object.fromEntries(Object.entries(names).filter(([, token]) => this.#ids.has(token)));
  }

  tokenToId(token: string): number | undefined {
    return this.#ids.get(token);
  }

  idToToken(id: number): string | undefined {
    return this.#vocabulary.tokens[id];
  }

  isAdded(id: number): boolean {
    return this.#vocabulary.special.has(id);
  }

  isSpecial(id: number): boolean {
    return this.#vocabulary.special.has(id);
  }

  async encode(text: string, addSpecialTokens: boolean): Promise<number[]> {
    const ids = await encodeNative(this.#encoder(), text, false);
    return addSpecialTokens && this.bosTokenId !== undefined ? [this.bosTokenId, ...ids] : ids;
  }

  async encodeWithOffsets(text: string, addSpecialTokens: boolean): Promise<EncodingWithOffsets> {
    const { ids, offsets } = await encodeNativeWithOffsets(this.#encoder(), text, false);
    if (!addSpecialTokens || this.bosTokenId === undefined) return { ids, offsets };
    return { ids: [this.bosTokenId, ...ids], offsets: [[0, 0], ...offsets] };
  }

  decode(ids: readonly number[], skipSpecialTokens: boolean): string {
    const known = ids.filter((id) => this.idToToken(id) !== undefined);
    if (!skipSpecialTokens) return this.#vocabulary.keepingText(known);
    const ordinary = known.filter((id) => !this.isSpecial(id)).map((id) => this.idToToken(id) ?? '');
    // Speech models say the language first, as plain text.
    return this.#vocabulary.decoder.decode(ordinary).replace(/^lang:[a-z]{2}/, '');
  }

  tokensToString(tokens: readonly string[]): string {
    return this.#vocabulary.decoder.decode(tokens);
  }

  #encoder(): Native {
    if (this.#native === undefined) throw new Error('This tokenizer was made for decoding only.');
    return this.#native;
  }
}
