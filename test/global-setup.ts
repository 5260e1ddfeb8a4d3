import { buildModels } from '../scripts/build-models.mjs';

/** Builds the model directories of all tests once, before any of them runs: tests in parallel would build them twice. */
export function setup(): void {
  buildModels();
}
