import { parseMessagesRequest, messagesRequest } from '../../protocol/messages-request.ts';
import { generateRequest } from '../../protocol/generate-request.ts';
import type { RenderService } from '../../render/render-service.ts';
import type { Metrics } from '../metrics.ts';
import { checkModel } from '../model-check.ts';
import { requireBody } from '../required-body.ts';
import type { Route } from '../route.ts';
import type { ServedModel } from '../services.ts';

const PATH = '/v1/messages/render';

/** `POST /v1/messages/render`: an Anthropic Messages request as token ids and sampling parameters. */
export function renderMessagesRoute(render: RenderService, model: ServedModel, metrics: Metrics): Route {
  return {
    method: 'POST',
    path: PATH,
    takesJson: true,
    documentation: {
      summary: 'Token ids of an Anthropic Messages request',
      tag: 'Render',
      request: messagesRequest,
      response: generateRequest,
      example: { max_tokens: 256, messages: [{ role: 'user', content: 'Hello' }] },
    },
    handle: async ({ body, text, requestId }) => {
      const request = parseMessagesRequest(requireBody(body));
      checkModel(model, request.model);
      const work = metrics.startWork(PATH);
      const json = await render.messages(request, { rawBody: text, requestId });
      work.done('out', json.token_ids.length);
      return { json };
    },
  };
}
