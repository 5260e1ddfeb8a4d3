import { z } from 'zod';
import type { DerenderService } from '../../derender/service.ts';
import { messagesDerender, messagesStreamDerender } from '../../protocol/derender-chat.ts';
import { messageAnswer, messageEventsAnswer } from '../event-answer-schemas.ts';
import type { Metrics } from '../metrics.ts';
import { checkModel } from '../model-check.ts';
import { requireBody } from '../required-body.ts';
import type { Route } from '../route.ts';
import type { ServedModel } from '../services.ts';
import { choiceTokens } from '../token-counts.ts';

const PATH = '/v1/messages/derender';

/** `POST /v1/messages/derender`: an engine's answer as an Anthropic message, or one chunk of its stream as the message's events. */
export function derenderMessagesRoute(derender: DerenderService, model: ServedModel, metrics: Metrics): Route {
  return {
    method: 'POST',
    path: PATH,
    takesJson: true,
    documentation: {
      summary: 'Anthropic message from token ids',
      tag: 'Derender',
      request: z.union([messagesDerender, messagesStreamDerender]),
      response: z.union([messageAnswer, messageEventsAnswer]),
      example: { generate_response: { request_id: 'r-1', choices: [{ index: 0, token_ids: [9707, 11, 1879, 0], finish_reason: 'stop' }] } },
    },
    handle: async ({ body }) => {
      const parsed = await derender.parseMessages(requireBody(body));
      checkModel(model, parsed.body.model);
      const work = metrics.startWork(PATH);
      if (parsed.kind === 'one-shot') {
        const json = await derender.messages(parsed);
        work.done('in', choiceTokens(parsed.body.generate_response.choices));
        return { json };
      }
      const stream = derender.messagesStream(parsed);
      work.done('in', choiceTokens(parsed.body.generate_chunk.choices));
      return { stream };
    },
  };
}
