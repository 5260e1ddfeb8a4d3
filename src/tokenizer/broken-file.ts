import { StartupError } from '../core/errors.ts';

/** The sentence that ends a start for a file that cannot be read. @param owner the model, as people know it */
export function brokenFile(owner: { readonly name: string }, fileName: string, error: unknown): StartupError {
  if (error instanceof StartupError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new StartupError(`${fileName} of ${owner.name} cannot be read as a tokenizer: ${reason}.`, { cause: error });
}
