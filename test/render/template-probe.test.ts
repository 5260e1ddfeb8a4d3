import { describe, expect, it } from 'vitest';
import { letterRender, SHOWING, textOf } from './letter-render.ts';

const disabled = { model: 'm', max_tokens: 5, messages: [{ role: 'user', content: 'x' }], thinking: { type: 'disabled' } };
const inline = { model: 'm', max_tokens: 5, messages: ['user', 'system', 'user'].map((role) => ({ role, content: role[0] })) };

describe('what is found out about a template', () => {
  it.each([
    ['{{ reasoning_effort }}', 'none'],
    ["{{ raise_exception('no') if reasoning_effort == 'none' else reasoning_effort }}", 'low'],
    ["{{ 'high' if reasoning_effort == 'none' else reasoning_effort }}", 'low'],
    ['always the same', 'low'],
  ])('is the effort that stands for no thinking: %j', async (template, effort) => {
    expect(await letterRender({ template }).service.disabledThinkingEffort()).toBe(effort);
  });

  it('is used for Messages requests that switch thinking off', async () => {
    const { token_ids: ids } = await letterRender({ template: 'effort {{ reasoning_effort }}' }).messages(disabled);
    expect(textOf(ids)).toBe('effort none');
    const own = { template: 'effort {{ reasoning_effort }}', settings: { anthropicDisabledThinkingEffort: 'high' } };
    expect(textOf((await letterRender(own).messages(disabled)).token_ids)).toBe('effort high');
  });

  it('is whether system messages may stand between others', async () => {
    expect(textOf((await letterRender().messages(inline)).token_ids)).toBe('[user:u][system:s][user:u]>');
    const strict = `{% if messages[1:] | selectattr('role', 'equalto', 'system') | list %}{{ raise_exception('no') }}{% endif %}${SHOWING}`;
    expect(textOf((await letterRender({ template: strict }).messages(inline)).token_ids)).toMatch(/^\[system:s\]\[user:u/);
  });
});
