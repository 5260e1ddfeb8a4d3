import { describe, expect, it } from 'vitest';
import { parseMessagesRequest } from '../../src/protocol/messages-request.ts';
import { invalid, refusal } from './thrown.ts';

const sound = { model: 'm', max_tokens: 2000, messages: [{ role: 'user', content: 'x' }] };
const refused = (members: Record<string, unknown>): unknown => refusal(() => parseMessagesRequest({ ...sound, ...members }));
const asking = (content: unknown, role = 'user'): unknown => refused({ messages: [{ role, content }] });

describe('a Messages request', () => {
  it.each([
    [{ model: '' }, 'model'],
    [{ max_tokens: 0 }, 'max_tokens'],
    [{ messages: [{ role: 'tool', content: 'x' }] }, 'messages.0.role'],
    [{ thinking: { type: 'enabled', budget_tokens: 5 } }, 'thinking.enabled.budget_tokens'],
    [{ thinking: { type: 'enabled' } }, 'thinking.enabled.budget_tokens'],
    [{ thinking: { type: 'sometimes' } }, 'thinking'],
    [{ stop_sequences: ['a', 'b', 'c', 'd', 'e'] }, 'stop_sequences'],
    [{ tools: [{ name: 'f' }] }, 'tools.0.input_schema'],
    [{ output_config: { effort: 'extreme' } }, 'output_config.effort'],
  ])('is refused by the place of what is wrong: %j', (members, path) => {
    expect(refused(members)).toEqual(invalid(`body.${path}`));
  });

  it('has thinking that leaves room for the answer', () => {
    const thinking = { type: 'enabled', budget_tokens: 2000 };
    expect(refused({ thinking })).toMatchObject({ status: 400 });
    expect(refused({ thinking, kv_transfer_params: { do_remote_decode: true } })).toBeNull();
    expect(refused({ thinking: { ...thinking, budget_tokens: 1999 } })).toBeNull();
  });

  it('has tools whose schemas are of objects', () => {
    const { tools } = parseMessagesRequest({ ...sound, tools: [{ name: 'f', input_schema: { properties: {} } }] });
    expect(tools?.[0]?.input_schema).toEqual({ properties: {}, type: 'object' });
  });
});

describe('content of a Messages request', () => {
  it.each(['x', [], [{ type: 'text', text: 'x' }], [{ type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: 'x' }] }]])(
    'may be %j',
    (content) => {
      expect(asking(content)).toBeNull();
    },
  );

  it.each([5, null, [5], [{ type: 'poem' }], [{ type: 'text', text: 5 }], [{ type: 'tool_result', content: 5 }]])(
    'may not be %j',
    (content) => {
      expect(asking(content)).toEqual(invalid('body.messages.0.content'));
    },
  );

  it('changes tools in system messages only', () => {
    const change = [{ type: 'tool_addition', tool: { type: 'tool_reference', name: 'f' } }];
    expect(asking(change, 'system')).toBeNull();
    expect(asking(change)).toMatchObject({ status: 400 });
    expect(refused({ system: change })).toMatchObject({ status: 400 });
    expect(asking([{ type: 'tool_addition' }], 'system')).toEqual(invalid('body.messages.0.content'));
  });
});
