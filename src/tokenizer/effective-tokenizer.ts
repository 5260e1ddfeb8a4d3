import { AddedTokens, readAddedToken, sameToken, settle, type AddedTokenDraft } from './added-tokens.ts';
import type { ClassInput, ClassTokens, Pipeline, TokenizerClass } from './classes/tokenizer-class.ts';
import { sectionValue, tokenizerFileSections, type Section, type TokenizerFileSections } from './json-sections.ts';
import { withMistralWords } from './mistral-words.ts';
import { template, type Part } from './pipeline-parts.ts';
import { allSpecialTexts, missingTokens, specialTokens, type SpecialTokens } from './special-tokens.ts';
import { asTokenSetting, readTokenizerSettings, tokenText, type SettingFiles, type TokenizerSettings } from './tokenizer-settings.ts';
import { VocabularyTable } from './vocabulary-table.ts';

/** The parts of a pipeline that decide what a tokenizer does, as the native library is to load them. */
interface EffectiveParts {
  normalizer: unknown;
  pre_tokenizer: unknown;
  post_processor: unknown;
  decoder: unknown;
  /** The model without vocabulary and merges. */
  model: Record<string, unknown>;
}

/** A tokenizer as transformers makes it from the files of a model, which is not always what `tokenizer.json` says. */
export interface EffectiveTokenizer {
  parts: EffectiveParts;
  vocabulary: VocabularyTable;
  added: AddedTokens;
  special: SpecialTokens;
  settings: TokenizerSettings;
  /** The file for the native library, in pieces: vocabulary and merges are not copied. */
  json: Uint8Array[];
  /** The class's own finish for decoded text. */
  finishText: ((text: string) => string) | undefined;
  cleansUpBpe: boolean;
}

/** Where the text of a tokenizer file came from. */
export interface TokenizerFile {
  /** In the form of `tokenizer.json`. */
  json: Uint8Array;
  /** Converted from another format: then the settings about begin and end tokens count, which `tokenizer.json` makes void. */
  converted: boolean;
  /** Whether the pipeline stays as it is, also for classes that build their own. */
  keepsPipeline: boolean;
  /** Adds what the other format says. */
  adjust?: (values: Map<string, unknown>) => void;
}

/**
 * @param row the class that builds its own pipeline; undefined for the plain one
 * @throws SyntaxError where the file is not what it should be
 */
export function effectiveTokenizer(
  { json, converted, keepsPipeline, adjust }: TokenizerFile,
  files: Omit<SettingFiles, 'fileTokens'> & { config: Readonly<Record<string, unknown>> },
  row: TokenizerClass | undefined,
): EffectiveTokenizer {
  const sections = tokenizerFileSections(json);
  const vocabSection = sections.model.get('vocab');
  if (vocabSection === undefined) throw new SyntaxError('the model has no vocab');
  const vocabulary = new VocabularyTable(json.subarray(vocabSection.start, vocabSection.end));
  const fileTokens = listValue(sectionValue(json, sections.file.get('added_tokens')));
  const settings = readTokenizerSettings({ ...files, fileTokens: converted ? undefined : fileTokens });
  adjust?.(settings.values);
  const fileParts = readParts(json, sections);
  const padding = sectionValue(json, sections.file.get('padding')) as { pad_token?: unknown } | null | undefined;
  if (typeof padding?.pad_token === 'string' && !settings.values.has('pad_token') && row?.tokens['pad_token'] === undefined) {
    settings.values.set('pad_token', padding.pad_token);
  }

  const input = classInput(settings, row, fileParts.normalizer, vocabulary);
  const special = specialTokens(settings, row, input);
  const fileDrafts = fileTokens.map(readAddedToken).filter((token) => token !== undefined);
  vocabulary.prepare([
    ...fileDrafts.map((token) => token.content),
    ...[...settings.addedTokens.values()].map((token) => token.content),
    ...allSpecialTexts(special),
  ]);
  const rebuilt = row !== undefined && row.keepsPipeline !== true && !keepsPipeline;
  const added = new AddedTokens(vocabulary);
  if (!rebuilt) added.add(fileDrafts.map(settle));
  addMissing(added, settings, special, row);

  const pipeline = rebuilt ? row.pipeline(input) : undefined;
  const parts = effectiveParts(fileParts, pipeline);
  const hasPostProcessor = fileParts.post_processor !== null;
  const names = classTokens(input, special, added, hasPostProcessor);
  const size = vocabulary.count + added.countOutside();
  parts.pre_tokenizer = withMistralWords(parts.pre_tokenizer, settings.values.get('fix_mistral_regex'), files.config, size);
  parts.post_processor = postProcessor(parts.post_processor, names, settings, row);
  return {
    parts,
    vocabulary,
    added,
    special: { named: special.named, extra: [...special.extra, ...(row?.alsoSpecial ?? [])] },
    settings,
    json: writeJson(json, sections, parts, added, vocabulary),
    finishText: row?.finishText,
    cleansUpBpe: row?.cleansUpBpe === true,
  };
}

function listValue(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function readParts(json: Uint8Array, { file, model }: TokenizerFileSections): EffectiveParts {
  const part = (name: string): unknown => sectionValue(json, file.get(name)) ?? null;
  const params: Record<string, unknown> = {};
  for (const [name, section] of model) if (name !== 'vocab' && name !== 'merges') params[name] = sectionValue(json, section);
  return {
    normalizer: part('normalizer'),
    pre_tokenizer: part('pre_tokenizer'),
    post_processor: part('post_processor'),
    decoder: part('decoder'),
    model: params,
  };
}

function effectiveParts(file: EffectiveParts, pipeline: Pipeline | undefined): EffectiveParts {
  if (pipeline === undefined) return file;
  return {
    normalizer: pipeline.normalizer,
    pre_tokenizer: pipeline.preTokenizer,
    post_processor: file.post_processor,
    decoder: pipeline.decoder,
    model: { ...pipeline.model },
  };
}

function addMissing(added: AddedTokens, settings: TokenizerSettings, special: SpecialTokens, row: TokenizerClass | undefined): void {
  const known = {
    has: (text: string): boolean => added.idOf(text) !== undefined,
    hasExactly: (token: AddedTokenDraft): boolean => {
      const id = added.idOf(token.content);
      const entry = id === undefined ? undefined : added.get(id);
      return entry !== undefined && sameToken(entry, token);
    },
  };
  added.add(missingTokens(settings.addedTokens, special, known).map(settle));
  if (row?.addsSpecialTokensAgain === undefined) return;
  const again = [...special.named.values(), ...special.extra].map((token): AddedTokenDraft => {
    const draft = row.addsSpecialTokensAgain === 'as named' ? readAddedToken(token) : undefined;
    return draft === undefined
      ? { content: tokenText(token), single_word: false, lstrip: false, rstrip: false, normalized: null, special: true }
      : { ...draft, special: true };
  });
  added.add(again.map(settle));
}

/** The base class's own post-processor, where there is none or the settings ask for one, then the class's. */
function postProcessor(current: unknown, tokens: ClassTokens, settings: TokenizerSettings, row: TokenizerClass | undefined): unknown {
  const asked = settings.values.has('add_bos_token') || settings.values.has('add_eos_token') || row?.addBosToken !== undefined;
  let result = current ?? row?.defaultPostProcessor?.(tokens) ?? null;
  if (asked || result === null) {
    const sides = (['bos_token', 'eos_token'] as const).map((name) => {
      const wanted = tokens.flag(`add_${name}`, name === 'bos_token' && row?.addBosToken === true);
      return wanted && tokens.hasName(name) ? [tokens.named(name)] : [];
    });
    result = template(sides[0] ?? [], sides[1] ?? []);
  }
  return row?.postProcessor === undefined ? result : row.postProcessor(tokens);
}

function classInput(
  settings: TokenizerSettings,
  row: TokenizerClass | undefined,
  fileNormalizer: unknown,
  vocabulary: VocabularyTable,
): ClassInput {
  const value = (name: string, otherwise: unknown): unknown => (settings.values.has(name) ? settings.values.get(name) : otherwise);
  return {
    value,
    flag: (name, otherwise) => Boolean(value(name, otherwise)),
    text: (name) => {
      const token = asTokenSetting(value(name, row?.tokens[name] ?? null));
      return token === undefined ? 'None' : tokenText(token);
    },
    charsmap: findCharsmap(fileNormalizer),
    position: (token, options) => vocabulary.position(token, options),
  };
}

function findCharsmap(normalizer: unknown): string | null {
  if (typeof normalizer !== 'object' || normalizer === null) return null;
  const list = (normalizer as Part)['type'] === 'Sequence' ? listValue((normalizer as Part)['normalizers']) : [normalizer];
  for (const part of list as Part[]) {
    const map = part['type'] === 'Precompiled' ? part['precompiled_charsmap'] : undefined;
    if (typeof map === 'string') return map;
  }
  return null;
}

function classTokens(input: ClassInput, special: SpecialTokens, added: AddedTokens, fileHasPostProcessor: boolean): ClassTokens {
  const nameText = (name: string): string | undefined => {
    const token = special.named.get(name);
    return token === undefined ? undefined : tokenText(token);
  };
  const token = (text: string): { text: string; id: number } => {
    const id = added.tokenToId(text);
    if (id !== undefined) return { text, id };
    const unknown = nameText('unk_token') ?? '';
    return { text: unknown, id: added.tokenToId(unknown) ?? 0 };
  };
  return {
    ...input,
    token,
    named: (name) => token(nameText(name) ?? ''),
    hasName: (name) => nameText(name) !== undefined,
    fileHasPostProcessor,
  };
}

function writeJson(
  json: Uint8Array,
  { model }: TokenizerFileSections,
  parts: EffectiveParts,
  added: AddedTokens,
  vocabulary: VocabularyTable,
): Uint8Array[] {
  const { model: params, ...pipeline } = parts;
  const head = { version: '1.0', truncation: null, padding: null, added_tokens: added.entries(), ...pipeline };
  const opening = `${JSON.stringify(head).slice(0, -1)},"model":${JSON.stringify(params).slice(0, -1)}`;
  const pieces: Uint8Array[] = [Buffer.from(`${opening}${Object.keys(params).length > 0 ? ',' : ''}"vocab":`)];
  pieces.push(vocabularyJson(json, model.get('vocab'), params['type'], vocabulary));
  const merges = model.get('merges');
  if (params['type'] === 'BPE' || merges !== undefined) {
    pieces.push(Buffer.from(',"merges":'), merges === undefined ? Buffer.from('[]') : json.subarray(merges.start, merges.end));
  }
  pieces.push(Buffer.from('}}'));
  return pieces;
}

/** The vocabulary as it stands; a list of scored tokens becomes an object where the model has no scores. */
function vocabularyJson(json: Uint8Array, section: Section | undefined, type: unknown, vocabulary: VocabularyTable): Uint8Array {
  if (section === undefined) return Buffer.from('{}');
  const isList = json[section.start] === 0x5b;
  if (!isList || (type !== 'BPE' && type !== 'WordPiece')) return json.subarray(section.start, section.end);
  const entries: [string, number][] = [];
  for (let id = 0; id < vocabulary.size; id += 1) entries.push([vocabulary.token(id) ?? '', id]);
  return Buffer.from(JSON.stringify(Object.fromEntries(entries)));
}
