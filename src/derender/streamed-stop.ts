import { badRequest } from '../core/errors.ts';
import type { DecodingRequest } from './decoding-options.ts';
import type { DerenderEnvironment } from './environment.ts';

/**
 * Whether a stream's stop strings can be honoured. States in the reference's own form have no room for text that is held back.
 * @throws ApiError 400
 */
export function checkStreamedStop({ settings }: DerenderEnvironment, request: Pick<DecodingRequest, 'stop' | 'min_tokens'> | null): void {
  const stop = request?.stop ?? [];
  if (stop.length === 0) return;
  if (settings.streamState === 'vllm') {
    throw badRequest(
      'Stop strings cannot be streamed with --stream-state vllm: text already sent cannot be cut. Derender the whole answer instead.',
    );
  }
  if ((request?.min_tokens ?? 0) < 0) throw badRequest('min_tokens must not be negative where stop strings are streamed.', 'min_tokens');
}
