import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartupError } from '../core/errors.ts';
import type { FoundModel } from './find-model.ts';

/** Reads files of a model; each fault is told in one sentence that names the file. */
export class ModelFiles {
  readonly name: string;
  readonly directory: string;
  readonly fileNames: readonly string[];

  constructor({ name, directory, fileNames }: FoundModel) {
    this.name = name;
    this.directory = directory;
    this.fileNames = fileNames;
  }

  /** @returns undefined where the model has no such file. @throws StartupError where it is there and cannot be read. */
  read(fileName: string): Buffer | undefined {
    try {
      return readFileSync(join(this.directory, fileName));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw this.fault(fileName, (error as Error).message);
    }
  }

  readText(fileName: string): string | undefined {
    return this.read(fileName)?.toString('utf8');
  }

  /** A JSON object. @throws StartupError where the file is something else. */
  readObject(fileName: string): Record<string, unknown> | undefined {
    const text = this.readText(fileName);
    if (text === undefined) return undefined;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      throw this.fault(fileName, `it is not JSON (${(error as Error).message})`);
    }
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
    throw this.fault(fileName, 'it holds no JSON object');
  }

  fault(fileName: string, reason: string): StartupError {
    return new StartupError(`${join(this.directory, fileName)} cannot be used: ${reason}.`);
  }
}
