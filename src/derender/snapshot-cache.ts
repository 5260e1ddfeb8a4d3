import { createHash } from 'node:crypto';

/** Bound on the texts that are kept, in UTF-16 units. */
const MAX_UNITS = 32 * 1024 * 1024;

/** A stream's history up to a chunk, by which its snapshot is found again. */
export interface HistoryKey {
  /** The request as sent. */
  request: unknown;
  promptIds: readonly number[];
  outputIds: readonly number[];
  /** How many ids each chunk brought. */
  chunkLens: readonly number[];
}

function addIds(hash: ReturnType<typeof createHash>, ids: readonly number[]): void {
  // As doubles: ids that fit no integer type are told apart too.
  const list = Float64Array.from(ids);
  hash.update(`${list.length}:`).update(new Uint8Array(list.buffer));
}

/** @returns a digest of everything that a parser's progress depends on */
export function historyDigest({ request, promptIds, outputIds, chunkLens }: HistoryKey): string {
  const hash = createHash('sha256').update(JSON.stringify(request ?? null));
  addIds(hash, promptIds);
  addIds(hash, outputIds);
  addIds(hash, chunkLens);
  return hash.digest('base64url');
}

/**
 * Progress of streams whose states carry the whole history, by the digest of it: spares the replay where this server answered the chunk
 * before. Bounded in size; the one used longest ago goes first.
 */
export class SnapshotCache {
  private readonly texts = new Map<string, string>();
  private units = 0;
  private readonly limit: number;

  /** @param limit bound on the texts kept, in UTF-16 units */
  constructor(limit: number = MAX_UNITS) {
    this.limit = limit;
  }

  /** The snapshot's JSON text; it is taken out, as a stream's next chunk replaces it. */
  take(digest: string): string | undefined {
    const text = this.texts.get(digest);
    if (text !== undefined) this.remove(digest, text);
    return text;
  }

  put(digest: string, text: string): void {
    const before = this.texts.get(digest);
    if (before !== undefined) this.remove(digest, before);
    this.texts.set(digest, text);
    this.units += text.length;
    for (const [oldest, held] of this.texts) {
      if (this.units <= this.limit) break;
      this.remove(oldest, held);
    }
  }

  private remove(digest: string, text: string): void {
    this.texts.delete(digest);
    this.units -= text.length;
  }
}
