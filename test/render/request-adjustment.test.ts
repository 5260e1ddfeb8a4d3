import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Vocabulary } from '../../src/core/vocabulary.ts';
import { parseChatRequest } from '../../src/protocol/chat-request.ts';
import { outputConstraint } from '../../src/protocol/response-format.ts';
import { formatGivesWay } from '../../src/render/output-constraint.ts';
import { adjustRequest, asksParsers } from '../../src/render/request-adjustment.ts';
import type { Adjusted, AnswerParsers } from '../../src/render/request-adjustment.ts';

/** What the reference's parsers made of a few requests. */
interface Recorded {
  requests: Record<string, Record<string, unknown>>;
  cases: {
    tool: string | null;
    reasoning: string | null;
    level: string | null;
    request: string;
    skipSpecialTokens: boolean | null;
    spaces: boolean;
    constraint: Record<string, unknown> | null;
  }[];
}

const recorded = JSON.parse(
  gunzipSync(readFileSync(new URL('../../fixtures/render/adjustments.json.gz', import.meta.url))).toString('utf8'),
) as Recorded;

function vocabularyOf(...tokens: string[]): Vocabulary {
  return {
    size: tokens.length,
    tokenToId: (token) => (tokens.includes(token) ? tokens.indexOf(token) : undefined),
    idToToken: (id) => tokens[id],
    isAdded: () => true,
    isSpecial: () => true,
  };
}

function adjust(body: unknown, parsers: Partial<AnswerParsers>, vocabulary = vocabularyOf(), isResponses = false): Adjusted {
  const request = parseChatRequest(structuredClone(body));
  return adjustRequest(
    {
      tools: request.tools,
      toolChoice: request.tool_choice,
      parallelToolCalls: request.parallel_tool_calls,
      constraint: outputConstraint(request.structured_outputs, request.response_format),
      skipSpecialTokens: request.skip_special_tokens,
      spacesBetweenSpecialTokens: request.spaces_between_special_tokens,
      chatTemplateKwargs: request.chat_template_kwargs ?? {},
      formatGivesWay: formatGivesWay(request),
      isResponses,
    },
    { tool: null, reasoning: null, strictLevel: null, mistralTokenizer: false, ...parsers },
    vocabulary,
  );
}

/** The members that say something, a structural tag read. */
function shown({ constraint }: Adjusted): Record<string, unknown> | null {
  if (constraint === null) return null;
  const members = Object.entries(constraint).filter(([, value]) => value !== null && value !== false);
  return Object.fromEntries(
    members.map(([name, value]) => [name, name === 'structural_tag' ? (JSON.parse(String(value)) as unknown) : value]),
  );
}

const messages = [{ role: 'user', content: 'x' }];
const add = {
  type: 'function',
  function: { name: 'add', parameters: { type: 'object', properties: { a: { $ref: '#/$defs/N' } }, $defs: { N: { type: 'number' } } } },
};
const named = { type: 'function', function: { name: 'add' } };

describe('requests as the parsers need them', () => {
  const byParser = new Map<string, Recorded['cases']>();
  for (const one of recorded.cases) {
    const name = [one.tool, one.reasoning, one.level].filter((part) => part !== null).join(' ');
    byParser.set(name, [...(byParser.get(name) ?? []), one]);
  }

  it.each([...byParser])('are as recorded with %s', (_name, cases) => {
    for (const { tool, reasoning, level, request, skipSpecialTokens, spaces, constraint } of cases) {
      const got = adjust(recorded.requests[request], { tool, reasoning, strictLevel: level });
      const wanted = { request, skipSpecialTokens, spacesBetweenSpecialTokens: spaces, constraint };
      expect({ ...wanted, ...got, constraint: shown(got), tools: undefined }).toEqual({ ...wanted, tools: undefined });
    }
  });

  it('keep the text of a structural tag in one form', () => {
    const { constraint } = adjust({ messages, tools: [add], tool_choice: 'required' }, { tool: 'hermes' });
    expect(constraint?.structural_tag).toMatch(
      /^\{"type": "structural_tag", "format": \{"type": "tags_with_separator", "tags": \[\{"type": "tag", "begin": "<tool_call>\\n/,
    );
  });

  it('move definitions of schemas to the root of the schema that forces calls', () => {
    const got = adjust({ messages, tools: [add], tool_choice: 'required' }, { tool: 'pythonic' });
    expect(shown(got)).toMatchObject({ json: { $defs: { N: { type: 'number' } } } });
    expect(got.tools?.[0]?.function.parameters).toEqual({ type: 'object', properties: { a: { $ref: '#/$defs/N' } } });
    const named = adjust({ messages, tools: [add], tool_choice: { type: 'function', function: { name: 'add' } } }, { tool: 'pythonic' });
    expect(shown(named)).toEqual({ json: add.function.parameters });
    expect(named.tools?.[0]?.function.parameters).toEqual(add.function.parameters);
  });

  it('refuse definitions that contradict each other', () => {
    const other = { type: 'function', function: { name: 'b', parameters: { type: 'object', $defs: { N: { type: 'string' } } } } };
    expect(() => adjust({ messages, tools: [add, other], tool_choice: 'required' }, { tool: 'pythonic' })).toThrow(/more than one way/);
  });

  it.each([
    { tool_choice: 'required' },
    { tool_choice: named },
    { parallel_tool_calls: false },
    { tools: [{ ...add, function: { ...add.function, strict: true } }] },
  ])('are refused where a parser that the model describes cannot keep %j', (members) => {
    expect(() => adjust({ messages, tools: [add], ...members }, { tool: 'hf' })).toThrow(/cannot guarantee/);
  });

  it('are refused for a form of calls that K2 Horizon does not read', () => {
    const asking = (form: unknown) => () =>
      adjust({ messages, tools: [add], chat_template_kwargs: { tool_call_format: form } }, { tool: 'k2_horizon' });
    expect(asking('json')).not.toThrow();
    expect(asking('yaml')).toThrow(/must be one of json, xml, xml_typed/);
    expect(asking(1)).toThrow(/must be one of/);
  });

  it('are only looked at where calls or reasoning are read', () => {
    expect(asksParsers({ tool: 'hermes', reasoning: null }, 'none')).toBe(false);
    expect(asksParsers({ tool: 'hermes', reasoning: null }, 'auto')).toBe(true);
    expect(asksParsers({ tool: null, reasoning: 'qwen3' }, 'none')).toBe(true);
    expect(asksParsers({ tool: 'hf', reasoning: null }, 'none')).toBe(true);
  });
});

describe("Mistral's calls", () => {
  const old = vocabularyOf('[TOOL_CALLS]');
  const current = vocabularyOf('[TOOL_CALLS]', '[ARGS]', '[THINK]', '[/THINK]');
  const forced = { messages, tools: [add], tool_choice: 'required' };

  it('are a JSON list of old tokenizers, and of others than their own', () => {
    expect(shown(adjust(forced, { tool: 'mistral', mistralTokenizer: true }, old))).toMatchObject({ json: { type: 'array' } });
    expect(shown(adjust(forced, { tool: 'mistral' }, current))).toMatchObject({ json: { type: 'array' } });
  });

  it('are tokens and names of newer tokenizers', () => {
    const { constraint } = adjust(forced, { tool: 'mistral', mistralTokenizer: true }, current);
    expect(constraint?.grammar).toBe(
      [
        'start: think? text? call+',
        'think: <[2]> text <[3]>',
        'text: /(.|\\n)+/',
        'call: <[0]> SPACE? "add" <[1]> SPACE? %json {"type": "object"} SPACE?',
        'SPACE: /[ \\t\\r\\n]{1,8}/',
        '',
      ].join('\n'),
    );
  });

  it('are one, with its schema, where the request says so', () => {
    const strict = { ...add, function: { ...add.function, parameters: { type: 'object', properties: {} }, strict: true } };
    const request = {
      messages,
      tools: [strict, { type: 'function', function: { name: 'b' } }],
      tool_choice: named,
      parallel_tool_calls: false,
    };
    const { constraint } = adjust(request, { tool: 'mistral', mistralTokenizer: true }, vocabularyOf('[TOOL_CALLS]', '[ARGS]'));
    expect(constraint?.grammar).toContain('start: text? call\n');
    expect(constraint?.grammar).toContain('call: <[0]> SPACE? "add" <[1]> SPACE? %json {"type": "object", "properties": {}} SPACE?\n');
  });

  it('are not forced in Responses requests', () => {
    expect(shown(adjust(forced, { tool: 'mistral', mistralTokenizer: true }, old, true))).toBeNull();
    const format = { ...forced, response_format: { type: 'json_object' } };
    expect(shown(adjust(format, { tool: 'mistral' }, old))).toMatchObject({ json: { type: 'array' } });
    const own = { ...forced, structured_outputs: { regex: 'a' } };
    expect(shown(adjust(own, { tool: 'mistral' }, old))).toEqual({ regex: 'a' });
  });
});
