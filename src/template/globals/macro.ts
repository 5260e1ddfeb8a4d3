import { charge, deeper } from '../budget.ts';
import { typeError } from '../errors.ts';
import { Callable, type CallState, type Keywords } from '../values/callable.ts';
import { Dict } from '../values/dict.ts';
import { Undefined } from '../values/undefined.ts';
import { Tuple, type Value } from '../values/value.ts';

/** What a macro's body gets besides its parameters, where it asks for it. */
export interface MacroExtras {
  readonly caller: boolean;
  readonly keywords: boolean;
  readonly rest: boolean;
}

interface MacroShape extends MacroExtras {
  /** Undefined for the macro of a call block. */
  readonly name: string | undefined;
  readonly parameters: readonly string[];
}

/** Arguments as the body takes them: one a parameter, undefined where not given. */
export interface MacroArguments {
  readonly parameters: readonly (Value | undefined)[];
  readonly caller: Value | undefined;
  readonly keywords: Dict | undefined;
  readonly rest: Tuple | undefined;
}

/** A `macro` of the template, or the body of a `call` block. */
export class Macro extends Callable {
  readonly #shape: MacroShape;
  readonly #render: (state: CallState, given: MacroArguments) => Value;

  constructor(shape: MacroShape, render: (state: CallState, given: MacroArguments) => Value) {
    super();
    this.#shape = shape;
    this.#render = render;
  }

  override get typeName(): string {
    return 'Macro';
  }

  override get qualifiedName(): string {
    return 'jinja2.runtime.Macro';
  }

  override describe(repr: (value: Value) => string): string {
    return `<Macro ${this.#shape.name === undefined ? 'anonymous' : repr(this.#shape.name)}>`;
  }

  override attribute(name: string): Value | undefined {
    const { parameters, keywords, rest, caller } = this.#shape;
    switch (name) {
      case 'name':
        return this.#shape.name ?? null;
      case 'arguments':
        return new Tuple(parameters);
      case 'catch_kwargs':
        return keywords;
      case 'catch_varargs':
        return rest;
      case 'caller':
        return caller;
      case 'explicit_caller':
        return parameters.includes('caller');
      default:
        return undefined;
    }
  }

  override call(state: CallState, args: readonly Value[], keywords: Keywords | undefined): Value {
    charge(1);
    const given = this.#bind(args, keywords);
    return deeper(() => this.#render(state, given));
  }

  #bind(args: readonly Value[], keywords: Keywords | undefined): MacroArguments {
    const { name, parameters, rest } = this.#shape;
    const left = new Map(keywords);
    const bound = parameters.map((parameter, index) => {
      if (index < args.length) return args[index];
      const value = left.get(parameter);
      left.delete(parameter);
      return value;
    });
    const caller = this.#takeCaller(left);
    if (!this.#shape.keywords && left.size > 0) {
      const [unknown] = left.keys();
      if (left.has('caller'))
        throw typeError(`macro '${name ?? ''}' was invoked with two values for the special caller argument. This is most likely a bug.`);
      throw typeError(`macro '${name ?? 'None'}' takes no keyword argument '${unknown ?? ''}'`);
    }
    if (!rest && args.length > parameters.length)
      throw typeError(`macro '${name ?? 'None'}' takes not more than ${parameters.length} argument(s)`);
    return {
      parameters: bound,
      caller,
      keywords: this.#shape.keywords ? Dict.from(left) : undefined,
      rest: rest ? new Tuple(args.slice(parameters.length)) : undefined,
    };
  }

  /** A parameter named `caller` is bound with the others. */
  #takeCaller(left: Map<string, Value>): Value | undefined {
    if (!this.#shape.caller || this.#shape.parameters.includes('caller')) return undefined;
    const caller = left.get('caller');
    left.delete('caller');
    return caller === undefined || caller === null ? new Undefined('caller', undefined, 'No caller defined') : caller;
  }
}
