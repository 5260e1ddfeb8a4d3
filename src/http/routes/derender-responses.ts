import { z } from 'zod';
import type { DerenderService } from '../../derender/service.ts';
import { responsesDerender, responsesStreamDerender } from '../../protocol/derender-chat.ts';
import { responseAnswer, responseEventsAnswer } from '../event-answer-schemas.ts';
import type { Metrics } from '../metrics.ts';
import { checkModel } from '../model-check.ts';
import { requireBody } from '../required-body.ts';
import type { Route } from '../route.ts';
import type { ServedModel } from '../services.ts';
import { choiceTokens } from '../token-counts.ts';

const PATH = '/v1/responses/derender';

/** `POST /v1/responses/derender`: an engine's answer as an OpenAI response, or one chunk of its stream as the response's events. */
export function derenderResponsesRoute(derender: DerenderService, model: ServedModel, metrics: Metrics): Route {
  return {
    method: 'POST',
    path: PATH,
    takesJson: true,
    documentation: {
      summary: 'OpenAI response from token ids',
      tag: 'Derender',
      request: z.union([responsesDerender, responsesStreamDerender]),
      response: z.union([responseAnswer, responseEventsAnswer]),
      example: {
        generate_response: { request_id: 'resp_1', choices: [{ index: 0, token_ids: [9707, 11, 1879, 0], finish_reason: 'stop' }] },
      },
    },
    handle: async ({ body }) => {
      const parsed = derender.parseResponses(requireBody(body));
      checkModel(model, parsed.body.model);
      const work = metrics.startWork(PATH);
      if (parsed.kind === 'one-shot') {
        const json = await derender.responses(parsed);
        work.done('in', choiceTokens(parsed.body.generate_response.choices));
        return { json };
      }
      const stream = derender.responsesStream(parsed);
      work.done('in', choiceTokens(parsed.body.generate_chunk.choices));
      return { stream };
    },
  };
}
