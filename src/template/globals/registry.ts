import { charge, reserveItems } from '../budget.ts';
import { PythonError, typeError, valueError } from '../errors.ts';
import { strftime } from '../strftime.ts';
import { NativeFunction, signature, VariadicFunction, type CallState, type Keywords } from '../values/callable.ts';
import { Dict } from '../values/dict.ts';
import { allItems, isIterable } from '../values/iterate.ts';
import { indexArgument, stringArgument } from '../values/method.ts';
import { text, undefinedError } from '../values/repr.ts';
import { typeName } from '../values/type-name.ts';
import { Undefined } from '../values/undefined.ts';
import { NumberRange, type Value } from '../values/value.ts';
import { Cycler, Joiner } from './cycler.ts';
import { loremIpsum } from './lorem-ipsum.ts';
import { Namespace } from './namespace.ts';

// The sandbox's own limit.
const MAX_RANGE = 100_000;

function range(args: readonly Value[]): Value {
  if (args.length === 0) throw typeError('range expected at least 1 argument, got 0');
  if (args.length > 3) throw typeError(`range expected at most 3 arguments, got ${args.length}`);
  const numbers = args.map(indexArgument);
  const [start, stop, step] =
    numbers.length === 1 ? [0, numbers[0] as number, 1] : [numbers[0] as number, numbers[1] as number, numbers[2] ?? 1];
  if (step === 0) throw valueError('range() arg 3 must not be zero');
  const made = new NumberRange(start, stop, step);
  if (made.length > MAX_RANGE)
    throw new PythonError('OverflowError', `Range too big. The sandbox blocks ranges larger than MAX_RANGE (${MAX_RANGE}).`);
  return made;
}

/** @returns the two parts of an item that stands for a key and its value. */
function keyAndValue(item: Value, index: number): [Value, Value] {
  if (!isIterable(item)) throw typeError(`cannot convert dictionary update sequence element #${index} to a sequence`);
  const parts = allItems(item);
  if (parts.length !== 2) throw valueError(`dictionary update sequence element #${index} has length ${parts.length}; 2 is required`);
  return [parts[0] as Value, parts[1] as Value];
}

function dict(args: readonly Value[], keywords: Keywords): Dict {
  if (args.length > 1) throw typeError(`dict expected at most 1 argument, got ${args.length}`);
  const [source] = args;
  if (source instanceof Undefined) throw undefinedError(source);
  charge(keywords.size);
  const entries = source === undefined ? [] : source instanceof Dict ? source.entries() : allItems(source).map(keyAndValue);
  reserveItems(entries.length);
  return Dict.from([...entries, ...keywords]);
}

/** A class: printed as one, called to make its objects. */
class TypeFunction extends VariadicFunction {
  readonly #printedName: string;

  constructor(name: string, printedName: string, make: (args: readonly Value[], keywords: Keywords, state: CallState) => Value) {
    super(name, make);
    this.#printedName = printedName;
  }

  override get typeName(): string {
    return 'type';
  }

  override describe(): string {
    return `<class '${this.#printedName}'>`;
  }
}

function withoutKeywords(name: string, keywords: Keywords): void {
  if (keywords.size > 0) throw typeError(`${name}() takes no keyword arguments`);
}

function raise(message: Value): never {
  throw new PythonError('TemplateError', typeof message === 'string' ? message : text(message));
}

/** What every template finds: jinja's globals. */
export const jinjaGlobals: ReadonlyMap<string, Value> = new Map<string, Value>([
  [
    'range',
    new VariadicFunction('safe_range', (args, keywords) => {
      withoutKeywords('safe_range', keywords);
      return range(args);
    }),
  ],
  ['dict', new TypeFunction('dict', 'dict', dict)],
  ['namespace', new TypeFunction('Namespace', 'jinja2.utils.Namespace', (args, keywords) => new Namespace(dict(args, keywords)))],
  [
    'cycler',
    new TypeFunction('Cycler', 'jinja2.utils.Cycler', (args, keywords) => {
      withoutKeywords('Cycler', keywords);
      return new Cycler(args);
    }),
  ],
  ['joiner', new TypeFunction('Joiner', 'jinja2.utils.Joiner', (args, keywords) => new Joiner(args[0] ?? keywords.get('sep') ?? ', '))],
  ['lipsum', new NativeFunction(signature('generate_lorem_ipsum', 'n? html? min? max?'), loremIpsum)],
]);

/** What transformers adds. */
export const chatGlobals: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['raise_exception', new NativeFunction(signature('raise_exception', 'message'), ([message]) => raise(message as Value))],
  [
    'strftime_now',
    new NativeFunction(signature('strftime_now', 'format'), ([format], state) => {
      if (typeof format !== 'string') throw typeError(`strftime() argument 1 must be str, not ${typeName(format as Value)}`);
      return strftime(state.now(), stringArgument(format, 'format'));
    }),
  ],
]);
