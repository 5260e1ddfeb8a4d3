import { PythonObject, type Value } from './value.ts';

/** @returns `type(value).__name__` */
export function typeName(value: Value): string {
  switch (typeof value) {
    case 'string':
      return 'str';
    case 'number':
    case 'bigint':
      return 'int';
    case 'boolean':
      return 'bool';
    default:
      if (value === null) return 'NoneType';
      return value instanceof PythonObject ? value.typeName : 'list';
  }
}

/** @returns the type's name with its module, where that is no builtin. */
export function qualifiedTypeName(value: Value): string {
  return value instanceof PythonObject ? value.qualifiedName : typeName(value);
}
