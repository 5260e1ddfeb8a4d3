import { findAttribute } from '../access.ts';
import { reserve } from '../budget.ts';
import { valueError } from '../errors.ts';
import { writeJson } from './write-json.ts';
import type { Arguments } from '../values/callable.ts';
import { stringOf } from '../values/compare.ts';
import { allItems } from '../values/iterate.ts';
import { indexArgument, stringArgument } from '../values/method.ts';
import { undefinedError } from '../values/repr.ts';
import { truthy } from '../values/truth.ts';
import { Undefined } from '../values/undefined.ts';
import type { Value } from '../values/value.ts';
import { filter, type NamedFilter } from './filter.ts';
import { prettyPrint } from './pretty-print.ts';

function defaultFilter([value, fallback = '', orFalse = false]: Arguments): Value {
  const given = value as Value;
  return given instanceof Undefined || (truthy(orFalse) && !truthy(given)) ? fallback : given;
}

/** The attribute alone, never the item. */
function attributeFilter([object, name]: Arguments): Value {
  if (object instanceof Undefined) throw undefinedError(object);
  const wanted = stringArgument(name, 'attribute name');
  const attribute = findAttribute(object as Value, wanted);
  return attribute === undefined ? new Undefined(wanted, object) : attribute;
}

function indentation(value: Value): string | undefined {
  if (value === null) return undefined;
  const text = stringOf(value);
  if (text !== undefined) return text;
  const width = Math.max(0, indexArgument(value));
  reserve(width);
  return ' '.repeat(width);
}

function separatorsOf(value: Value, isIndented: boolean): readonly [string, string] {
  if (value === null) return [isIndented ? ',' : ', ', ': '];
  const parts = allItems(value);
  if (parts.length !== 2) throw valueError(`${parts.length > 2 ? 'too many' : 'not enough'} values to unpack (expected 2)`);
  return [stringArgument(parts[0], 'item separator'), stringArgument(parts[1], 'key separator')];
}

function toJson([value, ensureAscii = false, indent = null, separators = null, sortKeys = false]: Arguments): Value {
  const [itemSeparator, keySeparator] = separatorsOf(separators, indent !== null);
  return writeJson(value as Value, {
    ensureAscii: truthy(ensureAscii),
    indent: indentation(indent),
    itemSeparator,
    keySeparator,
    sortKeys: truthy(sortKeys),
  });
}

/** Filters on any value. */
export const objectFilters: readonly NamedFilter[] = [
  filter('default', 'value default_value? boolean?', defaultFilter),
  filter('d', 'value default_value? boolean?', defaultFilter),
  filter('attr', 'obj name', attributeFilter),
  filter('tojson', 'x ensure_ascii? indent? separators? sort_keys?', toJson),
  filter('pprint', 'value', ([value]) => prettyPrint(value as Value)),
];
