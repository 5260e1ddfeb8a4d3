import { parseResponsesRequest, responsesRequest } from '../../protocol/responses-request.ts';
import { generateRequest } from '../../protocol/generate-request.ts';
import type { RenderService } from '../../render/render-service.ts';
import type { Metrics } from '../metrics.ts';
import { checkModel } from '../model-check.ts';
import { requireBody } from '../required-body.ts';
import type { Route } from '../route.ts';
import type { ServedModel } from '../services.ts';

const PATH = '/v1/responses/render';

/** `POST /v1/responses/render`: an OpenAI Responses request as token ids and sampling parameters. */
export function renderResponsesRoute(render: RenderService, model: ServedModel, metrics: Metrics): Route {
  return {
    method: 'POST',
    path: PATH,
    takesJson: true,
    documentation: {
      summary: 'Token ids of an OpenAI Responses request',
      tag: 'Render',
      request: responsesRequest,
      response: generateRequest,
      example: { input: 'Hello' },
    },
    handle: async ({ body, text, requestId }) => {
      const request = parseResponsesRequest(requireBody(body));
      checkModel(model, request.model);
      const work = metrics.startWork(PATH);
      const json = await render.responses(request, { rawBody: text, requestId });
      work.done('out', json.token_ids.length);
      return { json };
    },
  };
}
