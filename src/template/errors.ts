/** What went wrong: the template's text, its run, its own `raise_exception`, or a limit of the render. */
export type TemplateErrorKind = 'syntax' | 'runtime' | 'raised' | 'limit';

/** The one error that compiling and rendering a template throw. */
export class TemplateError extends Error {
  readonly kind: TemplateErrorKind;
  /** Line of the template, counted from 1; undefined where the error belongs to no line. */
  readonly line: number | undefined;
  /** Name of the exception that Python raises here (`TypeError`, `UndefinedError`, `TemplateSyntaxError`, …). */
  readonly pythonType: string;

  constructor(kind: TemplateErrorKind, message: string, line: number | undefined, pythonType: string) {
    super(message);
    this.name = 'TemplateError';
    this.kind = kind;
    this.line = line;
    this.pythonType = pythonType;
  }
}

/** An exception of the template's run, named as Python names it; the renderer adds the line and turns it into a {@link TemplateError}. */
export class PythonError extends Error {
  readonly pythonType: string;

  constructor(pythonType: string, message: string) {
    super(message);
    this.pythonType = pythonType;
  }
}

/** Thrown where a limit of the render is passed. */
export class LimitError extends Error {}

/** @returns the error of a text that is no template, at `line` (counted from 1). */
export function syntaxError(message: string, line: number, pythonType = 'TemplateSyntaxError'): TemplateError {
  return new TemplateError('syntax', message, line, pythonType);
}

/** @returns Python's `TypeError`. */
export function typeError(message: string): PythonError {
  return new PythonError('TypeError', message);
}

/** @returns Python's `ValueError`. */
export function valueError(message: string): PythonError {
  return new PythonError('ValueError', message);
}

/** @returns jinja's `FilterArgumentError`. */
export function filterArgumentError(message: string): PythonError {
  return new PythonError('FilterArgumentError', message);
}
