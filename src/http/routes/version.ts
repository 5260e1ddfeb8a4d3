import { z } from 'zod';
import type { Route } from '../route.ts';

/** The release of vLLM whose wire contract this server follows. */
const CONTRACT_VERSION = '0.33.0';

const versionAnswer = z.object({
  version: z.string().meta({ description: 'Version of this server.' }),
  contract: z.string().meta({ description: 'The vLLM release whose wire contract it follows.' }),
});

/** `GET /version`. */
export function versionRoute(version: string): Route {
  return {
    method: 'GET',
    path: '/version',
    takesJson: false,
    documentation: { summary: 'Versions of the server and of its contract', tag: 'Server', response: versionAnswer },
    handle: () => ({ json: { version, contract: `vllm ${CONTRACT_VERSION}` } }),
  };
}
