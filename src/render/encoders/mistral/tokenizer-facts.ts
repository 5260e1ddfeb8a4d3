import { StartupError } from '../../../core/errors.ts';
import type { TokenizerFiles } from '../../../model/tokenizer-files.ts';
import { forEachMember, sectionValue, skipSpace, skipValue } from '../../../tokenizer/json-sections.ts';
import { mistralTokenizerFile } from '../../../tokenizer/mistral-tokenizer.ts';
import { member } from '../json-value.ts';
import type { MistralTokenizerFacts } from './mistral.ts';
import { readModelSettings } from './model-settings.ts';
import { mistralVersion } from './version.ts';

/** Two members of a tekken.json; its vocabulary, which is nearly all of it, is passed over. */
function readTekkenMembers(json: Uint8Array): { config: unknown; settings: unknown } {
  const values = new Map<string, unknown>();
  forEachMember(json, skipSpace(json, 0), (name, start) => {
    const end = skipValue(json, start);
    if (name === 'config' || name === 'model_settings_builder') values.set(name, sectionValue(json, { start, end }));
    return end;
  });
  return { config: values.get('config'), settings: values.get('model_settings_builder') ?? null };
}

/**
 * What a Mistral tokenizer's file says of the prompt.
 * @throws StartupError where there is no such file, or it names no version that is known
 */
export function readMistralFacts(files: Pick<TokenizerFiles, 'name' | 'fileNames' | 'readFile'>): MistralTokenizerFacts {
  const fileName = mistralTokenizerFile(files.fileNames);
  const content = fileName === undefined ? undefined : files.readFile(fileName);
  if (fileName === undefined || content === undefined) throw new StartupError(`${files.name} has no tokenizer in Mistral's form.`);
  if (fileName !== 'tekken.json') {
    return { version: mistralVersion(fileName.slice(fileName.lastIndexOf('.') + 1)), isTekken: false, settings: null };
  }
  const { config, settings } = readTekkenMembers(content);
  const version = mistralVersion(String(member(config, 'version')));
  if (settings !== null && version < 15)
    throw new StartupError(`${files.name}: tekken.json has model_settings_builder, which needs version v15.`);
  return { version, isTekken: true, settings: settings === null ? null : readModelSettings(settings) };
}
