import {
  bpe,
  byteFallbackDecoder,
  decoders,
  metaspace,
  normalizers,
  plain,
  precompiled,
  preTokenizers,
  replace,
  SPACE_MARKER,
  split,
  strip,
  template,
} from '../pipeline-parts.ts';
import type { ClassInput, Pipeline, TokenizerClass } from './tokenizer-class.ts';
import { NLLB_LANGUAGES } from './language-codes.ts';

const GEMMA_TOKENS = { unk_token: '<unk>', bos_token: '<bos>', eos_token: '<eos>', pad_token: '<pad>', mask_token: '<mask>' };

function gemmaPipeline(input: ClassInput): Pipeline {
  return {
    model: bpe({ fuseUnk: true, byteFallback: true, unkToken: input.text('unk_token') }),
    normalizer: replace(' ', SPACE_MARKER),
    preTokenizer: split(' ', 'MergedWithPrevious'),
    decoder: byteFallbackDecoder(false),
  };
}

const FAIRSEQ_TOKENS = {
  bos_token: '<s>',
  eos_token: '</s>',
  sep_token: '</s>',
  cls_token: '<s>',
  unk_token: '<unk>',
  pad_token: '<pad>',
};

/** `eng` and `__eng__` name the same language. */
function seamlessLanguage(code: string): string {
  return code.includes('__') ? code : `__${code}__`;
}

/** Classes over SentencePiece vocabularies with merges. */
export const SENTENCEPIECE_BPE_CLASSES: Readonly<Record<string, TokenizerClass>> = {
  LlamaTokenizer: {
    model: 'BPE',
    tokens: { unk_token: '<unk>', bos_token: '<s>', eos_token: '</s>' },
    pipeline: (input) => {
      const addPrefixSpace = input.value('add_prefix_space', null) === null || input.flag('add_prefix_space', true);
      const scheme = input.flag('legacy', false) ? 'always' : 'first';
      return {
        model: bpe({ fuseUnk: true, byteFallback: true }),
        normalizer: null,
        preTokenizer: metaspace(addPrefixSpace ? scheme : 'never', false),
        decoder: byteFallbackDecoder(addPrefixSpace),
      };
    },
  },
  CodeLlamaTokenizer: {
    model: 'BPE',
    tokens: { unk_token: '<unk>', bos_token: '<s>', eos_token: '</s>' },
    modelTokens: {
      prefix_token: '▁<PRE>',
      middle_token: '▁<MID>',
      suffix_token: '▁<SUF>',
      eot_token: '▁<EOT>',
      fill_token: '<FILL_ME>',
    },
    extras: ({ extra, additional }) =>
      extra === undefined ? [...(additional ?? []), '▁<PRE>', '▁<MID>', '▁<SUF>', '▁<EOT>', '<FILL_ME>'] : (extra ?? []),
    addBosToken: true,
    pipeline: (input) => {
      const addPrefixSpace = input.value('add_prefix_space', true) === null || input.flag('add_prefix_space', true);
      return {
        model: bpe({ fuseUnk: true, byteFallback: true, unkToken: input.text('unk_token') }),
        normalizer: null,
        preTokenizer: metaspace(addPrefixSpace ? 'first' : 'never', false),
        decoder: byteFallbackDecoder(true),
      };
    },
  },
  GemmaTokenizer: { model: 'BPE', tokens: GEMMA_TOKENS, pipeline: gemmaPipeline },
  Siglip2Tokenizer: {
    model: 'BPE',
    tokens: GEMMA_TOKENS,
    pipeline: (input) => ({ ...gemmaPipeline(input), normalizer: normalizers(plain('Lowercase'), replace(' ', SPACE_MARKER)) }),
  },
  Tipsv2Tokenizer: {
    model: 'BPE',
    tokens: { unk_token: '<unk>', pad_token: '<pad>', bos_token: null, eos_token: null },
    pipeline: (input) => ({
      model: bpe({ fuseUnk: true, byteFallback: true }),
      normalizer: normalizers(
        ...(input.flag('do_lower_case', true) ? [plain('Lowercase')] : []),
        ...(input.charsmap === null ? [] : [precompiled(input.charsmap)]),
      ),
      preTokenizer: preTokenizers(plain('WhitespaceSplit'), metaspace('always')),
      decoder: decoders(metaspace('always'), plain('ByteFallback'), plain('Fuse')),
    }),
  },
  NllbTokenizer: {
    model: 'BPE',
    renumbersSentencePiece: true,
    tokens: { ...FAIRSEQ_TOKENS, mask_token: '<mask>' },
    maskToken: { lstrip: true, normalized: true },
    extras: ({ extra, additional }) => extra ?? additional ?? NLLB_LANGUAGES,
    pipeline: (input) => ({
      model: bpe({ fuseUnk: true, unkToken: input.text('unk_token') }),
      normalizer: input.charsmap === null ? null : normalizers(precompiled(input.charsmap), replace({ regex: ' {2,}' }, ' ')),
      preTokenizer: metaspace('always'),
      decoder: metaspace('always'),
    }),
    postProcessor: (tokens) => {
      const source = tokens.value('src_lang', null);
      const language = tokens.token(typeof source === 'string' ? source : 'eng_Latn');
      const eos = tokens.named('eos_token');
      return tokens.flag('legacy_behaviour', false) ? template([], [eos, language]) : template([language], [eos]);
    },
  },
  SeamlessM4TTokenizer: {
    model: 'BPE',
    renumbersSentencePiece: true,
    tokens: FAIRSEQ_TOKENS,
    pipeline: (input) => ({
      model: bpe({ fuseUnk: true, unkToken: input.text('unk_token') }),
      normalizer: normalizers(
        replace({ regex: '[\\n\\r\\t]' }, ' '),
        plain('NFKC'),
        strip(false, true),
        replace({ regex: ' +▁' }, SPACE_MARKER),
        replace({ regex: '^▁+$' }, ''),
        replace({ regex: ' {2,}' }, SPACE_MARKER),
      ),
      preTokenizer: metaspace('first'),
      decoder: metaspace('first'),
    }),
    postProcessor: (tokens) => {
      const target = tokens.value('tgt_lang', 'fra');
      const eos = tokens.named('eos_token');
      return template([eos, tokens.token(seamlessLanguage(typeof target === 'string' ? target : 'fra'))], [eos]);
    },
  },
  ReformerTokenizer: {
    model: 'BPE',
    tokens: { eos_token: '</s>', unk_token: '<unk>' },
    pipeline: (input) => ({
      model: bpe({ fuseUnk: true, unkToken: input.text('unk_token') }),
      normalizer: input.charsmap === null ? null : normalizers(precompiled(input.charsmap), replace({ regex: ' {2,}' }, ' ')),
      preTokenizer: metaspace('always'),
      decoder: metaspace('always'),
    }),
    addsSpecialTokensAgain: 'as named',
  },
};
