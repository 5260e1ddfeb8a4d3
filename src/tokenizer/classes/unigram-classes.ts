import {
  metaspace,
  normalizers,
  plain,
  precompiled,
  preTokenizers,
  replace,
  SPACE_MARKER,
  strip,
  template,
  unigram,
} from '../pipeline-parts.ts';
import type { ClassInput, ClassTokens, GivenExtras, Pipeline, TokenizerClass } from './tokenizer-class.ts';
import type { TokenSetting } from '../tokenizer-settings.ts';
import type { Part } from '../pipeline-parts.ts';
import { tokenText } from '../tokenizer-settings.ts';
import { MLUKE_ENTITIES } from './byte-level-classes.ts';
import { MBART50_LANGUAGES, MBART_LANGUAGES } from './language-codes.ts';

const FAIRSEQ_TOKENS = {
  bos_token: '<s>',
  eos_token: '</s>',
  sep_token: '</s>',
  cls_token: '<s>',
  unk_token: '<unk>',
  pad_token: '<pad>',
  mask_token: '<mask>',
};
const ALBERT_TOKENS = {
  bos_token: '[CLS]',
  eos_token: '[SEP]',
  unk_token: '<unk>',
  sep_token: '[SEP]',
  pad_token: '<pad>',
  cls_token: '[CLS]',
  mask_token: '[MASK]',
};
const QUOTES = [replace('``', '"'), replace("''", '"')];
const ONE_SPACE = replace({ regex: ' {2,}' }, ' ');

function charsmapPart({ charsmap }: ClassInput): Part[] {
  return charsmap === null ? [] : [precompiled(charsmap)];
}

function scheme(input: ClassInput): 'always' | 'never' {
  return input.flag('add_prefix_space', true) ? 'always' : 'never';
}

/** Words cut at white space, each with the marker in front. */
function wordsPipeline(unkId: number, normalizer: Part | null, prepend: 'always' | 'never' = 'always'): Pipeline {
  return {
    model: unigram(unkId),
    normalizer,
    preTokenizer: preTokenizers(plain('WhitespaceSplit'), metaspace(prepend)),
    decoder: metaspace(prepend),
  };
}

function markedPipeline(unkId: number, normalizer: Part | null, prepend: 'always' | 'never' | 'first' = 'always'): Pipeline {
  return { model: unigram(unkId), normalizer, preTokenizer: metaspace(prepend), decoder: metaspace(prepend) };
}

/** `<extra_id_N>` tokens of T5 and its kin, unless the files name them. */
function sentinels({ extra, additional }: GivenExtras, input: ClassInput): readonly TokenSetting[] {
  if (extra !== undefined) return extra ?? [];
  const count = Number(input.value('extra_ids', 100));
  const all = Array.from({ length: count }, (_, index) => `<extra_id_${index}>`);
  if (additional === undefined || additional === null) return all;
  return additional.some((token) => tokenText(token).includes('<extra_id_')) ? additional : [...additional, ...all];
}

function orGiven(fallback: readonly string[]) {
  return ({ extra, additional }: GivenExtras): readonly TokenSetting[] => (extra === undefined ? (additional ?? fallback) : (extra ?? []));
}

function clsAndSep(tokens: ClassTokens): Part {
  return template([tokens.named('cls_token')], [tokens.named('sep_token')]);
}

function eosAfter(tokens: ClassTokens): Part {
  return template([], [{ text: '</s>', id: tokens.named('eos_token').id }]);
}

const T5: TokenizerClass = {
  model: 'Unigram',
  renumbersSentencePiece: true,
  tokens: { eos_token: '</s>', unk_token: '<unk>', pad_token: '<pad>' },
  extras: sentinels,
  pipeline: (input) => wordsPipeline(2, charsmapPart(input)[0] ?? null),
  postProcessor: eosAfter,
};

const ALBERT: TokenizerClass = {
  model: 'Unigram',
  tokens: ALBERT_TOKENS,
  pipeline: (input) => {
    const accents = input.flag('keep_accents', false) ? [] : [plain('NFKD'), plain('StripAccents')];
    const lower = input.flag('do_lower_case', true) ? [plain('Lowercase')] : [];
    return wordsPipeline(1, normalizers(...QUOTES, ...accents, ...lower, ...charsmapPart(input)), scheme(input));
  },
  defaultPostProcessor: clsAndSep,
};

function mbartTemplate(tokens: ClassTokens): Part {
  const source = tokens.value('src_lang', null);
  return template([], [tokens.named('eos_token'), tokens.token(typeof source === 'string' ? source : 'en_XX')]);
}

/** Classes over SentencePiece vocabularies with scores. */
export const UNIGRAM_CLASSES: Readonly<Record<string, TokenizerClass>> = {
  AlbertTokenizer: ALBERT,
  FNetTokenizer: { model: ALBERT.model, tokens: ALBERT.tokens, pipeline: ALBERT.pipeline, keepsPipeline: true },
  T5Tokenizer: T5,
  LasrTokenizer: { ...T5, pipeline: (input) => wordsPipeline(3, charsmapPart(input)[0] ?? null) },
  VideoPrismTokenizer: { model: T5.model, tokens: T5.tokens, extras: sentinels, pipeline: T5.pipeline },
  UdopTokenizer: {
    model: 'Unigram',
    tokens: { eos_token: '</s>', sep_token: '</s>', unk_token: '<unk>', pad_token: '<pad>' },
    pipeline: (input) => wordsPipeline(input.position(input.text('unk_token')) ?? 2, null),
    postProcessor: eosAfter,
  },
  BarthezTokenizer: {
    model: 'Unigram',
    tokens: FAIRSEQ_TOKENS,
    maskToken: { lstrip: true },
    pipeline: (input) =>
      markedPipeline(3, normalizers(replace({ regex: '\\s{2,}|[\\n\\r\\t]' }, ' '), plain('NFC'), strip(false, true)), scheme(input)),
  },
  BigBirdTokenizer: {
    model: 'Unigram',
    tokens: { ...FAIRSEQ_TOKENS, sep_token: '[SEP]', mask_token: '[MASK]', cls_token: '[CLS]' },
    maskToken: { lstrip: true },
    pipeline: (input) =>
      markedPipeline(
        input.position(input.text('unk_token'), { score: 0 }) ?? 100,
        normalizers(strip(false, false), replace({ regex: ' {2,}' }, SPACE_MARKER)),
        scheme(input),
      ),
    postProcessor: clsAndSep,
  },
  CamembertTokenizer: {
    model: 'Unigram',
    renumbersSentencePiece: true,
    tokens: FAIRSEQ_TOKENS,
    maskToken: { lstrip: true },
    extras: orGiven(['<s>NOTUSED', '</s>NOTUSED', '<unk>NOTUSED']),
    pipeline: (input) => wordsPipeline(input.position(input.text('unk_token')) ?? 0, charsmapPart(input)[0] ?? null, scheme(input)),
    postProcessor: (tokens) => template([tokens.named('bos_token')], [tokens.named('eos_token')]),
  },
  DebertaV2Tokenizer: {
    model: 'Unigram',
    tokens: { ...ALBERT_TOKENS, unk_token: '[UNK]', pad_token: '[PAD]' },
    pipeline: (input) => {
      const lower = input.flag('do_lower_case', false) ? [plain('Lowercase')] : [];
      const punctuation = input.flag('split_by_punct', false) ? [{ type: 'Punctuation', behavior: 'Isolated' }] : [];
      const prepend = input.flag('add_prefix_space', true) ? 'always' : 'first';
      return {
        model: unigram(input.position(input.text('unk_token'), { score: 0 }) ?? Number(input.value('unk_id', 1))),
        normalizer: normalizers(...lower, replace({ regex: '\\s{2,}|[\\n\\r\\t]' }, ' '), plain('NFC'), strip(false, true)),
        preTokenizer: preTokenizers(...punctuation, metaspace(prepend)),
        decoder: metaspace(prepend),
      };
    },
    postProcessor: clsAndSep,
  },
  LayoutXLMTokenizer: {
    model: 'Unigram',
    tokens: FAIRSEQ_TOKENS,
    maskToken: { lstrip: true },
    pipeline: (input) => markedPipeline(3, normalizers(strip(false, true), replace({ regex: ' {2,}' }, SPACE_MARKER)), scheme(input)),
    postProcessor: clsAndSep,
  },
  MBartTokenizer: {
    model: 'Unigram',
    renumbersSentencePiece: true,
    tokens: FAIRSEQ_TOKENS,
    maskToken: { lstrip: true },
    extras: ({ extra, additional }) => (extra === undefined ? [...MBART_LANGUAGES, ...(additional ?? [])] : (extra ?? [])),
    pipeline: () => wordsPipeline(3, null),
    postProcessor: mbartTemplate,
  },
  MBart50Tokenizer: {
    model: 'Unigram',
    renumbersSentencePiece: true,
    tokens: { eos_token: '</s>', sep_token: '</s>', cls_token: '<s>', unk_token: '<unk>', pad_token: '<pad>', mask_token: '<mask>' },
    maskToken: { lstrip: true },
    extras: ({ extra, additional }) => (extra === undefined ? [...(additional ?? []), ...MBART50_LANGUAGES] : (extra ?? [])),
    alsoSpecial: MBART50_LANGUAGES,
    pipeline: (input) => markedPipeline(3, normalizers(...charsmapPart(input), ONE_SPACE)),
    postProcessor: (tokens) => {
      const source = tokens.value('src_lang', null);
      return template([tokens.token(typeof source === 'string' ? source : 'en_XX')], [tokens.named('eos_token')]);
    },
  },
  MLukeTokenizer: {
    model: 'Unigram',
    tokens: FAIRSEQ_TOKENS,
    maskToken: { lstrip: true },
    ...MLUKE_ENTITIES,
    pipeline: () => markedPipeline(0, normalizers(...QUOTES)),
    postProcessor: clsAndSep,
    addsSpecialTokensAgain: 'as named',
  },
  PegasusTokenizer: {
    model: 'Unigram',
    renumbersSentencePiece: true,
    tokens: { pad_token: '<pad>', eos_token: '</s>', unk_token: '<unk>', mask_token: '<mask_2>' },
    extras: ({ extra, additional }, input) => {
      if (extra !== undefined) return extra ?? [];
      const sentence = input.value('mask_token_sent', '<mask_1>');
      const named = typeof sentence === 'string' ? sentence : null;
      const first = named === null || (additional ?? []).some((token) => tokenText(token) === named) ? [] : [named];
      return [...first, ...Array.from({ length: Number(input.value('offset', 103)) - 2 }, (_, index) => `<unk_${index + 2}>`)];
    },
    pipeline: (input) =>
      markedPipeline(
        input.position(input.text('unk_token'), { score: 0, from: 1 }) ?? 0,
        input.charsmap === null
          ? normalizers(replace({ regex: '\\n' }, ' '), ONE_SPACE)
          : normalizers(precompiled(input.charsmap), ONE_SPACE),
      ),
    postProcessor: (tokens) => template([], [tokens.named('eos_token')]),
  },
  RemBertTokenizer: {
    model: 'Unigram',
    tokens: ALBERT_TOKENS,
    pipeline: (input) => {
      const accents = input.flag('keep_accents', true) ? [] : [plain('NFKD'), plain('StripAccents')];
      const lower = input.flag('do_lower_case', false) ? [plain('Lowercase')] : [];
      return markedPipeline(2, normalizers(...QUOTES, ONE_SPACE, ...accents, ...lower, ...charsmapPart(input)), scheme(input));
    },
    // Making the template anew from the names comes last where the file had none, and it names nothing.
    postProcessor: (tokens) => (tokens.fileHasPostProcessor ? clsAndSep(tokens) : template([], [])),
    addsSpecialTokensAgain: 'as named',
  },
  XGLMTokenizer: {
    model: 'Unigram',
    tokens: { bos_token: '<s>', eos_token: '</s>', sep_token: '</s>', cls_token: '<s>', unk_token: '<unk>', pad_token: '<pad>' },
    extras: ({ extra, additional }) => {
      if (extra !== undefined) return extra ?? [];
      const given = new Set((additional ?? []).map(tokenText));
      const filler = Array.from({ length: 7 }, (_, index) => `<madeupword${index}>`).filter((word) => !given.has(word));
      return [...(additional ?? []), ...filler];
    },
    pipeline: (input) => markedPipeline(3, normalizers(...charsmapPart(input), ONE_SPACE), scheme(input)),
    postProcessor: (tokens) => template([tokens.named('eos_token')], []),
  },
  XLMRobertaTokenizer: {
    model: 'Unigram',
    renumbersSentencePiece: true,
    tokens: FAIRSEQ_TOKENS,
    pipeline: (input) => wordsPipeline(3, charsmapPart(input)[0] ?? null, scheme(input)),
    postProcessor: (tokens) => template([tokens.named('bos_token')], [tokens.named('eos_token')]),
  },
  XLNetTokenizer: {
    model: 'Unigram',
    tokens: { ...FAIRSEQ_TOKENS, sep_token: '<sep>', cls_token: '<cls>' },
    maskToken: { lstrip: true },
    extras: orGiven(['<eop>', '<eod>']),
    pipeline: (input) => {
      const lower = input.flag('do_lower_case', false) ? [plain('Lowercase')] : [];
      const normalizer = normalizers(...QUOTES, plain('NFKD'), plain('StripAccents'), ...lower, ...charsmapPart(input));
      return wordsPipeline(Number(input.value('unk_id', 0)), normalizer);
    },
    postProcessor: (tokens) => template([], [tokens.named('sep_token'), tokens.named('cls_token')]),
  },
};
