import type { PythonValue } from '../../core/python-json.ts';

/** A text that is nothing but a placeholder, such as `{content.name}`. */
const PLACEHOLDER = /^\{([\p{L}\p{N}_]+(?:\.[\p{L}\p{N}_]+)*)\}$/u;
const ANY_PLACEHOLDER = /\{[\p{L}\p{N}_]+(?:\.[\p{L}\p{N}_]+)*\}/u;

/** Values by the names that placeholders may begin with. */
export type Scope = ReadonlyMap<string, PythonValue>;

/** The first text that mixes a placeholder with other text, which is not possible; null where there is none. */
export function mixedPlaceholder(transform: PythonValue): string | null {
  if (typeof transform === 'string') return ANY_PLACEHOLDER.test(transform) && !PLACEHOLDER.test(transform) ? transform : null;
  const members = transform instanceof Map ? [...transform.values()] : Array.isArray(transform) ? transform : [];
  for (const member of members) {
    const mixed = mixedPlaceholder(member);
    if (mixed !== null) return mixed;
  }
  return null;
}

function lookUp(path: string, scope: Scope): PythonValue | undefined {
  const [root = '', ...keys] = path.split('.');
  let value = scope.get(root);
  for (const key of keys) value = value instanceof Map ? value.get(key) : undefined;
  return value;
}

/** The transform with values in place of its placeholders; undefined where one of them has none. */
export function applyTransform(transform: PythonValue, scope: Scope): PythonValue | undefined {
  if (typeof transform === 'string') {
    const path = PLACEHOLDER.exec(transform)?.[1];
    return path === undefined ? transform : lookUp(path, scope);
  }
  if (Array.isArray(transform)) {
    const items = transform.map((item) => applyTransform(item, scope));
    return items.every((item) => item !== undefined) ? items : undefined;
  }
  if (!(transform instanceof Map)) return transform;
  const members = new Map<string, PythonValue>();
  for (const [key, member] of transform) {
    const value = applyTransform(member, scope);
    if (value === undefined) return undefined;
    members.set(key, value);
  }
  return members;
}
