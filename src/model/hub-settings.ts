import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** How model files are fetched: what the Hugging Face tools read from the environment. */
export interface HubSettings {
  /** Address of the hub, without a trailing slash. */
  endpoint: string;
  /** The folder with `models--ORG--NAME` in it. */
  cacheDirectory: string;
  token: string | null;
  /** Only what is in the cache may be used. */
  offline: boolean;
  /** Hosts that are reached without the proxy that the environment names, as `NO_PROXY` lists them. */
  noProxy: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

const TRUE = new Set(['1', 'on', 'yes', 'true']);

/**
 * Reads `HF_ENDPOINT`, `HF_HUB_CACHE`, `HF_HOME`, `HF_TOKEN`, `HF_HUB_OFFLINE` and their older names.
 * @param token `--hf-token`, before `HF_TOKEN` and the file that `hf auth login` writes
 */
export function hubSettings(environment: Environment, token: string | null): HubSettings {
  const set = (name: string): string | undefined => environment[name] || undefined;
  const home = expand(set('HF_HOME') ?? join(set('XDG_CACHE_HOME') ?? join(homedir(), '.cache'), 'huggingface'));
  return {
    endpoint: (set('HF_ENDPOINT') ?? 'https://huggingface.co').replace(/\/+$/, ''),
    cacheDirectory: expand(set('HF_HUB_CACHE') ?? set('HUGGINGFACE_HUB_CACHE') ?? join(home, 'hub')),
    token: token ?? set('HF_TOKEN') ?? set('HUGGING_FACE_HUB_TOKEN') ?? tokenFile(expand(set('HF_TOKEN_PATH') ?? join(home, 'token'))),
    noProxy: withLoopback(set('no_proxy') ?? set('NO_PROXY') ?? ''),
    offline: ['HF_HUB_OFFLINE', 'TRANSFORMERS_OFFLINE'].some((name) => TRUE.has((set(name) ?? '').toLowerCase())),
  };
}

/** A hub on this machine is never behind a proxy. */
function withLoopback(hosts: string): string {
  return hosts.trim() === '*' ? '*' : [hosts, 'localhost', '127.0.0.1', '::1'].filter((host) => host !== '').join(',');
}

function expand(path: string): string {
  return path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path;
}

function tokenFile(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim() || null;
  } catch {
    return null;
  }
}
