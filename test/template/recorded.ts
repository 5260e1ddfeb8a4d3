import { readFileSync } from 'node:fs';
import { Dict, parseJson, type Value } from '../../src/template/index.ts';

/** What Python made of a template: its text, or the error as `Type: message`. */
export type Answer = { readonly text: string } | { readonly error: string };

export interface RecordedCase {
  readonly template: string;
  readonly variables: ReadonlyMap<string, Value>;
  readonly answer: Answer;
}

/** A file of recorded cases: the time that `strftime_now` shows, and the templates with their variables. */
export interface Recorded {
  readonly now: string;
  readonly cases: readonly RecordedCase[];
}

/** @returns the path of a fixture. */
export function fixture(name: string): URL {
  return new URL(`../../fixtures/template/${name}`, import.meta.url);
}

function entries(dict: Value | undefined): [string, Value][] {
  return dict instanceof Dict ? (dict.entries() as [string, Value][]) : [];
}

/** Reads cases without loss: variables keep their floats, large integers and order of keys. */
export function readRecorded(name: string): Recorded {
  const file = parseJson(readFileSync(fixture(name), 'utf8')) as Dict;
  const shared = entries(file.get('variables'));
  const cases = (file.get('cases') as Dict[]).map((item): RecordedCase => {
    const text = item.get('text');
    return {
      template: item.get('template') as string,
      variables: new Map([...shared, ...entries(item.get('variables'))]),
      answer: typeof text === 'string' ? { text } : { error: item.get('error') as string },
    };
  });
  return { now: file.get('now') as string, cases };
}
