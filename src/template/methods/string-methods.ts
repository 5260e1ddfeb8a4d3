import { charge } from '../budget.ts';
import type { Method } from '../values/method.ts';
import { buildMethods } from './string-build.ts';
import { caseMethods } from './string-case.ts';
import { formatMap, formatString } from './string-format.ts';
import { searchMethods } from './string-search.ts';
import { splitMethods } from './string-split.ts';

const formatMethods: Record<string, Method<string>> = {
  format: { call: (self, args, keywords, state) => formatString(self, args, keywords, state, false) },
  format_map: { call: (self, args, keywords, state) => formatMap(self, args, keywords, state, false) },
};

/** Python's methods of `str`. */
export const stringMethods: ReadonlyMap<string, Method<string>> = new Map(
  Object.entries({ ...searchMethods, ...caseMethods, ...splitMethods, ...buildMethods, ...formatMethods }).map(([name, method]) => [
    name,
    {
      call: (self, args, keywords, state) => {
        charge(1 + self.length / 32);
        return method.call(self, args, keywords, state);
      },
    },
  ]),
);
