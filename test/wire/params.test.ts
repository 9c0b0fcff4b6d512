import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {anyText} from '#test/support/any-text.ts';
import {decodeParam, encodeParam, type Param} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';

const id = fc.integer({min: 1, max: 2 ** 31 - 1});
const ids = fc.array(id, {maxLength: 5});
const groupSetting = fc.oneof(id, fc.record({direct_members: ids, direct_subgroups: ids}));

const {sendMessage, getMessages, updateSubscription, subscribe, updateChannel, updateRealm, register} = endpoints;

const laws: [string, Param, fc.Arbitrary<unknown>][] = [
  ['raw text', sendMessage.params.content, anyText()],
  ['a recipient', sendMessage.params.to, fc.oneof(id, fc.string(), ids, fc.array(fc.string(), {minLength: 1}))],
  ['a recipient that looks like JSON', sendMessage.params.to, fc.json()],
  ['an anchor', getMessages.params.anchor, fc.oneof(id, fc.constantFrom('newest', 'oldest', 'first_unread', 'date'))],
  ['a count', getMessages.params.num_before, fc.nat()],
  ['a number in a path', endpoints.getMessage.params.message_id, id],
  ['ids', getMessages.params.message_ids, ids],
  ['a boolean', getMessages.params.apply_markdown, fc.boolean()],
  ['a property value', updateSubscription.params.value, fc.oneof(fc.boolean(), fc.string())],
  ['retention', subscribe.params.message_retention_days, fc.oneof(id, fc.string())],
  ['a group setting', subscribe.params.can_subscribe_group, groupSetting],
  [
    'a change of a group setting',
    updateChannel.params.can_subscribe_group,
    fc.record({new: groupSetting, old: groupSetting}),
  ],
  ['a limit', updateRealm.params.message_content_edit_limit_seconds, fc.oneof(id, fc.constant('unlimited'))],
  ['a queue timeout', register.params.idle_queue_timeout, fc.oneof(id, fc.constant('mobile'))],
];

describe('parameters', () => {
  test.each(laws)('%s survives the form', (_, param, values) => {
    fc.assert(
      fc.property(values, (value) => {
        expect(decodeParam(param, encodeParam(param, value))).toEqual({ok: true, value});
      }),
    );
  });

  test('are encoded as the API expects', () => {
    expect(encodeParam(sendMessage.params.to, 7)).toBe('7');
    expect(encodeParam(sendMessage.params.to, 'general')).toBe('general');
    expect(encodeParam(sendMessage.params.to, '2024')).toBe('"2024"');
    expect(encodeParam(sendMessage.params.to, [1, 2])).toBe('[1,2]');
    expect(encodeParam(updateSubscription.params.value, true)).toBe('true');
    expect(encodeParam(updateSubscription.params.value, '#ff0000')).toBe('#ff0000');
    expect(encodeParam(endpoints.updateSettings.params.web_home_view, 'inbox')).toBe('inbox');
    expect(encodeParam(endpoints.updateSettings.params.color_scheme, 2)).toBe('2');
    expect(encodeParam(subscribe.params.message_retention_days, 'unlimited')).toBe('"unlimited"');
  });

  test('distinguish malformed JSON from a value of the wrong type', () => {
    expect(decodeParam(getMessages.params.narrow, '[')).toMatchObject({ok: false, malformed: true});
    const wrong = decodeParam(getMessages.params.num_before, '-1');
    expect(wrong.ok).toBe(false);
    expect(wrong.malformed).toBeUndefined();
    expect(decodeParam(getMessages.params.anchor, 'yesterday').ok).toBe(false);
  });

  test('accept a bare word where JSON is loose', () => {
    expect(decodeParam(updateSubscription.params.value, '#aabbcc')).toEqual({
      ok: true,
      value: '#aabbcc',
    });
    expect(decodeParam(subscribe.params.message_retention_days, '30')).toEqual({ok: true, value: 30});
  });

  test('have aliases for older names', () => {
    expect(sendMessage.params.topic.aliases).toContain('subject');
    expect(endpoints.getChannels.params.include_all.aliases).toContain('include_all_active');
  });
});
