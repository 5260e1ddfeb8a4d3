import { checkTokenIdRange, detokenizeAnswer, detokenizeRequest, parseDetokenizeRequest } from '../../protocol/detokenize-request.ts';
import { decodeInSlices } from '../../tokenizer/decode-in-slices.ts';
import { checkModel } from '../model-check.ts';
import { requireBody } from '../required-body.ts';
import type { Route } from '../route.ts';
import type { Services } from '../services.ts';

/** `POST /detokenize`: the text of token ids, special tokens included. */
export function detokenizeRoute({ tokenizer, model }: Services): Route {
  return {
    method: 'POST',
    path: '/detokenize',
    takesJson: true,
    documentation: {
      summary: 'Text of token ids',
      tag: 'Tokenizer',
      request: detokenizeRequest,
      response: detokenizeAnswer,
      example: { tokens: [9707, 11, 1879, 0] },
    },
    handle: async ({ body }) => {
      const request = parseDetokenizeRequest(requireBody(body));
      checkModel(model, request.model);
      checkTokenIdRange(request.tokens);
      return { json: { prompt: await decodeInSlices(tokenizer, request.tokens) } };
    },
  };
}
