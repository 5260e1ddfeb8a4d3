import { statSync } from 'node:fs';
import { StartupError } from '../core/errors.ts';
import { HubCache, listFiles } from './hub-cache.ts';
import type { HubSettings } from './hub-settings.ts';
import { HubUnreachable } from './hub-unreachable.ts';
import { neededFiles } from './model-file-names.ts';

/** Where a model's files are. */
export interface FoundModel {
  /** As it was asked for. */
  name: string;
  directory: string;
  /** Names of all files that the model has, also those that were not fetched. */
  fileNames: string[];
}

const HUB_NAME = /^[\w.-]+(?:\/[\w.-]+)?$/;

/**
 * Finds a model: a local directory, or else a name on the hub, whose files are fetched into the shared cache.
 * @param revision branch, tag or commit on the hub, `main` where null
 * @throws StartupError where there is no such model or it cannot be fetched.
 */
export async function findModel(name: string, revision: string | null, settings: HubSettings): Promise<FoundModel> {
  if (statSync(name, { throwIfNoEntry: false })?.isDirectory() === true) return { name, directory: name, fileNames: listFiles(name) };
  if (!HUB_NAME.test(name) || /^\.+$/.test(name.split('/')[0] ?? '')) {
    throw new StartupError(`${name} is neither a directory nor the name of a model on a hub (ORGANISATION/NAME).`);
  }
  const wanted = revision ?? 'main';
  if (!/^[\w./-]+$/.test(wanted) || wanted.includes('..')) throw new StartupError(`${wanted} cannot be a revision of a model.`);
  const cache = new HubCache(settings.cacheDirectory, name);
  if (settings.offline) return fromCache(name, wanted, cache, `and HF_HUB_OFFLINE forbids fetching it`);
  try {
    return await fromHub(name, wanted, cache, settings);
  } catch (error) {
    if (error instanceof HubUnreachable) return fromCache(name, wanted, cache, `and cannot be fetched: ${error.message}`);
    throw error;
  }
}

async function fromHub(name: string, revision: string, cache: HubCache, settings: HubSettings): Promise<FoundModel> {
  // The HTTP client takes 25 MB and a quarter of a second: only servers that fetch something pay for it.
  const { HubClient } = await import('./hub-client.ts');
  const client = new HubClient(settings);
  try {
    const { commit, fileNames } = await client.repository(name, revision);
    for (const fileName of neededFiles(fileNames)) {
      if (cache.hasFile(commit, fileName)) continue;
      const file = await client.locate(name, commit, fileName);
      if (!cache.hasBlob(file.etag)) await client.download(file, cache.blob(file.etag), `${fileName} of ${name}`);
      cache.link(commit, fileName, file.etag);
    }
    cache.rememberCommit(revision, commit);
    return { name, directory: cache.snapshot(commit), fileNames };
  } finally {
    await client.close();
  }
}

function fromCache(name: string, revision: string, cache: HubCache, why: string): FoundModel {
  const commit = cache.commitOf(revision);
  const fileNames = commit === undefined ? [] : cache.fileNames(commit);
  if (commit === undefined || fileNames.length === 0)
    throw new StartupError(`${name} (${revision}) is not in the cache, ${why}`.replace(/\.?$/, '.'));
  return { name, directory: cache.snapshot(commit), fileNames };
}
