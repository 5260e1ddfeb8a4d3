import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Writes a file that only this user can read, and takes it away again after use. */
export function withScratchFile<Result>(pieces: readonly Uint8Array[], use: (path: string) => Result): Result {
  const folder = mkdtempSync(join(tmpdir(), 'derender-'));
  try {
    const path = join(folder, 'scratch');
    const descriptor = openSync(path, 'wx', 0o600);
    try {
      for (const piece of pieces) writeWhole(descriptor, piece);
    } finally {
      closeSync(descriptor);
    }
    return use(path);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function writeWhole(descriptor: number, piece: Uint8Array): void {
  let written = 0;
  while (written < piece.length) written += writeSync(descriptor, piece, written);
}

/** Whether such a file can be written: not in a container without a writable folder. */
export function canWriteScratchFiles(): boolean {
  try {
    return withScratchFile([], () => true);
  } catch {
    return false;
  }
}
