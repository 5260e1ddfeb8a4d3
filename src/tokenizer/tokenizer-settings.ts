import { draftToken, readAddedToken, type AddedTokenDraft } from './added-tokens.ts';

/** A special token as the files name it: its text, or an added token with its flags. */
export type TokenSetting = string | AddedTokenDraft;

/** Named special tokens that every tokenizer may have, in the order in which they are listed. */
export const STANDARD_TOKEN_NAMES: readonly string[] = [
  'bos_token',
  'eos_token',
  'unk_token',
  'sep_token',
  'pad_token',
  'cls_token',
  'mask_token',
];

/** The text of a token setting. */
export function tokenText(token: TokenSetting): string {
  return typeof token === 'string' ? token : token.content;
}

/** A token setting from JSON or from a class's defaults; undefined for null and anything that is no token. */
export function asTokenSetting(value: unknown): TokenSetting | undefined {
  return typeof value === 'string' ? value : readAddedToken(value);
}

/** The files beside `tokenizer.json` that say what a tokenizer is, parsed; undefined where missing. */
export interface SettingFiles {
  tokenizerConfig: Readonly<Record<string, unknown>>;
  specialTokensMap: Readonly<Record<string, unknown>> | undefined;
  /** `added_tokens.json`: text to id. */
  addedTokensJson: Readonly<Record<string, unknown>> | undefined;
  /** `added_tokens` of `tokenizer.json`, undefined where there is no such file. */
  fileTokens: readonly unknown[] | undefined;
}

/** What a tokenizer class is given when it is made. */
export interface TokenizerSettings {
  /** Members of `tokenizer_config.json`, with what the older files say merged in. A member that is null counts as given. */
  values: Map<string, unknown>;
  /** Model-specific named special tokens (`image_token`, ...), by name. */
  modelTokens: Map<string, TokenSetting>;
  /** Added tokens by the id that the files give. */
  addedTokens: Map<number, AddedTokenDraft>;
}

/**
 * Merges the files into the settings of a tokenizer, in the order of precedence of transformers 5: `added_tokens_decoder` of the
 * configuration makes the older files (`special_tokens_map.json`, `added_tokens.json`) and `tokenizer.json`'s list unnecessary.
 */
export function readTokenizerSettings(files: SettingFiles): TokenizerSettings {
  const values = new Map(Object.entries(files.tokenizerConfig));
  values.delete('tokenizer_class');
  values.delete('init_inputs');
  if (files.fileTokens !== undefined) {
    values.delete('add_bos_token');
    values.delete('add_eos_token');
  }
  if (values.has('additional_special_tokens') && !isFilled(values.get('extra_special_tokens'))) {
    values.set('extra_special_tokens', values.get('additional_special_tokens'));
    values.delete('additional_special_tokens');
  }
  const modelTokens = new Map<string, TokenSetting>();
  for (const [name, value] of values) {
    if (!name.endsWith('_token') || STANDARD_TOKEN_NAMES.includes(name) || typeof value !== 'string') continue;
    modelTokens.set(name, value);
    values.delete(name);
  }
  moveNamedExtras(values, modelTokens);

  const addedTokens = new Map<number, AddedTokenDraft>();
  const decoder = values.get('added_tokens_decoder');
  if (values.has('added_tokens_decoder')) {
    for (const [id, value] of Object.entries((decoder ?? {}) as Record<string, unknown>)) {
      const token = readAddedToken(value);
      if (token !== undefined) addedTokens.set(Number(id), token);
    }
  } else {
    if (files.specialTokensMap !== undefined) mergeSpecialTokensMap(files.specialTokensMap, values, modelTokens);
    if (files.addedTokensJson !== undefined) mergeAddedTokensJson(files.addedTokensJson, values, addedTokens);
    for (const entry of files.fileTokens ?? []) {
      const token = readAddedToken(entry);
      if (token !== undefined) addedTokens.set(Number((entry as { id?: unknown }).id), token);
    }
  }
  values.delete('added_tokens_decoder');

  const byText = new Map([...addedTokens.values()].map((token) => [token.content, token]));
  for (const name of STANDARD_TOKEN_NAMES) {
    const token = asTokenSetting(values.get(name));
    if (token !== undefined) values.set(name, byText.get(tokenText(token)) ?? token);
  }
  return { values, modelTokens, addedTokens };
}

function isFilled(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

/** `extra_special_tokens` as an object names model-specific tokens; as a list it is a list. */
function moveNamedExtras(values: Map<string, unknown>, modelTokens: Map<string, TokenSetting>): void {
  const extra = values.get('extra_special_tokens');
  if (typeof extra !== 'object' || extra === null || Array.isArray(extra)) return;
  values.delete('extra_special_tokens');
  for (const [name, value] of Object.entries(extra)) {
    const token = asTokenSetting(value);
    if (token !== undefined) modelTokens.set(name, token);
  }
}

function mergeSpecialTokensMap(
  map: Readonly<Record<string, unknown>>,
  values: Map<string, unknown>,
  modelTokens: Map<string, TokenSetting>,
): void {
  for (const [name, value] of Object.entries(map)) {
    if (name === 'extra_special_tokens' && Array.isArray(value)) {
      const known = (values.get(name) ?? []) as unknown[];
      const texts = new Set(
        known
          .map(asTokenSetting)
          .filter((token) => token !== undefined)
          .map(tokenText),
      );
      const added = (value as unknown[]).map(asSpecialSetting).filter((token) => token !== undefined && !texts.has(tokenText(token)));
      values.set(name, [...known, ...added]);
    } else if (name !== 'extra_special_tokens' && readAddedToken(value) !== undefined) {
      values.set(name, asSpecialSetting(value));
    } else {
      values.set(name, value);
    }
  }
  moveNamedExtras(values, modelTokens);
}

function asSpecialSetting(value: unknown): TokenSetting | undefined {
  const token = asTokenSetting(value);
  return token === undefined || typeof token === 'string' ? token : { ...token, special: true };
}

function mergeAddedTokensJson(
  idByText: Readonly<Record<string, unknown>>,
  values: Map<string, unknown>,
  addedTokens: Map<number, AddedTokenDraft>,
): void {
  const extra = values.get('extra_special_tokens');
  const special = new Set(
    [...STANDARD_TOKEN_NAMES.map((name) => values.get(name)), ...(Array.isArray(extra) ? (extra as unknown[]) : [])]
      .map(asTokenSetting)
      .filter((token) => token !== undefined)
      .map(tokenText),
  );
  for (const [text, id] of Object.entries(idByText)) {
    const isSpecial = special.has(text);
    addedTokens.set(Number(id), draftToken(text, { normalized: !isSpecial, special: isSpecial }));
  }
}
