/** Parts of a tokenizer pipeline in the form of `tokenizer.json`. */
export type Part = Readonly<Record<string, unknown>>;

/** The character that SentencePiece vocabularies write for a space. */
export const SPACE_MARKER = '▁';

type Pattern = string | { regex: string };
type PrependScheme = 'always' | 'first' | 'never';

function pattern(value: Pattern): Part {
  return typeof value === 'string' ? { String: value } : { Regex: value.regex };
}

/** Normalizer or decoder: replaces every match. */
export function replace(from: Pattern, content: string): Part {
  return { type: 'Replace', pattern: pattern(from), content };
}

/** A part without options. */
export function plain(type: string): Part {
  return { type };
}

export function normalizers(...list: Part[]): Part {
  return { type: 'Sequence', normalizers: list };
}

export function preTokenizers(...list: Part[]): Part {
  return { type: 'Sequence', pretokenizers: list };
}

export function decoders(...list: Part[]): Part {
  return { type: 'Sequence', decoders: list };
}

/** Normalizer: cuts white space off the ends. */
export function strip(left: boolean, right: boolean): Part {
  return { type: 'Strip', strip_left: left, strip_right: right };
}

/** SentencePiece's compiled normalization rules, base64. */
export function precompiled(charsmap: string): Part {
  return { type: 'Precompiled', precompiled_charsmap: charsmap };
}

export function bertNormalizer(options: {
  cleanText?: boolean;
  chinese?: boolean;
  stripAccents?: boolean | null;
  lowercase?: boolean;
}): Part {
  return {
    type: 'BertNormalizer',
    clean_text: options.cleanText ?? true,
    handle_chinese_chars: options.chinese ?? true,
    strip_accents: options.stripAccents ?? null,
    lowercase: options.lowercase ?? true,
  };
}

/** Pre-tokenizer or decoder of SentencePiece vocabularies: spaces become `▁` and back. */
export function metaspace(scheme: PrependScheme, split = true): Part {
  return { type: 'Metaspace', replacement: SPACE_MARKER, prepend_scheme: scheme, split };
}

/** Pre-tokenizer: bytes become printable characters. */
export function byteLevel(addPrefixSpace: boolean, useRegex = true, trimOffsets = true): Part {
  return { type: 'ByteLevel', add_prefix_space: addPrefixSpace, trim_offsets: trimOffsets, use_regex: useRegex };
}

/** Decoder: printable characters become bytes again. Its options have no effect. */
export function byteLevelDecoder(): Part {
  return byteLevel(true);
}

export function split(on: Pattern, behavior: 'Removed' | 'Isolated' | 'MergedWithPrevious', invert = false): Part {
  return { type: 'Split', pattern: pattern(on), behavior, invert };
}

export function wordPieceDecoder(prefix: string): Part {
  return { type: 'WordPiece', prefix, cleanup: true };
}

/** Decoder of SentencePiece vocabularies with a token for each byte (`<0xE2>`); `stripped` takes off the space in front. */
export function byteFallbackDecoder(stripped: boolean): Part {
  const steps = [replace(SPACE_MARKER, ' '), plain('ByteFallback'), plain('Fuse')];
  return decoders(...steps, ...(stripped ? [{ type: 'Strip', content: ' ', start: 1, stop: 0 }] : []));
}

/** A special token with its id, in front of or after the text. */
export interface TemplateToken {
  text: string;
  id: number;
}

/** Post-processor: special tokens around the text. Pairs of texts are never encoded here, so their form is the plainest one. */
export function template(before: readonly TemplateToken[], after: readonly TemplateToken[]): Part {
  const special = ({ text }: TemplateToken): Part => ({ SpecialToken: { id: text, type_id: 0 } });
  const text = { Sequence: { id: 'A', type_id: 0 } };
  const single = [...before.map(special), text, ...after.map(special)];
  const tokens = [...before, ...after];
  return {
    type: 'TemplateProcessing',
    single,
    pair: [...single, { Sequence: { id: 'B', type_id: 1 } }],
    special_tokens: Object.fromEntries(tokens.map(({ text: id, id: number }) => [id, { id, ids: [number], tokens: [id] }])),
  };
}

/** Post-processor: `cls`, text, `sep`; and what it does to offsets. */
export function robertaProcessing(sep: TemplateToken, cls: TemplateToken, trimOffsets = true, addPrefixSpace = true): Part {
  return {
    type: 'RobertaProcessing',
    sep: [sep.text, sep.id],
    cls: [cls.text, cls.id],
    trim_offsets: trimOffsets,
    add_prefix_space: addPrefixSpace,
  };
}

/** A BPE model without its vocabulary and merges. */
export function bpe(options: {
  unkToken?: string | null;
  affixes?: boolean;
  suffix?: string;
  fuseUnk?: boolean;
  byteFallback?: boolean;
}): Part {
  return {
    type: 'BPE',
    dropout: null,
    unk_token: options.unkToken ?? null,
    continuing_subword_prefix: options.affixes === true ? '' : null,
    end_of_word_suffix: options.suffix ?? (options.affixes === true ? '' : null),
    fuse_unk: options.fuseUnk ?? false,
    byte_fallback: options.byteFallback ?? false,
    ignore_merges: false,
  };
}

export function unigram(unkId: number): Part {
  return { type: 'Unigram', unk_id: unkId, byte_fallback: false };
}

export function wordPiece(unkToken: string): Part {
  return { type: 'WordPiece', unk_token: unkToken, continuing_subword_prefix: '##', max_input_chars_per_word: 100 };
}
