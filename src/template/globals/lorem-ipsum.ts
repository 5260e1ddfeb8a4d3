import { charge, reserve } from '../budget.ts';
import { valueError } from '../errors.ts';
import type { Arguments } from '../values/callable.ts';
import { indexArgument } from '../values/method.ts';
import { truthy } from '../values/truth.ts';
import { Markup, type Value } from '../values/value.ts';

const WORDS = (
  'lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt ut labore et dolore magna aliqua enim ad minim veniam quis ' +
  'nostrud exercitation ullamco laboris nisi aliquip ex ea commodo consequat duis aute irure in reprehenderit voluptate velit esse cillum eu fugiat nulla ' +
  'pariatur excepteur sint occaecat cupidatat non proident sunt culpa qui officia deserunt mollit anim id est laborum'
).split(' ');

/** @returns an integer from `low` up to but not including `high`. */
function between(low: number, high: number): number {
  return low + Math.floor(Math.random() * (high - low));
}

/** A paragraph of random words in sentences. */
function paragraph(low: number, high: number): string {
  if (high <= low) throw valueError(`empty range for randrange() (${low}, ${high}, ${high - low})`);
  const count = between(low, high);
  reserve(count * 8);
  charge(count);
  const words: string[] = [];
  let sentenceEnd = 0;
  for (let index = 0; index < count; index += 1) {
    let word = WORDS[between(0, WORDS.length)] as string;
    if (index === sentenceEnd) {
      word = (word[0] as string).toUpperCase() + word.slice(1);
      sentenceEnd = index + between(4, 16);
    }
    const isLast = index === count - 1 || index + 1 === sentenceEnd;
    words.push(isLast ? `${word}.` : between(0, 8) === 0 ? `${word},` : word);
  }
  return words.join(' ');
}

/** jinja's `lipsum`: paragraphs of random text, in HTML unless told otherwise. */
export function loremIpsum([count = 5, html = true, low = 20, high = 100]: Arguments): Value {
  const paragraphs: string[] = [];
  for (let number = indexArgument(count); number > 0; number -= 1) paragraphs.push(paragraph(indexArgument(low), indexArgument(high)));
  return truthy(html) ? new Markup(paragraphs.map((text) => `<p>${text}</p>`).join('\n')) : paragraphs.join('\n\n');
}
