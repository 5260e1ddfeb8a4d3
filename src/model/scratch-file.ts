import { closeSync, existsSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Writes a file that only this user can read, and takes it away again after use. On Linux its name is gone before it is used, so
 * that nothing stays behind when the process is killed meanwhile.
 */
export function withScratchFile<Result>(pieces: readonly Uint8Array[], use: (path: string) => Result): Result {
  const folder = mkdtempSync(join(tmpdir(), 'derender-'));
  const path = join(folder, 'scratch');
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, 'wx+', 0o600);
    for (const piece of pieces) writeWhole(descriptor, piece);
    const nameless = `/proc/self/fd/${descriptor}`;
    if (!existsSync(nameless)) return use(path);
    rmSync(folder, { recursive: true });
    return use(nameless);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
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
