import { z } from 'zod';
import type { DerenderService } from '../../derender/service.ts';
import { chatDerender, chatStreamDerender, parseChatDerender } from '../../protocol/derender-chat.ts';
import { chatCompletionAnswer, chatStreamAnswer } from '../answer-schemas.ts';
import type { Metrics } from '../metrics.ts';
import { checkModel } from '../model-check.ts';
import { requireBody } from '../required-body.ts';
import type { Route } from '../route.ts';
import type { ServedModel } from '../services.ts';
import { choiceTokens } from '../token-counts.ts';

const PATH = '/v1/chat/completions/derender';

/** `POST /v1/chat/completions/derender`: an engine's answer, or one chunk of its stream, as a chat completion. */
export function derenderChatRoute(derender: DerenderService, model: ServedModel, metrics: Metrics): Route {
  return {
    method: 'POST',
    path: PATH,
    takesJson: true,
    documentation: {
      summary: 'Chat completion from token ids',
      tag: 'Derender',
      request: z.union([chatDerender, chatStreamDerender]),
      response: z.union([chatCompletionAnswer, chatStreamAnswer]),
      example: { generate_response: { request_id: 'r-1', choices: [{ index: 0, token_ids: [9707, 11, 1879, 0], finish_reason: 'stop' }] } },
    },
    handle: async ({ body }) => {
      const parsed = parseChatDerender(requireBody(body));
      checkModel(model, parsed.body.model);
      const work = metrics.startWork(PATH);
      if (parsed.kind === 'one-shot') {
        const json = await derender.chat(parsed);
        work.done('in', choiceTokens(parsed.body.generate_response.choices));
        return { json };
      }
      const stream = derender.chatStream(parsed);
      work.done('in', choiceTokens(parsed.body.generate_chunk.choices));
      return { stream };
    },
  };
}
