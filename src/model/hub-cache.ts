import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync, copyFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { randomBytes } from 'node:crypto';

/**
 * One model in the cache that the Hugging Face tools share:
 * `models--ORG--NAME/{blobs/ETAG, refs/REVISION, snapshots/COMMIT/FILE -> blob}`.
 */
export class HubCache {
  readonly #root: string;

  constructor(cacheDirectory: string, repository: string) {
    this.#root = join(cacheDirectory, `models--${repository.replaceAll('/', '--')}`);
  }

  /** The commit that a branch or tag pointed to when it was last asked; a commit stands for itself. */
  commitOf(revision: string): string | undefined {
    if (/^[0-9a-f]{40}$/.test(revision)) return revision;
    try {
      return readFileSync(join(this.#root, 'refs', revision), 'utf8').trim() || undefined;
    } catch {
      return undefined;
    }
  }

  rememberCommit(revision: string, commit: string): void {
    if (revision === commit) return;
    writeAtomically(join(this.#root, 'refs', revision), commit);
  }

  snapshot(commit: string): string {
    return join(this.#root, 'snapshots', commit);
  }

  /** Names of the files of a snapshot that are in the cache, with `/` in subfolders. */
  fileNames(commit: string): string[] {
    return listFiles(this.snapshot(commit));
  }

  hasFile(commit: string, fileName: string): boolean {
    return isFile(join(this.snapshot(commit), fileName));
  }

  blob(etag: string): string {
    return join(this.#root, 'blobs', etag);
  }

  hasBlob(etag: string): boolean {
    return isFile(this.blob(etag));
  }

  /** Makes a blob appear under its name in a snapshot. Where links are not allowed, it is copied. */
  link(commit: string, fileName: string, etag: string): void {
    const pointer = join(this.snapshot(commit), fileName);
    mkdirSync(dirname(pointer), { recursive: true });
    const temporary = `${pointer}.${randomBytes(6).toString('hex')}`;
    const target = this.blob(etag);
    try {
      symlinkSync(relative(dirname(pointer), target), temporary);
    } catch {
      copyFileSync(target, temporary);
    }
    renameSync(temporary, pointer);
  }
}

/** Names of all files under a folder, with `/` in subfolders; none where there is no such folder. */
export function listFiles(folder: string, prefix = ''): string[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  return names.flatMap((name) => {
    const path = join(folder, name);
    if (isFile(path)) return [prefix + name];
    return prefix === '' ? listFiles(path, `${name}/`) : [];
  });
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function writeAtomically(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(temporary, content);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
