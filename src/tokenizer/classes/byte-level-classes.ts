import {
  bertNormalizer,
  bpe,
  byteLevel,
  byteLevelDecoder,
  normalizers,
  plain,
  preTokenizers,
  replace,
  robertaProcessing,
  split,
  template,
} from '../pipeline-parts.ts';
import type { ClassInput, Pipeline, TokenizerClass } from './tokenizer-class.ts';

/** How Qwen models cut a text into words. */
export const QWEN2_WORDS: string =
  "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
const QWEN3_5_WORDS =
  "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?[\\p{L}\\p{M}]+|\\p{N}| ?[^\\s\\p{L}\\p{M}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
const CLIP_WORDS = "<\\|startoftext\\|>|<\\|endoftext\\|>|'s|'t|'re|'ve|'m|'ll|'d|[\\p{L}]+|[\\p{N}]|[^\\s\\p{L}\\p{N}]+";
/** A string, not an expression: the class gives it as one by mistake, and what is loaded has it so. */
const NOUGAT_PUNCTUATION = '[\\(\\)\\[\\]\\{\\}]|([!\\"#\\$%\\&\'\\*\\+,\\-\\./:;<=>\\?\\\\\\^_`\\|\\~])\\1*';

const ROBERTA_TOKENS = {
  bos_token: '<s>',
  eos_token: '</s>',
  sep_token: '</s>',
  cls_token: '<s>',
  unk_token: '<unk>',
  pad_token: '<pad>',
  mask_token: '<mask>',
};

/** The pipeline of GPT-2, which most of this family share. */
function gpt2Pipeline(addPrefixSpace: boolean) {
  return (input: ClassInput): Pipeline => ({
    model: bpe({ affixes: true }),
    normalizer: null,
    preTokenizer: byteLevel(input.flag('add_prefix_space', addPrefixSpace)),
    decoder: byteLevelDecoder(),
  });
}

function qwenPipeline(words: string) {
  return (input: ClassInput): Pipeline => ({
    model: bpe({ affixes: true }),
    normalizer: plain('NFC'),
    preTokenizer: preTokenizers(split({ regex: words }, 'Isolated'), byteLevel(input.flag('add_prefix_space', false), false)),
    decoder: byteLevelDecoder(),
  });
}

const QWEN_TOKENS = { unk_token: '<|endoftext|>', bos_token: null, eos_token: '<|endoftext|>', pad_token: '<|endoftext|>' };
const GPT2_TOKENS = { unk_token: '<|endoftext|>', bos_token: '<|endoftext|>', eos_token: '<|endoftext|>', pad_token: null };

/** Entities of LUKE models: named tokens that are also further special tokens. */
function lukeClass(marker: string): Pick<TokenizerClass, 'modelTokens' | 'extras' | 'cleansUpBpe'> {
  const others = { entity_unk_token: '[UNK]', entity_pad_token: '[PAD]', entity_mask_token: '[MASK]', entity_mask2_token: '[MASK2]' };
  const entities = [`${marker}<ent>`, `${marker}<ent2>`];
  return {
    modelTokens: { entity_1_token: `${marker}<ent>`, entity_2_token: `${marker}<ent2>`, ...others },
    extras: ({ extra, additional }) => [...(extra ?? []), ...(additional ?? []), ...entities],
    cleansUpBpe: true,
  };
}

/** Entity tokens of mLUKE, whose vocabulary is SentencePiece's. */
export const MLUKE_ENTITIES: Pick<TokenizerClass, 'modelTokens' | 'extras' | 'cleansUpBpe'> = lukeClass('▁');

/** Classes over byte-level BPE vocabularies, and the two word-based ones beside them. */
export const BYTE_LEVEL_CLASSES: Readonly<Record<string, TokenizerClass>> = {
  GPT2Tokenizer: { model: 'BPE', tokens: GPT2_TOKENS, pipeline: gpt2Pipeline(false) },
  CodeGenTokenizer: {
    model: 'BPE',
    tokens: GPT2_TOKENS,
    pipeline: gpt2Pipeline(false),
    defaultPostProcessor: () => byteLevel(true, true, false),
  },
  GPTNeoXTokenizer: {
    model: 'BPE',
    tokens: { ...GPT2_TOKENS, pad_token: '<|padding|>' },
    pipeline: (input) => ({
      ...gpt2Pipeline(false)(input),
      normalizer: plain('NFC'),
      preTokenizer: byteLevel(input.flag('add_prefix_space', false), true, input.flag('trim_offsets', true)),
    }),
    postProcessor: (tokens) =>
      template(
        tokens.flag('add_bos_token', false) ? [tokens.named('bos_token')] : [],
        tokens.flag('add_eos_token', false) ? [tokens.named('eos_token')] : [],
      ),
  },
  WhisperTokenizer: {
    model: 'BPE',
    tokens: GPT2_TOKENS,
    pipeline: gpt2Pipeline(false),
    postProcessor: (tokens) => {
      const prefix = [tokens.token('<|startoftranscript|>')];
      if (!tokens.flag('predict_timestamps', false)) prefix.push(tokens.token('<|notimestamps|>'));
      return template(prefix, [tokens.named('eos_token')]);
    },
  },
  RobertaTokenizer: {
    model: 'BPE',
    tokens: ROBERTA_TOKENS,
    pipeline: gpt2Pipeline(false),
    postProcessor: (tokens) =>
      robertaProcessing(
        tokens.named('sep_token'),
        tokens.named('cls_token'),
        tokens.flag('trim_offsets', true),
        tokens.flag('add_prefix_space', false),
      ),
  },
  LayoutLMv3Tokenizer: {
    model: 'BPE',
    tokens: ROBERTA_TOKENS,
    pipeline: gpt2Pipeline(true),
    postProcessor: (tokens) =>
      robertaProcessing(tokens.named('sep_token'), tokens.named('cls_token'), true, tokens.flag('add_prefix_space', true)),
  },
  LukeTokenizer: {
    model: 'BPE',
    tokens: ROBERTA_TOKENS,
    ...lukeClass(''),
    pipeline: gpt2Pipeline(false),
    postProcessor: (tokens) => robertaProcessing(tokens.named('sep_token'), tokens.named('cls_token')),
  },
  MarkupLMTokenizer: {
    model: 'BPE',
    tokens: ROBERTA_TOKENS,
    maskToken: { lstrip: true },
    pipeline: gpt2Pipeline(false),
    postProcessor: (tokens) => template([tokens.named('cls_token')], [tokens.named('sep_token')]),
  },
  BlenderbotTokenizer: { model: 'BPE', tokens: ROBERTA_TOKENS, maskToken: { lstrip: true }, pipeline: gpt2Pipeline(true) },
  DebertaTokenizer: {
    model: 'BPE',
    tokens: {
      bos_token: '[CLS]',
      eos_token: '[SEP]',
      sep_token: '[SEP]',
      cls_token: '[CLS]',
      unk_token: '[UNK]',
      pad_token: '[PAD]',
      mask_token: '[MASK]',
    },
    pipeline: gpt2Pipeline(false),
    postProcessor: (tokens) => template([tokens.named('cls_token')], [tokens.named('sep_token')]),
  },
  CohereTokenizer: {
    model: 'BPE',
    tokens: {
      unk_token: '<UNK>',
      bos_token: '<BOS_TOKEN>',
      eos_token: '<|END_OF_TURN_TOKEN|>',
      pad_token: '<PAD>',
      cls_token: '<CLS>',
      sep_token: '<SEP>',
      mask_token: '<MASK_TOKEN>',
    },
    pipeline: (input) => ({
      model: bpe({ affixes: true }),
      normalizer: plain('NFC'),
      preTokenizer: preTokenizers({ type: 'Digits', individual_digits: true }, byteLevel(input.flag('add_prefix_space', false))),
      decoder: byteLevelDecoder(),
    }),
    addsSpecialTokensAgain: 'as named',
  },
  NougatTokenizer: {
    model: 'BPE',
    tokens: { unk_token: '<unk>', bos_token: '<s>', eos_token: '</s>', pad_token: '<pad>' },
    pipeline: () => ({
      model: bpe({ affixes: true }),
      normalizer: plain('NFKC'),
      preTokenizer: preTokenizers(
        split('SPL1T-TH1S-Pl3A5E', 'Removed'),
        { type: 'Digits', individual_digits: true },
        split(NOUGAT_PUNCTUATION, 'Isolated'),
        split('\n', 'Isolated'),
        byteLevel(false),
      ),
      decoder: byteLevelDecoder(),
    }),
    postProcessor: (tokens) => template([tokens.named('bos_token')], [tokens.named('eos_token')]),
  },
  Qwen2Tokenizer: { model: 'BPE', tokens: QWEN_TOKENS, pipeline: qwenPipeline(QWEN2_WORDS), addsSpecialTokensAgain: 'plain' },
  Qwen3_5Tokenizer: { model: 'BPE', tokens: QWEN_TOKENS, pipeline: qwenPipeline(QWEN3_5_WORDS) },
  CLIPTokenizer: {
    model: 'BPE',
    tokens: { unk_token: '<|endoftext|>', bos_token: '<|startoftext|>', eos_token: '<|endoftext|>', pad_token: '<|endoftext|>' },
    pipeline: (input) => ({
      model: bpe({ affixes: true, suffix: '</w>', unkToken: input.text('unk_token') }),
      normalizer: normalizers(plain('NFC'), replace({ regex: '\\s+' }, ' '), plain('Lowercase')),
      preTokenizer: preTokenizers(split({ regex: CLIP_WORDS }, 'Removed', true), byteLevel(false)),
      decoder: byteLevelDecoder(),
    }),
    postProcessor: (tokens) => robertaProcessing(tokens.named('eos_token'), tokens.named('bos_token'), false, false),
    finishText: (text) => text.replaceAll('</w>', ' ').trim(),
  },
  HerbertTokenizer: {
    model: 'BPE',
    tokens: { cls_token: '<s>', unk_token: '<unk>', pad_token: '<pad>', mask_token: '<mask>', sep_token: '</s>' },
    pipeline: (input) => ({
      model: bpe({ suffix: '</w>', unkToken: input.text('unk_token') }),
      normalizer: bertNormalizer({ lowercase: false, stripAccents: false }),
      preTokenizer: plain('BertPreTokenizer'),
      decoder: { type: 'BPEDecoder', suffix: '</w>' },
    }),
    postProcessor: (tokens) => ({
      type: 'BertProcessing',
      sep: [tokens.named('sep_token').text, 2],
      cls: [tokens.named('cls_token').text, 0],
    }),
  },
  OpenAIGPTTokenizer: {
    model: 'BPE',
    tokens: { unk_token: '<unk>' },
    pipeline: (input) => ({
      model: bpe({ affixes: true, suffix: '</w>', unkToken: input.text('unk_token') }),
      normalizer: bertNormalizer({}),
      preTokenizer: plain('BertPreTokenizer'),
      decoder: { type: 'BPEDecoder', suffix: '</w>' },
    }),
  },
};
