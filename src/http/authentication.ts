import { createHash, timingSafeEqual } from 'node:crypto';

const digest = (text: string): Buffer => createHash('sha256').update(text, 'utf8').digest();

/** Checks `Authorization` headers against the server's keys, in time that does not depend on where they differ. */
export class Authentication {
  private readonly keys: readonly Buffer[];

  constructor(keys: readonly string[]) {
    this.keys = keys.map(digest);
  }

  /** Whether a path needs a key. Only the API itself is guarded: health and metrics stay open to the machinery around. */
  guards(path: string): boolean {
    return this.keys.length > 0 && path.startsWith('/v1');
  }

  /** Whether an `Authorization` header carries a key. Header text is latin-1 in Node; keys are compared as UTF-8 bytes. */
  accepts(header: string | undefined): boolean {
    const space = header?.indexOf(' ') ?? -1;
    if (header === undefined || space < 0 || header.slice(0, space).toLowerCase() !== 'bearer') return false;
    const given = createHash('sha256')
      .update(header.slice(space + 1), 'latin1')
      .digest();
    let accepted = false;
    for (const key of this.keys) accepted = timingSafeEqual(given, key) || accepted;
    return accepted;
  }
}
