import { PythonNumber } from '../core/python-json.ts';
import { Float } from '../template/index.ts';

/**
 * Numbers that JavaScript would lose, as the template language has them. Where there are none, the value itself is returned.
 */
export function templateValue(value: unknown): unknown {
  if (value instanceof PythonNumber) return value.isFloat ? new Float(Number(value.text)) : BigInt(value.text);
  if (Array.isArray(value)) {
    const items = value.map(templateValue);
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries: [string, unknown][] = value instanceof Map ? [...value] : Object.entries(value);
  let changed = false;
  const converted = new Map(
    entries.map(([key, item]) => {
      const result = templateValue(item);
      changed ||= result !== item;
      return [key, result];
    }),
  );
  return changed ? converted : value;
}
