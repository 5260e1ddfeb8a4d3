import { expect, it } from 'vitest';
import type { Vector } from '../vectors.ts';
import { tellComplete, tellStream } from '../output-groups.ts';

const vector = {
  server: { tokenizer: 'combined', tool_parser: 'granite' },
  chat_request: { tools: [{ function: { name: 'ping' } }], tool_choice: 'required' },
  prompt_token_ids: [] as number[],
} as unknown as Vector;

it.each([
  ['Hello there, no calls.', 'Hello there, no calls.', []],
  ['Sure. [{"name": "ping", "parameters": {}}] Done.', 'Sure. Done.', ['ping']],
  ['[{"name": "ping", "parameters": {}}]', '', ['ping']],
  ['[{"name": "ping", "parameters": {}}]\n\nDone.', 'Done.', ['ping']],
])('tells prose beside a list of calls: %s', (text, content, calls) => {
  const pieces = Array.from(text, (c) => ({ text: c, tokenId: null }));
  for (const told of [
    tellComplete(vector, pieces),
    tellStream(vector, [pieces]),
    tellStream(
      vector,
      pieces.map((piece) => [piece]),
    ),
  ]) {
    expect(told.content).toBe(content);
    expect(told.calls.map(({ name }) => name)).toEqual(calls);
  }
});
