import { StartupError } from '../core/errors.ts';
import { loadModel } from '../model/load-model.ts';
import { createTokenizer } from '../tokenizer/create-tokenizer.ts';
import type { ModelTemplate } from './template-command.ts';

/**
 * The chat template and special tokens of a model: a directory or a hub id.
 * @throws StartupError where there is no such model, or it has no template
 */
export async function loadModelTemplate(name: string): Promise<ModelTemplate> {
  const model = await loadModel({ model: name });
  const template = model.chatTemplates.default;
  if (template === null) throw new StartupError(`${name} has no chat template.`);
  const { specialTokens } = await createTokenizer(model.tokenizer, { decodeOnly: true });
  const single = Object.entries(specialTokens).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return { template, specialTokens: Object.fromEntries(single) };
}
