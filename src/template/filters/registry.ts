import type { NativeFunction } from '../values/callable.ts';
import { htmlFilters } from './html-filters.ts';
import { numberFilters } from './number-filters.ts';
import { objectFilters } from './object-filters.ts';
import { selectionFilters } from './selection-filters.ts';
import { sequenceFilters } from './sequence-filters.ts';
import { textFilters } from './text-filters.ts';

/** All filters of jinja 3.1, with `tojson` as transformers redefines it. */
export const filters: ReadonlyMap<string, NativeFunction> = new Map([
  ...textFilters,
  ...sequenceFilters,
  ...selectionFilters,
  ...numberFilters,
  ...htmlFilters,
  ...objectFilters,
]);
