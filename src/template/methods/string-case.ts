import { reserve } from '../budget.ts';
import { method, type Method } from '../values/method.ts';
import { codePoints, SPACES } from '../values/text.ts';
import { characterTests, foldCase, isCased, isIdentifier, toTitleCase } from '../values/unicode.ts';

/** Unicode's Final_Sigma: a sigma that ends a word. */
function endsWord(characters: readonly string[], index: number): boolean {
  let before = index - 1;
  while (before >= 0 && /\p{Case_Ignorable}/u.test(characters[before] as string)) before -= 1;
  if (before < 0 || !/\p{Cased}/u.test(characters[before] as string)) return false;
  let after = index + 1;
  while (after < characters.length && /\p{Case_Ignorable}/u.test(characters[after] as string)) after += 1;
  return after === characters.length || !/\p{Cased}/u.test(characters[after] as string);
}

function lowerAt(characters: readonly string[], index: number): string {
  const character = characters[index] as string;
  return character === 'Σ' && endsWord(characters, index) ? 'ς' : character.toLowerCase();
}

/** @returns Python's `text.capitalize()`. */
export function capitalize(text: string): string {
  const [first] = codePoints(text.slice(0, 2));
  return first === undefined ? '' : toTitleCase(first) + text.toLowerCase().slice(first.toLowerCase().length);
}

function title(text: string): string {
  reserve(text.length);
  const characters = codePoints(text);
  let inWord = false;
  return characters
    .map((character, index) => {
      const changed = inWord ? lowerAt(characters, index) : toTitleCase(character);
      inWord = isCased(character);
      return changed;
    })
    .join('');
}

function swapCase(text: string): string {
  reserve(text.length);
  const characters = codePoints(text);
  return characters
    .map((character, index) => {
      if (characterTests.upper(character)) return lowerAt(characters, index);
      return characterTests.lower(character) ? character.toUpperCase() : character;
    })
    .join('');
}

/** @returns whether every character passes, and there is one. */
function every(text: string, test: (character: string) => boolean): boolean {
  reserve(text.length);
  return text !== '' && codePoints(text).every(test);
}

function hasCase(text: string, wanted: 'lower' | 'upper'): boolean {
  reserve(text.length);
  const other = wanted === 'lower' ? 'upper' : 'lower';
  const cased = codePoints(text).filter(isCased);
  return cased.length > 0 && !cased.some((character) => characterTests[other](character) || characterTests.title(character));
}

function isTitle(text: string): boolean {
  reserve(text.length);
  let inWord = false;
  let found = false;
  for (const character of codePoints(text)) {
    const high = characterTests.upper(character) || characterTests.title(character);
    if (high && inWord) return false;
    if (!high && !inWord && characterTests.lower(character)) return false;
    inWord = high || characterTests.lower(character);
    found ||= inWord;
  }
  return found;
}

function asks(name: string, test: (text: string) => boolean): Method<string> {
  return method(name, '', test);
}

const BLANK = new RegExp(`^[${SPACES}]+$`);

/** Methods of `str` about case and kinds of characters. */
export const caseMethods: Record<string, Method<string>> = {
  upper: method('upper', '', (self) => self.toUpperCase()),
  lower: method('lower', '', (self) => self.toLowerCase()),
  capitalize: method('capitalize', '', capitalize),
  title: method('title', '', title),
  swapcase: method('swapcase', '', swapCase),
  casefold: method('casefold', '', (self) => codePoints(self).map(foldCase).join('')),
  isalnum: asks('isalnum', (text) => every(text, characterTests.alnum)),
  isalpha: asks('isalpha', (text) => every(text, characterTests.alpha)),
  isascii: asks('isascii', (text) => /^[\0-\x7f]*$/.test(text)),
  isdecimal: asks('isdecimal', (text) => every(text, characterTests.decimal)),
  isdigit: asks('isdigit', (text) => every(text, characterTests.digit)),
  isidentifier: asks('isidentifier', isIdentifier),
  islower: asks('islower', (text) => hasCase(text, 'lower')),
  isnumeric: asks('isnumeric', (text) => every(text, characterTests.numeric)),
  isprintable: asks('isprintable', (text) => text === '' || every(text, characterTests.printable)),
  isspace: asks('isspace', (text) => BLANK.test(text)),
  istitle: asks('istitle', isTitle),
  isupper: asks('isupper', (text) => hasCase(text, 'upper')),
};
