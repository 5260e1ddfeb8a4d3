import { z } from 'zod';
import type { DerenderService } from '../../derender/service.ts';
import { completionDerender, completionStreamDerender, parseCompletionDerender } from '../../protocol/derender-completion.ts';
import { completionAnswer, completionStreamAnswer } from '../answer-schemas.ts';
import type { Metrics } from '../metrics.ts';
import { checkModel } from '../model-check.ts';
import { requireBody } from '../required-body.ts';
import type { Route } from '../route.ts';
import type { ServedModel } from '../services.ts';
import { choiceTokens } from '../token-counts.ts';

const PATH = '/v1/completions/derender';

/** `POST /v1/completions/derender`: an engine's answers, one a prompt, or one chunk of its stream, as a completion. */
export function derenderCompletionRoute(derender: DerenderService, model: ServedModel, metrics: Metrics): Route {
  return {
    method: 'POST',
    path: PATH,
    takesJson: true,
    documentation: {
      summary: 'Completion from token ids',
      tag: 'Derender',
      request: z.union([completionDerender, completionStreamDerender]),
      response: z.union([completionAnswer, completionStreamAnswer]),
      example: {
        generate_responses: [{ request_id: 'r-1', choices: [{ index: 0, token_ids: [9707, 11, 1879, 0], finish_reason: 'stop' }] }],
      },
    },
    handle: async ({ body }) => {
      const parsed = parseCompletionDerender(requireBody(body));
      checkModel(model, parsed.body.model);
      const work = metrics.startWork(PATH);
      if (parsed.kind === 'one-shot') {
        const json = await derender.completion(parsed);
        work.done(
          'in',
          parsed.body.generate_responses.reduce((sum, { choices }) => sum + choiceTokens(choices), 0),
        );
        return { json };
      }
      const stream = derender.completionStream(parsed);
      work.done('in', choiceTokens(parsed.body.generate_chunk.choices));
      return { stream };
    },
  };
}
