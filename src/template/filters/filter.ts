import { NativeFunction, signature, type Arguments, type CallState } from '../values/callable.ts';
import type { Value } from '../values/value.ts';

/** A named filter. */
export type NamedFilter = readonly [string, NativeFunction];

/**
 * @param parameters names after the value's, those that may be left out with a `?` behind; the value's own name comes first.
 * @returns a filter under `name`.
 */
export function filter(name: string, parameters: string, body: (args: Arguments, state: CallState) => Value): NamedFilter {
  return [name, new NativeFunction(signature(`do_${name}`, parameters), body)];
}
