import { draftToken, type AddedTokenDraft } from './added-tokens.ts';
import type { ClassInput, TokenizerClass } from './classes/tokenizer-class.ts';
import { asTokenSetting, STANDARD_TOKEN_NAMES, tokenText, type TokenizerSettings, type TokenSetting } from './tokenizer-settings.ts';

/** The special tokens of a tokenizer by name, and those without one. */
export interface SpecialTokens {
  /** Standard names first, in their order, then the model's own. */
  named: Map<string, TokenSetting>;
  extra: readonly TokenSetting[];
}

/** Puts together what the class and the files say about special tokens. */
export function specialTokens(settings: TokenizerSettings, row: TokenizerClass | undefined, input: ClassInput): SpecialTokens {
  const named = new Map<string, TokenSetting>();
  for (const name of STANDARD_TOKEN_NAMES) {
    const value = settings.values.has(name) ? settings.values.get(name) : row?.tokens[name];
    const token = asTokenSetting(value);
    if (token === undefined) continue;
    const flags = name === 'mask_token' ? row?.maskToken : undefined;
    named.set(name, flags !== undefined && typeof token === 'string' ? draftToken(token, flags) : token);
  }
  for (const [name, text] of Object.entries(row?.modelTokens ?? {})) named.set(name, asTokenSetting(settings.values.get(name)) ?? text);
  for (const [name, value] of settings.values) {
    if (!name.endsWith('_token') || STANDARD_TOKEN_NAMES.includes(name)) continue;
    const token = asTokenSetting(value);
    if (token !== undefined) named.set(name, token);
  }
  for (const [name, token] of settings.modelTokens) named.set(name, token);
  return { named, extra: extraTokens(settings, row, input) };
}

function extraTokens({ values }: TokenizerSettings, row: TokenizerClass | undefined, input: ClassInput): readonly TokenSetting[] {
  const extra = tokenList(values, 'extra_special_tokens');
  const additional = tokenList(values, 'additional_special_tokens');
  if (row?.extras !== undefined) return row.extras({ extra, additional }, input);
  return (extra === undefined ? additional : extra) ?? [];
}

function tokenList(values: Map<string, unknown>, name: string): readonly TokenSetting[] | null | undefined {
  if (!values.has(name)) return undefined;
  const value = values.get(name);
  if (!Array.isArray(value)) return null;
  return (value as unknown[]).map(asTokenSetting).filter((token) => token !== undefined);
}

/** All special tokens without repetition, named ones first. */
export function allSpecialTexts({ named, extra }: SpecialTokens): string[] {
  return [...new Set([...named.values(), ...extra].map(tokenText))];
}

/**
 * The tokens to add to a tokenizer that has `known` ones already: those that the files list and it has not so, then the special
 * tokens that it has not at all.
 */
export function missingTokens(
  listed: ReadonlyMap<number, AddedTokenDraft>,
  special: SpecialTokens,
  known: { has(text: string): boolean; hasExactly(token: AddedTokenDraft): boolean },
): AddedTokenDraft[] {
  const tokens: TokenSetting[] = [...listed.entries()]
    .sort(([a], [b]) => a - b)
    .map(([, token]) => token)
    .filter((token) => !known.hasExactly(token));
  const texts = new Set(tokens.map(tokenText));
  const later = new Set<string>();
  for (const token of [...special.named.values(), ...special.extra]) {
    const text = tokenText(token);
    if (known.has(text) || texts.has(text) || later.has(text)) continue;
    later.add(text);
    tokens.push(token);
  }
  const namedTexts = new Set([...special.named.values()].map(tokenText));
  return tokens.map((token) => {
    if (typeof token === 'string') return draftToken(token, { special: true });
    return namedTexts.has(token.content) ? { ...token, special: true } : token;
  });
}
