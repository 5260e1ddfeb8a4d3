import { StartupError } from '../../../core/errors.ts';

/** What Mistral's tokenizer versions do differently. The number names the format of the prompt, not of the model. */
export type MistralVersion = 1 | 2 | 3 | 7 | 11 | 13 | 15;

const VERSIONS: readonly MistralVersion[] = [1, 2, 3, 7, 11, 13, 15];

/**
 * @param text `v7` as in tekken.json, or the end of a SentencePiece file's name (`v7m1`)
 * @throws StartupError for a version that is not known here
 */
export function mistralVersion(text: string): MistralVersion {
  const version = VERSIONS.find((known) => new RegExp(`^v${known}(m\\d+)?$`).test(text));
  if (version === undefined)
    throw new StartupError(`The Mistral tokenizer version ${text} is not known; known are ${VERSIONS.map((v) => `v${v}`).join(', ')}.`);
  return version;
}
