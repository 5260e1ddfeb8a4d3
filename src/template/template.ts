import { defaultLimits, withLimits, type Limits } from './budget.ts';
import { detectContentFormat, type ContentFormat } from './analysis/content-format.ts';
import { compile, type CompiledTemplate } from './compiler/compile.ts';
import { LimitError, PythonError, TemplateError } from './errors.ts';
import { filters } from './filters/registry.ts';
import { fromJs } from './from-js.ts';
import { chatGlobals, jinjaGlobals } from './globals/registry.ts';
import { Context, RenderState, type GeneratedText } from './render-state.ts';
import { clockTimeOf, type ClockTime } from './strftime.ts';
import type { Statement } from './syntax/ast.ts';
import { parseTemplate } from './syntax/parser.ts';
import { tests } from './tests/registry.ts';
import { Dict } from './values/dict.ts';
import { codePointLength } from './values/text.ts';
import type { Value } from './values/value.ts';

export interface RenderOptions {
  /** Tokens by name (`bos_token`, `eos_token`, …), as variables; a variable of the same name wins. */
  readonly specialTokens?: Readonly<Record<string, string>> | undefined;
  /** What `strftime_now` takes as now; the clock if left out. */
  readonly now?: ClockTime | undefined;
  /** Limits of this render, where they differ from the usual ones. */
  readonly limits?: Partial<Limits> | undefined;
}

/** A part of the prompt that a `generation` block covers, in code points: `start` is its first one, `end` the first behind it. */
export interface GenerationRange {
  readonly start: number;
  readonly end: number;
}

export interface Rendered {
  readonly text: string;
  readonly generationRanges: readonly GenerationRange[];
}

/** Variables of a render: plain data, or values of the template language. */
export type Variables = Readonly<Record<string, unknown>> | ReadonlyMap<string, unknown> | Dict;

const NAMES = { filters: new Set(filters.keys()), tests: new Set(tests.keys()) };

function entriesOf(variables: Variables): Iterable<readonly [string, unknown]> {
  if (variables instanceof Dict) return variables.entries() as [string, Value][];
  return variables instanceof Map ? variables : Object.entries(variables);
}

/** Turns what a render or a compilation throws into a {@link TemplateError}. */
function guarded<Result>(line: () => number | undefined, body: () => Result): Result {
  try {
    return body();
  } catch (error) {
    if (error instanceof TemplateError) throw error;
    if (error instanceof LimitError) throw new TemplateError('limit', error.message, line(), 'RuntimeError');
    if (error instanceof PythonError)
      throw new TemplateError(error.pythonType === 'TemplateError' ? 'raised' : 'runtime', error.message, line(), error.pythonType);
    // The engine's own limits: the stack, the length of a string or list, the size of a bigint.
    if (error instanceof RangeError)
      throw new TemplateError('limit', `the template needs more than the engine has: ${error.message}`, line(), 'RecursionError');
    throw error;
  }
}

function ranges(text: string, generated: readonly GeneratedText[]): GenerationRange[] {
  return generated.map((part) => {
    const start = codePointLength(text.slice(0, part.start));
    return { start, end: start + codePointLength(part.text) };
  });
}

/** A chat template, compiled once and rendered as often as wanted. */
export class Template {
  readonly source: string;
  readonly #body: readonly Statement[];
  readonly #compiled: CompiledTemplate;
  #contentFormat: ContentFormat | undefined;

  /** @throws TemplateError of kind `syntax` (or `limit`) where the text is no template. */
  constructor(source: string) {
    this.source = source;
    [this.#body, this.#compiled] = guarded(
      () => undefined,
      () => {
        const body = parseTemplate(source);
        return [body, compile(body, NAMES)];
      },
    );
  }

  /**
   * @returns the text, and what of it `generation` blocks cover.
   * @throws TemplateError of kind `runtime`, `raised` (by the template's own `raise_exception`) or `limit`.
   */
  render(variables: Variables, { specialTokens = {}, now, limits }: RenderOptions = {}): Rendered {
    const state = new RenderState({ filters, tests, now: () => now ?? clockTimeOf(new Date()), blocks: this.#compiled.blocks });
    return guarded(
      () => state.line,
      () =>
        withLimits({ ...defaultLimits, ...limits }, () => {
          const values = new Map<string, Value>(Object.entries(specialTokens));
          for (const [name, value] of entriesOf(variables)) values.set(name, fromJs(value));
          const context = new Context((name) => {
            if (values.has(name)) return values.get(name);
            const known = jinjaGlobals.get(name);
            return known === undefined ? chatGlobals.get(name) : known;
          });
          this.#compiled.render(state, context);
          return { text: state.out, generationRanges: ranges(state.out, state.generated) };
        }),
    );
  }

  /**
   * @returns the names that the template reads without setting them first, jinja's own globals apart: the variables that it can make use of. The
   * functions that transformers adds count as variables, as they do in the reference.
   */
  undeclaredVariables(): ReadonlySet<string> {
    return new Set([...this.#compiled.contextNames].filter((name) => !jinjaGlobals.has(name)));
  }

  /** @returns whether the template takes message content as a string, or as a list of parts (`openai`): it does if it goes through them. */
  contentFormat(): ContentFormat {
    this.#contentFormat ??= guarded(
      () => undefined,
      () => detectContentFormat(this.#body),
    );
    return this.#contentFormat;
  }
}

/**
 * Compiles a chat template.
 *
 * @throws TemplateError of kind `syntax` (or `limit`) where the text is no template.
 */
export function compileTemplate(source: string): Template {
  return new Template(source);
}
