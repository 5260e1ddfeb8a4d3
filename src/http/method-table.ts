import type { Route } from './route.ts';

/** Which methods each path takes, for the answers to requests that no route matches. */
export class MethodTable {
  private readonly methods = new Map<string, Set<string>>();

  constructor(routes: readonly Route[]) {
    for (const { path, method } of routes) {
      const known = this.methods.get(path) ?? new Set();
      this.methods.set(path, known.add(method));
    }
  }

  /** Value of `Allow` for a path, or undefined where there is none. */
  allowed(path: string): string | undefined {
    const methods = this.methods.get(path);
    return methods && [...methods].join(', ');
  }

  /** The known path that differs only in slashes at its end, or undefined. */
  withOtherSlash(path: string): string | undefined {
    if (path === '/') return undefined;
    const other = path.endsWith('/') ? path.replace(/\/+$/, '') : `${path}/`;
    return this.methods.has(other) ? other : undefined;
  }
}
