import { z } from 'zod';
import { parseTokenizeRequest, tokenizeAnswer, tokenizeChat, tokenizeText } from '../../protocol/tokenize-request.ts';
import type { TokenizeAnswer } from '../../protocol/tokenize-request.ts';
import { checkModel } from '../model-check.ts';
import { requireBody } from '../required-body.ts';
import type { Route, RouteRequest } from '../route.ts';
import type { Services } from '../services.ts';

/** `POST /tokenize`: the token ids of a text, or of the prompt that a conversation makes. */
export function tokenizeRoute(services: Services): Route {
  const { tokenizer, model, render } = services;
  const answer = (tokens: number[], wantsTokens: boolean): TokenizeAnswer => ({
    count: tokens.length,
    max_model_len: model.maxModelLen,
    tokens,
    token_strs: wantsTokens ? tokens.map((id) => tokenizer.idToToken(id) ?? '') : null,
  });
  const handle = async ({ body, text, requestId }: RouteRequest): Promise<{ json: TokenizeAnswer }> => {
    const parsed = parseTokenizeRequest(requireBody(body));
    checkModel(model, parsed.request.model);
    const tokens =
      parsed.kind === 'chat'
        ? await render.tokenizeChat(parsed.request, { rawBody: text, requestId })
        : await tokenizer.encode(parsed.request.prompt, parsed.request.add_special_tokens);
    return { json: answer(tokens, parsed.request.return_token_strs === true) };
  };
  const documentation = {
    summary: 'Token ids of a text or a conversation',
    tag: 'Tokenizer',
    request: z.union([tokenizeText, tokenizeChat]),
    response: tokenizeAnswer,
    example: { prompt: 'Hello, world!', return_token_strs: true },
  } as const;
  return { method: 'POST', path: '/tokenize', takesJson: true, documentation, handle };
}
