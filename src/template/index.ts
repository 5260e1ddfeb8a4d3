/** Chat templates (Jinja with Python's values), usable alone. */
export { defaultLimits, type Limits } from './budget.ts';
export { TemplateError, type TemplateErrorKind } from './errors.ts';
export { fromJs, parseJson } from './from-js.ts';
export { renderChat, type ChatVariables } from './render-chat.ts';
export { clockTimeOf, parseClockTime, strftime, type ClockTime } from './strftime.ts';
export { compileTemplate, type GenerationRange, type Rendered, type RenderOptions, type Template, type Variables } from './template.ts';
export type { ContentFormat } from './analysis/content-format.ts';
export { Dict } from './values/dict.ts';
export { Float, Tuple, type Value } from './values/value.ts';
