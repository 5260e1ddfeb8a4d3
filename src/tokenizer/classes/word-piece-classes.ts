import { bertNormalizer, plain, robertaProcessing, template, wordPiece, wordPieceDecoder } from '../pipeline-parts.ts';
import type { ClassInput, ClassTokens, Pipeline, TokenizerClass } from './tokenizer-class.ts';
import type { Part } from '../pipeline-parts.ts';

const BERT_TOKENS = { unk_token: '[UNK]', sep_token: '[SEP]', pad_token: '[PAD]', cls_token: '[CLS]', mask_token: '[MASK]' };

function bertPipeline(input: ClassInput): Pipeline {
  const accents = input.value('strip_accents', null);
  return {
    model: wordPiece(input.text('unk_token')),
    normalizer: bertNormalizer({
      cleanText: input.flag('clean_text', true),
      chinese: input.flag('tokenize_chinese_chars', true),
      stripAccents: typeof accents === 'boolean' ? accents : null,
      lowercase: input.flag('do_lower_case', true),
    }),
    preTokenizer: plain('BertPreTokenizer'),
    decoder: wordPieceDecoder('##'),
  };
}

function clsAndSep(tokens: ClassTokens): Part {
  return template([tokens.named('cls_token')], [tokens.named('sep_token')]);
}

const BERT: TokenizerClass = {
  model: 'WordPiece',
  tokens: BERT_TOKENS,
  // `clean_text` is an option of Funnel alone.
  pipeline: (input) => bertPipeline({ ...input, flag: (name, otherwise) => (name === 'clean_text' ? true : input.flag(name, otherwise)) }),
  postProcessor: clsAndSep,
};

/** Classes over WordPiece vocabularies. */
export const WORD_PIECE_CLASSES: Readonly<Record<string, TokenizerClass>> = {
  BertTokenizer: BERT,
  DistilBertTokenizer: BERT,
  DPRContextEncoderTokenizer: BERT,
  DPRQuestionEncoderTokenizer: BERT,
  DPRReaderTokenizer: BERT,
  LayoutLMv2Tokenizer: BERT,
  ConvBertTokenizer: { ...BERT, keepsPipeline: true },
  FunnelTokenizer: {
    model: 'WordPiece',
    tokens: {
      unk_token: '<unk>',
      sep_token: '<sep>',
      pad_token: '<pad>',
      cls_token: '<cls>',
      mask_token: '<mask>',
      bos_token: '<s>',
      eos_token: '</s>',
    },
    pipeline: (input) => {
      const prefix = input.value('wordpieces_prefix', '##');
      return { ...bertPipeline(input), decoder: wordPieceDecoder(typeof prefix === 'string' ? prefix : '##') };
    },
    postProcessor: clsAndSep,
  },
  MPNetTokenizer: {
    ...BERT,
    tokens: {
      bos_token: '<s>',
      eos_token: '</s>',
      sep_token: '</s>',
      cls_token: '<s>',
      unk_token: '[UNK]',
      pad_token: '<pad>',
      mask_token: '<mask>',
    },
    maskToken: { lstrip: true },
    postProcessor: (tokens) => robertaProcessing(tokens.named('sep_token'), tokens.named('cls_token'), true, false),
  },
  SplinterTokenizer: { ...BERT, modelTokens: { question_token: '[QUESTION]' } },
};
