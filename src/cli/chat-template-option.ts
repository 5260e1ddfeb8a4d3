import { readFileSync } from 'node:fs';
import { StartupError } from '../core/errors.ts';

/**
 * The template text that `--chat-template` names: a file's, or the value itself where no such file exists and it looks like a template.
 * @throws StartupError for what looks like a path but cannot be read
 */
export function readChatTemplate(value: string): string {
  try {
    return readFileSync(value, 'utf8').replaceAll(/\r\n?/g, '\n');
  } catch (error) {
    if (/[{}\n]/.test(value)) return value;
    throw new StartupError(`--chat-template names ${value}, which is neither a readable file nor a template: ${(error as Error).message}`);
  }
}
