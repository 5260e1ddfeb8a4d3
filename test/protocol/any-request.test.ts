import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { chatRequest, parseChatRequest } from '../../src/protocol/chat-request.ts';
import { completionRequest, parseCompletionRequest } from '../../src/protocol/completion-request.ts';
import { generateRequest } from '../../src/protocol/generate-request.ts';
import { messagesRequest, parseMessagesRequest } from '../../src/protocol/messages-request.ts';
import { parseResponsesRequest, responsesRequest } from '../../src/protocol/responses-request.ts';
import { refusal } from './thrown.ts';

const kinds = [
  { name: 'chat', schema: chatRequest, parse: parseChatRequest, sound: { messages: [{ role: 'user', content: 'x' }] } },
  { name: 'completion', schema: completionRequest, parse: parseCompletionRequest, sound: { prompt: 'x' } },
  {
    name: 'messages',
    schema: messagesRequest,
    parse: parseMessagesRequest,
    sound: { model: 'm', max_tokens: 5, messages: [{ role: 'user', content: 'x' }] },
  },
  { name: 'responses', schema: responsesRequest, parse: parseResponsesRequest, sound: { input: 'x' } },
] as const;

/** Values that stand at a place where others are expected. */
const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(null, '', 0, -1, 1e30, true, [], {}, [[]], [{}], [null], { type: 'x' }, { 0: 1 }, ['a', 1]),
);

function names(schema: z.ZodType): string[] {
  const described = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as { properties?: Record<string, unknown> };
  return Object.keys(described.properties ?? {});
}

describe.each(kinds)('a $name request', ({ schema, parse, sound }) => {
  const members = names(schema);

  it('has a JSON schema', () => {
    expect(members.length).toBeGreaterThan(20);
    expect(members).toEqual(expect.arrayContaining(Object.keys(sound)));
  });

  it('may have members that nobody knows', () => {
    expect(refusal(() => parse({ ...sound, no_such_member: { a: 1 } }))).toBeNull();
  });

  it.each([null, undefined, 1, 'text', true, []])('is refused where it is %j', (body) => {
    expect(refusal(() => parse(body))?.status).toBe(400);
  });

  it('is accepted or refused with an error for the client, whatever its members are', () => {
    const member = fc.tuple(fc.constantFrom(...members), anything);
    fc.assert(
      fc.property(fc.array(member, { maxLength: 4 }), (changes) => {
        const outcome = refusal(() => parse(structuredClone({ ...sound, ...Object.fromEntries(changes) })));
        expect(outcome?.status ?? 400).toBe(400);
      }),
      { numRuns: 1500 },
    );
  });

  it('is not changed by reading it', () => {
    const member = fc.tuple(fc.constantFrom(...members), anything);
    fc.assert(
      fc.property(fc.array(member, { maxLength: 2 }), (changes) => {
        const body = structuredClone({ ...sound, ...Object.fromEntries(changes) });
        const before = structuredClone(body);
        refusal(() => parse(body));
        expect(body).toEqual(before);
      }),
      { numRuns: 300 },
    );
  });
});

it('what is rendered has a JSON schema', () => {
  expect(names(generateRequest)).toEqual(expect.arrayContaining(['token_ids', 'sampling_params', 'parse_context']));
});
