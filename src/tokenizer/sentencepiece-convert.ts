import { draftToken, type AddedTokenDraft } from './added-tokens.ts';
import { byteFallbackDecoder, decoders, normalizers, precompiled, replace, SPACE_MARKER, type Part } from './pipeline-parts.ts';
import type { SentencePieceModel } from './sentencepiece-model.ts';

/** A SentencePiece model as the classes of transformers take it: the vocabulary, and what a tokenizer without a class of its own is. */
export interface ConvertedSentencePiece {
  /** A `tokenizer.json` with the pipeline of the plain class. */
  json: Buffer;
  /** Control symbols (special) and symbols that the model's makers defined: added tokens, in the order of their ids. */
  symbols: AddedTokenDraft[];
  /** Names of special tokens that the model itself gives. */
  named: Record<string, string>;
}

/**
 * @param wanted the model that the tokenizer's class builds, which decides about merges or scores; undefined for the file's own
 * @param renamed texts that the configuration gives to pieces, by id
 * @param mergeOrder `id` as transformers converts, `score` as SentencePiece itself merges: not the same in every model
 */
export function convertSentencePiece(
  model: SentencePieceModel,
  wanted: 'BPE' | 'Unigram' | 'WordPiece' | undefined,
  renamed: ReadonlyMap<number, string>,
  mergeOrder: 'id' | 'score' = 'id',
): ConvertedSentencePiece {
  const texts = model.pieces.map(({ text }) => text);
  const known = new Set(texts);
  for (const [id, text] of renamed) if (id < texts.length && !known.has(text)) texts[id] = text;
  const asBpe = wanted === undefined ? model.kind !== 'unigram' : wanted === 'BPE';
  const { params, vocab, merges } = asBpe ? bpeModel(model, texts, mergeOrder) : unigramModel(model, texts);
  const head = {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: [],
    normalizer: plainNormalizer(model),
    pre_tokenizer: null,
    post_processor: null,
    decoder: model.byteFallback ? byteFallbackDecoder(false) : decoders(replace(SPACE_MARKER, ' ')),
  };
  const opening = `${JSON.stringify(head).slice(0, -1)},"model":${JSON.stringify(params).slice(0, -1)}`;
  return {
    json: Buffer.from(`${opening},"vocab":${vocab}${merges === undefined ? '' : `,"merges":[${merges}]`}}}`),
    symbols: model.pieces
      .filter(({ kind }) => kind === 'control' || kind === 'user')
      .map(({ text, kind }) => draftToken(text, { normalized: false, special: kind === 'control' })),
    named: namedTokens(model),
  };
}

function plainNormalizer({ charsmap }: SentencePieceModel): Part {
  return normalizers(...(charsmap.length > 0 ? [precompiled(charsmap.toString('base64'))] : []), replace(' ', SPACE_MARKER));
}

function namedTokens({ begin, end, unknown }: SentencePieceModel): Record<string, string> {
  return {
    ...(begin.id >= 0 ? { bos_token: begin.text } : {}),
    ...(end.id >= 0 ? { eos_token: end.text } : {}),
    ...(unknown.id >= 0 ? { unk_token: unknown.text } : {}),
  };
}

interface ModelText {
  params: Part;
  vocab: string;
  merges?: string;
}

function bpeModel({ pieces, byteFallback, unknown }: SentencePieceModel, texts: readonly string[], mergeOrder: 'id' | 'score'): ModelText {
  // Equal pieces keep the place of the first and the id of the last, as an assignment to a dictionary does.
  const ids = new Map<string, number>();
  for (const [id, text] of texts.entries()) ids.set(text, id);
  const vocab: string[] = [];
  const merges: { id: number; text: string }[] = [];
  for (const [text, id] of ids) {
    vocab.push(`${JSON.stringify(text)}:${id}`);
    for (const cut of codePointBorders(text)) {
      const left = text.slice(0, cut);
      const right = text.slice(cut);
      if (ids.has(left) && ids.has(right)) merges.push({ id, text: `[${JSON.stringify(left)},${JSON.stringify(right)}]` });
    }
  }
  const score = (id: number): number => (mergeOrder === 'id' ? 0 : (pieces[id]?.score ?? 0));
  merges.sort((a, b) => score(b.id) - score(a.id) || a.id - b.id);
  return {
    params: {
      type: 'BPE',
      dropout: null,
      unk_token: unknown.text,
      continuing_subword_prefix: null,
      end_of_word_suffix: null,
      fuse_unk: true,
      byte_fallback: byteFallback,
      ignore_merges: false,
    },
    vocab: `{${vocab.join(',')}}`,
    merges: merges.map(({ text }) => text).join(','),
  };
}

/** Places inside a text between two characters. */
function* codePointBorders(text: string): Generator<number> {
  let index = 0;
  for (const character of text) {
    index += character.length;
    if (index < text.length) yield index;
  }
}

function unigramModel({ pieces, unknown, byteFallback }: SentencePieceModel, texts: readonly string[]): ModelText {
  const vocab = pieces.map(({ score }, id) => `[${JSON.stringify(texts[id])},${JSON.stringify(score)}]`);
  return { params: { type: 'Unigram', unk_id: unknown.id, byte_fallback: byteFallback }, vocab: `[${vocab.join(',')}]` };
}
