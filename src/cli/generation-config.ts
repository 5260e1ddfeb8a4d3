import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartupError } from '../core/errors.ts';
import { isJsonObject } from './option-value.ts';

/**
 * `generation_config.json` in the folder that `--generation-config` names.
 * @throws StartupError where it is missing or broken
 */
export function readGenerationConfig(directory: string): Record<string, unknown> {
  const path = join(directory, 'generation_config.json');
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (isJsonObject(value)) return value;
  } catch (error) {
    throw new StartupError(`--generation-config: ${path} cannot be read: ${(error as Error).message}`);
  }
  throw new StartupError(`--generation-config: ${path} must hold a JSON object.`);
}
