import { charge } from '../budget.ts';
import { filterArgumentError, PythonError } from '../errors.ts';
import { VariadicFunction, type CallState, type Keywords, type NativeFunction } from '../values/callable.ts';
import { equals, sorted } from '../values/compare.ts';
import { iteratorOf } from '../values/iterate.ts';
import { repr, undefinedError } from '../values/repr.ts';
import { allItems } from '../values/iterate.ts';
import { truthy } from '../values/truth.ts';
import { Undefined } from '../values/undefined.ts';
import type { Value } from '../values/value.ts';
import { attributeGetter, ignoreCase } from './attribute-getter.ts';
import { filter, type NamedFilter } from './filter.ts';
import { GroupTuple } from '../values/group-tuple.ts';
import { generator } from './sequence-filters.ts';

/** @throws PythonError where there is no filter or test of that name. */
function named(registry: ReadonlyMap<string, NativeFunction>, kind: string, name: Value): NativeFunction {
  const known = typeof name === 'string' ? registry.get(name) : undefined;
  if (known !== undefined) return known;
  const hint = name instanceof Undefined ? ` (${undefinedError(name).message}; did you forget to quote the callable name?)` : '';
  throw new PythonError('TemplateRuntimeError', `No ${kind} named ${repr(name)}.${hint}`);
}

function* each(value: Value): Generator<Value> {
  const iterator = iteratorOf(value);
  for (let step = iterator.next(); step.done !== true; step = iterator.next()) {
    charge(1);
    yield step.value;
  }
}

function mapping(args: readonly Value[], keywords: Keywords, state: CallState): (item: Value) => Value {
  const attribute = keywords.get('attribute');
  if (args.length === 0 && attribute !== undefined) {
    const unexpected = [...keywords.keys()].find((key) => key !== 'attribute' && key !== 'default');
    if (unexpected !== undefined) throw filterArgumentError(`Unexpected keyword argument '${unexpected}'`);
    return attributeGetter(state, attribute, undefined, keywords.get('default'));
  }
  const [name, ...rest] = args;
  if (name === undefined) throw filterArgumentError('map requires a filter argument');
  return (item) => named(state.filters, 'filter', name).call(state, [item, ...rest], keywords);
}

function* mapped(value: Value, args: readonly Value[], keywords: Keywords, state: CallState): Generator<Value> {
  if (!truthy(value)) return;
  const apply = mapping(args, keywords, state);
  for (const item of each(value)) yield apply(item);
}

interface Selecting {
  readonly keeps: boolean;
  readonly byAttribute: boolean;
}

function condition(args: readonly Value[], keywords: Keywords, state: CallState, byAttribute: boolean): (item: Value) => boolean {
  const [attribute] = args;
  if (byAttribute && attribute === undefined) throw filterArgumentError('Missing parameter for attribute name');
  const valueOf = byAttribute ? attributeGetter(state, attribute as Value) : (item: Value): Value => item;
  const [name, ...rest] = byAttribute ? args.slice(1) : args;
  if (name === undefined) return (item) => truthy(valueOf(item));
  return (item) => truthy(named(state.tests, 'test', name).call(state, [valueOf(item), ...rest], keywords));
}

function* selected(
  value: Value,
  args: readonly Value[],
  keywords: Keywords,
  state: CallState,
  { keeps, byAttribute }: Selecting,
): Generator<Value> {
  if (!truthy(value)) return;
  const holds = condition(args, keywords, state, byAttribute);
  for (const item of each(value)) if (holds(item) === keeps) yield item;
}

function lazily(
  name: string,
  body: (value: Value, args: readonly Value[], keywords: Keywords, state: CallState) => Iterable<Value>,
): NamedFilter {
  const functionName = `sync_do_${name}`;
  const run = new VariadicFunction(functionName, ([value, ...args], keywords, state) =>
    generator(functionName, () => body(value as Value, args, keywords, state)),
  );
  return [name, run];
}

function selecting(name: string, options: Selecting): NamedFilter {
  return lazily(name, (value, args, keywords, state) => selected(value, args, keywords, state, options));
}

function groups(value: Value, attribute: Value, fallback: Value, caseSensitive: boolean, state: CallState): Value {
  const exact = attributeGetter(state, attribute, undefined, fallback);
  const keyOf = caseSensitive ? exact : attributeGetter(state, attribute, ignoreCase, fallback);
  const grouped: { key: Value; items: Value[] }[] = [];
  for (const item of sorted(allItems(value), keyOf)) {
    const key = keyOf(item);
    const current = grouped.at(-1);
    if (current !== undefined && equals(current.key, key)) current.items.push(item);
    else grouped.push({ key, items: [item] });
  }
  return grouped.map(({ key, items }) => new GroupTuple(caseSensitive ? key : exact(items[0] as Value), items));
}

/** Filters that go through a list with another filter, a test or an attribute. */
export const selectionFilters: readonly NamedFilter[] = [
  lazily('map', mapped),
  selecting('select', { keeps: true, byAttribute: false }),
  selecting('reject', { keeps: false, byAttribute: false }),
  selecting('selectattr', { keeps: true, byAttribute: true }),
  selecting('rejectattr', { keeps: false, byAttribute: true }),
  filter('groupby', 'value attribute default? case_sensitive?', ([value, attribute, fallback = null, caseSensitive = false], state) =>
    groups(value as Value, attribute as Value, fallback, truthy(caseSensitive), state),
  ),
];
