import type { CallState } from '../values/callable.ts';
import { Undefined } from '../values/undefined.ts';
import { Markup, type Value } from '../values/value.ts';
import { parseInteger } from '../values/integer.ts';

/** Takes a value out of an item. */
type Getter = (item: Value) => Value;

function parts(attribute: Value): readonly Value[] {
  if (attribute === null) return [];
  if (typeof attribute !== 'string') return [attribute];
  return attribute.split('.').map((part) => (/^\p{Nd}+$/u.test(part) ? (parseInteger(part, 10) ?? part) : part));
}

/** @returns strings in lower case, everything else as it is. */
export function ignoreCase(value: Value): Value {
  if (typeof value === 'string') return value.toLowerCase();
  return value instanceof Markup ? new Markup(value.text.toLowerCase()) : value;
}

/**
 * @param attribute a path like `address.city` or `0.name`; an int is an index; None is the item itself.
 * @param fallback taken for what is Undefined, unless it is None.
 * @returns what reads the path from an item.
 */
export function attributeGetter(state: CallState, attribute: Value, postprocess?: Getter, fallback: Value = null): Getter {
  const path = parts(attribute);
  return (item) => {
    let value = item;
    for (const part of path) {
      value = state.item(value, part);
      if (fallback !== null && value instanceof Undefined) value = fallback;
    }
    return postprocess === undefined ? value : postprocess(value);
  };
}

/** @returns what reads several paths, separated by commas, as a list. */
export function multiAttributeGetter(state: CallState, attribute: Value, postprocess?: Getter): Getter {
  const paths = typeof attribute === 'string' ? attribute.split(',') : [attribute];
  const getters = paths.map((path) => attributeGetter(state, path, postprocess));
  return (item) => getters.map((getter) => getter(item));
}
