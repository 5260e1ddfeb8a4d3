import { StartupError } from '../core/errors.ts';
import type { TokenizerFiles } from '../model/tokenizer-files.ts';
import { brokenFile } from './broken-file.ts';
import { chooseClassName, tokenizerClass } from './classes/choose-class.ts';
import type { TokenizerClass } from './classes/tokenizer-class.ts';
import { effectiveTokenizer, type EffectiveTokenizer, type TokenizerFile } from './effective-tokenizer.ts';
import { FileTokenizer } from './file-tokenizer.ts';
import { createMistralTokenizer, hasMistralFiles } from './mistral-tokenizer.ts';
import { loadNative } from './native-tokenizer.ts';
import { convertSentencePiece } from './sentencepiece-convert.ts';
import { readSentencePieceModel } from './sentencepiece-model.ts';
import { readTekken, tekkenTokenizerJson } from './tekken.ts';
import { readTiktoken } from './tiktoken.ts';
import { tiktokenTokenizerJson } from './tiktoken-formats.ts';
import type { Tokenizer } from './tokenizer.ts';
import { asTokenSetting, tokenText } from './tokenizer-settings.ts';
import { bpeFilesJson, wordPieceFileJson } from './vocabulary-files.ts';

export interface CreateTokenizerOptions {
  /**
   * `--tokenizer-mode`: `mistral` for Mistral's own tokenizer, `auto` to choose it by the model's files. DeepSeek's modes take the file as
   * it is, whatever class it names; all others are alike here.
   */
  mode?: string;
  /** Leaves out the native library, which takes most of the time and memory: the tokenizer then only decodes. */
  decodeOnly?: boolean;
}

const PLAIN_MODES = new Set(['deepseek_v32', 'deepseek_v4', 'deepseek_v41']);

/**
 * The tokenizer of a model, from whichever files it comes with. Blocks while it loads (a third of a second for 150,000 tokens).
 * @throws StartupError where files are missing or broken.
 */
export async function createTokenizer(source: TokenizerFiles, options: CreateTokenizerOptions = {}): Promise<Tokenizer> {
  const mode = options.mode ?? 'auto';
  if (mode === 'mistral' || (mode === 'auto' && hasMistralFiles(source)))
    return createMistralTokenizer(source, options.decodeOnly === true);
  const row = PLAIN_MODES.has(mode) ? undefined : tokenizerClass(chooseClassName(source.tokenizerConfig, source.config));
  const { fileName, read } = findVocabulary(source, row);
  let effective: EffectiveTokenizer;
  try {
    effective = effectiveTokenizer(
      read(),
      {
        tokenizerConfig: source.tokenizerConfig,
        config: source.config,
        specialTokensMap: readObject(source, 'special_tokens_map.json'),
        addedTokensJson: readObject(source, 'added_tokens.json'),
      },
      row,
    );
  } catch (error) {
    throw brokenFile(source, fileName, error);
  }
  if (options.decodeOnly === true) return new FileTokenizer(effective, undefined);
  try {
    const native = loadNative(effective.json, source.withScratchFile);
    effective.json.length = 0;
    return new FileTokenizer(effective, native);
  } catch (error) {
    throw brokenFile(source, fileName, error);
  }
}

function readObject(source: TokenizerFiles, name: string): Record<string, unknown> | undefined {
  const content = source.readFile(name);
  if (content === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(content.toString('utf8'));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
    throw new SyntaxError('it is no JSON object');
  } catch (error) {
    throw brokenFile(source, name, error);
  }
}

interface Found {
  fileName: string;
  read: () => TokenizerFile;
}

/** The files that hold a vocabulary, in the order in which they are preferred. */
function findVocabulary(source: TokenizerFiles, row: TokenizerClass | undefined): Found {
  const has = (name: string): boolean => source.fileNames.includes(name);
  const need = (name: string): Buffer => {
    const content = source.readFile(name);
    if (content === undefined) throw new StartupError(`${name} of ${source.name} is missing.`);
    return content;
  };
  const found = (fileName: string, read: (content: Buffer) => TokenizerFile): Found => ({ fileName, read: () => read(need(fileName)) });
  const converted = (json: Buffer, keepsPipeline: boolean): TokenizerFile => ({ json, converted: true, keepsPipeline });

  const own = ownFileName(source);
  if (has(own)) return found(own, (json) => ({ json, converted: false, keepsPipeline: false }));
  if (has('tekken.json')) return found('tekken.json', (content) => converted(tekkenTokenizerJson(readTekken(content), true), true));
  const spm = ['tokenizer.model', 'spm.model', 'sentencepiece.model', 'spiece.model'].find(has);
  if (spm !== undefined) return found(spm, (content) => sentencePieceFile(content, source, row));
  const tiktoken = source.fileNames.find((name) => name === 'tiktoken.model' || name.endsWith('.tiktoken'));
  if (tiktoken !== undefined) return found(tiktoken, (content) => converted(fromTiktoken(content, source), true));
  if (has('vocab.json') && has('merges.txt') && row?.model === 'BPE') {
    return found('vocab.json', (vocab) => converted(bpeFilesJson(vocab, need('merges.txt')), false));
  }
  if (has('vocab.txt') && row?.model === 'WordPiece') return found('vocab.txt', (vocab) => converted(wordPieceFileJson(vocab), false));
  throw new StartupError(
    `${source.name} has no tokenizer: none of tokenizer.json, tekken.json, tokenizer.model, tiktoken.model, or vocab.json with merges.txt and a tokenizer_class that says what they are.`,
  );
}

/** `tokenizer.json`, unless the configuration names a file for versions of transformers up to this one. */
function ownFileName({ tokenizerConfig }: TokenizerFiles): string {
  const files = tokenizerConfig['fast_tokenizer_files'];
  if (!Array.isArray(files)) return 'tokenizer.json';
  const versioned = (files as unknown[])
    .map((name) => (typeof name === 'string' ? /^tokenizer\.(\d+)\.[\d.]*json$/.exec(name) : null))
    .filter((match) => match !== null && Number(match[1]) <= 5)
    .map((match) => match?.[0] ?? '')
    .sort();
  return versioned.at(-1) ?? 'tokenizer.json';
}

function sentencePieceFile(content: Buffer, source: TokenizerFiles, row: TokenizerClass | undefined): TokenizerFile {
  let model;
  try {
    model = readSentencePieceModel(content);
  } catch (error) {
    // Some models call a tiktoken file by this name.
    if (!looksLikeTiktoken(content)) throw error;
    return { json: fromTiktoken(content, source), converted: true, keepsPipeline: true };
  }
  if (row?.renumbersSentencePiece === true) {
    throw new StartupError(`${source.name} has a SentencePiece vocabulary that its tokenizer class renumbers; tokenizer.json is needed.`);
  }
  const { json, symbols, named } = convertSentencePiece(model, row?.model, row === undefined ? listedTexts(source) : new Map());
  return {
    json,
    converted: true,
    keepsPipeline: false,
    adjust: (values) => {
      values.set('additional_special_tokens', symbols);
      if (model.kind === 'unigram') values.set('unk_id', model.unknown.id);
      if (row === undefined) for (const [name, text] of Object.entries(named)) if (!values.has(name)) values.set(name, text);
    },
  };
}

function looksLikeTiktoken(content: Buffer): boolean {
  return /^[A-Za-z0-9+/]+=* \d+\r?\n/.test(content.toString('latin1', 0, 200));
}

function listedTexts({ tokenizerConfig }: TokenizerFiles): Map<number, string> {
  const listed = tokenizerConfig['added_tokens_decoder'];
  const texts = new Map<number, string>();
  for (const [id, value] of Object.entries(typeof listed === 'object' && listed !== null ? listed : {})) {
    const token = asTokenSetting(value);
    if (token !== undefined) texts.set(Number(id), tokenText(token));
  }
  return texts;
}

function fromTiktoken(content: Buffer, source: TokenizerFiles): Buffer {
  const { tokenizerConfig } = source;
  const extra = tokenizerConfig['extra_special_tokens'] ?? tokenizerConfig['additional_special_tokens'];
  const list: unknown[] = Array.isArray(extra) ? extra : Object.keys(typeof extra === 'object' && extra !== null ? extra : {});
  return tiktokenTokenizerJson(readTiktoken(content), tokenizerConfig['tokenizer_class'], {
    listed: listedTexts(source),
    extra: list
      .map(asTokenSetting)
      .filter((token) => token !== undefined)
      .map(tokenText),
  });
}
