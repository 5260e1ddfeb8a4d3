import { z } from 'zod';
import { parseCompletionRequest, completionRequest } from '../../protocol/completion-request.ts';
import { generateRequest } from '../../protocol/generate-request.ts';
import type { RenderService } from '../../render/render-service.ts';
import type { Metrics } from '../metrics.ts';
import { checkModel } from '../model-check.ts';
import { requireBody } from '../required-body.ts';
import type { Route } from '../route.ts';
import type { ServedModel } from '../services.ts';

const PATH = '/v1/completions/render';

/** `POST /v1/completions/render`: a completion request as token ids and sampling parameters, one object a prompt. */
export function renderCompletionRoute(render: RenderService, model: ServedModel, metrics: Metrics): Route {
  return {
    method: 'POST',
    path: PATH,
    takesJson: true,
    documentation: {
      summary: 'Token ids of a completion request',
      tag: 'Render',
      request: completionRequest,
      response: z.array(generateRequest),
      example: { prompt: 'Once upon a time', max_tokens: 32 },
    },
    handle: async ({ body, text, requestId }) => {
      const request = parseCompletionRequest(requireBody(body));
      checkModel(model, request.model);
      const work = metrics.startWork(PATH);
      const json = await render.completion(request, { rawBody: text, requestId });
      work.done(
        'out',
        json.reduce((sum, { token_ids: ids }) => sum + ids.length, 0),
      );
      return { json };
    },
  };
}
