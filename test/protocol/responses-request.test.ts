import { describe, expect, it } from 'vitest';
import { parseResponsesRequest } from '../../src/protocol/responses-request.ts';
import { bad, invalid, refusal } from './thrown.ts';

const refused = (members: Record<string, unknown>): unknown => refusal(() => parseResponsesRequest({ input: 'x', ...members }));
const f = { type: 'function', name: 'f', parameters: {} };

describe('a Responses request', () => {
  it.each([
    [{ text: { format: { type: 'xml' } } }, 'text.format.type'],
    [{ text: { format: { type: 'json_schema', schema: {} } } }, 'text.format.type'],
    [{ text: { format: 'json' } }, 'text.format'],
    [{ tools: [{ type: 'poem', name: 'p' }] }, 'tools.0.type'],
    [{ tools: [{ type: 'poem' }] }, 'tools.0.name'],
    [{ tools: [{ type: 'function' }] }, 'tools.0.name'],
    [{ tools: [{ type: 'namespace', name: 'n', tools: [f] }] }, 'tools.0.description'],
    [{ tools: [{ type: 'custom', name: 'c', format: { type: 'poem' } }] }, 'tools.0.format.type'],
    [{ input: [{ type: 'item_reference', id: 1 }] }, 'input'],
    [{ input: [{ type: 'web_search_call', id: 'w', action: {}, status: 'lost' }] }, 'input'],
    [{ input: [{ role: 'user', content: [{ type: 'input_image', image_url: {} }] }] }, 'input'],
    [{ reasoning: { summary: 'long' } }, 'reasoning.summary'],
    [{ presence_penalty: 5 }, 'presence_penalty'],
    [{ truncation: 'some' }, 'truncation'],
    [{ include: ['everything'] }, 'include.0'],
  ])('is refused by the place of what is wrong: %j', (members, path) => {
    expect(refused(members)).toEqual(invalid(`body.${path}`));
  });

  it.each([
    [{ tool_choice: 'required' }, 'tool_choice'],
    [{ tools: [f], tool_choice: { type: 'function', name: 'g' } }, 'tool_choice'],
    [{ tools: [{ type: 'custom', name: 'c', format: { type: 'grammar' } }] }, 'tools'],
  ])('is refused by a rule: %j', (members, param) => {
    expect(refused(members)).toEqual(bad(param));
  });

  it('may name a function of a namespace without it', () => {
    const tools = [{ type: 'namespace', name: 'n', description: '', tools: [f] }];
    const { tool_choice: choice } = parseResponsesRequest({ input: 'x', tools, tool_choice: { type: 'function', name: 'f' } });
    expect(choice).toEqual({ type: 'function', name: 'n__f' });
    const twice = [...tools, { type: 'namespace', name: 'o', description: '', tools: [f] }];
    expect(refused({ tools: twice, tool_choice: { type: 'function', name: 'f' } })).toEqual(bad('tool_choice'));
  });

  it('calls nothing where it has no tools', () => {
    expect(parseResponsesRequest({ input: 'x' }).tool_choice).toBe('none');
    expect(parseResponsesRequest({ input: 'x', tools: [f] }).tool_choice).toBe('auto');
  });
});
