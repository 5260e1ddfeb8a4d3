import { z } from 'zod';
import type { Route } from '../route.ts';

const tokenizerInfo = z.looseObject({ tokenizer_class: z.string() });

/** `GET /tokenizer_info`: the tokenizer's configuration; only there with `--enable-tokenizer-info-endpoint`. */
export function tokenizerInfoRoute(info: Readonly<Record<string, unknown>>): Route {
  return {
    method: 'GET',
    path: '/tokenizer_info',
    takesJson: false,
    documentation: { summary: 'Configuration of the tokenizer', tag: 'Tokenizer', response: tokenizerInfo },
    handle: () => ({ json: info }),
  };
}
