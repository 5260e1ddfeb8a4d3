import { parseChatRequest, chatRequest } from '../../protocol/chat-request.ts';
import { generateRequest } from '../../protocol/generate-request.ts';
import type { RenderService } from '../../render/render-service.ts';
import type { Metrics } from '../metrics.ts';
import { checkModel } from '../model-check.ts';
import { requireBody } from '../required-body.ts';
import type { Route } from '../route.ts';
import type { ServedModel } from '../services.ts';

const PATH = '/v1/chat/completions/render';

/** `POST /v1/chat/completions/render`: a chat request as token ids and sampling parameters. */
export function renderChatRoute(render: RenderService, model: ServedModel, metrics: Metrics): Route {
  return {
    method: 'POST',
    path: PATH,
    takesJson: true,
    documentation: {
      summary: 'Token ids of a chat request',
      tag: 'Render',
      request: chatRequest,
      response: generateRequest,
      example: { messages: [{ role: 'user', content: 'What is the weather in Paris?' }] },
    },
    handle: async ({ body, text, requestId }) => {
      const request = parseChatRequest(requireBody(body));
      checkModel(model, request.model);
      const work = metrics.startWork(PATH);
      const json = await render.chat(request, { rawBody: text, requestId });
      work.done('out', json.token_ids.length);
      return { json };
    },
  };
}
