import { modelNotFound } from '../core/errors.ts';
import type { ServedModel } from './services.ts';

/**
 * Refuses a model name that is not served; no name, or an empty one, means the first.
 * @throws ApiError 404
 */
export function checkModel(model: ServedModel, name: string | null | undefined): void {
  if (name && !model.names.includes(name)) throw modelNotFound(name, model.names);
}
