import {expect, test} from 'vitest';
import type {AccountState} from '#state/state.ts';
import {withReceiptTime} from '#state/updates/event-batch.ts';
import {applyChecked, threeChannelState} from '#test/state/messages/messages-fixture.ts';
import {
  buildMessageEvent,
  buildReactionEvent,
  buildUpdateMessageEvent,
  channelMessage,
} from '#test/state/messages/wire-events.ts';
import * as eg from '#test/support/state-builders.ts';
import type {EventOf} from '#wire/events.ts';

test('reactions: a user has one reaction per emoji, whatever its name or type', () => {
  const start = applyChecked(threeChannelState(), buildMessageEvent(channelMessage({id: 1})));
  const once = applyChecked(start, buildReactionEvent({reaction_type: 'extra_emoji', emoji_code: 'parley'}));
  expect(
    applyChecked(
      once,
      buildReactionEvent({reaction_type: 'zulip_extra_emoji', emoji_code: 'parley', emoji_name: 'other'}),
    ),
  ).toBe(once);
  const twice = applyChecked(
    once,
    buildReactionEvent({user_id: 12, reaction_type: 'extra_emoji', emoji_code: 'parley'}),
  );
  expect(twice.messages.byId.get(1)?.reactions.map(({userId}) => userId)).toEqual([11, 12]);
  const remaining = applyChecked(
    twice,
    buildReactionEvent({op: 'remove', reaction_type: 'zulip_extra_emoji', emoji_code: 'parley'}),
  );
  expect(remaining.messages.byId.get(1)?.reactions.map(({userId}) => userId)).toEqual([12]);
  expect(applyChecked(remaining, buildReactionEvent({op: 'remove', emoji_code: 'none'}))).toBe(remaining);
  expect(applyChecked(remaining, buildReactionEvent({message_id: 99})).messages).toBe(remaining.messages);
});

test('submessages: stored once, in order', () => {
  const part = (submessage_id: number): EventOf<'submessage'> => ({
    type: 'submessage',
    id: 0,
    message_id: 1,
    submessage_id,
    sender_id: 11,
    msg_type: 'widget',
    content: '{}',
  });
  const state = applyChecked(threeChannelState(), buildMessageEvent(channelMessage({id: 1})), part(8), part(7));
  expect(state.messages.byId.get(1)?.submessages.map(({id}) => id)).toEqual([7, 8]);
  expect(applyChecked(state, part(7))).toBe(state);
});

test('typing: indicators of others expire after a while', () => {
  const typing = (user_id: number, op: 'start' | 'stop', now: number) =>
    withReceiptTime({type: 'typing', id: 0, op, sender: {user_id}, stream_id: 1, topic: 'talk'}, now);
  const people = (state: AccountState) => [...(state.typing.conversations.get('c1:talk')?.keys() ?? [])];
  const start = applyChecked(
    threeChannelState(),
    typing(11, 'start', 1000),
    typing(12, 'start', 5000),
    typing(eg.selfId, 'start', 0),
  );
  expect(people(start)).toEqual([11, 12]);
  expect(people(applyChecked(start, typing(11, 'stop', 6000)))).toEqual([12]);
  expect(people(applyChecked(start, {type: 'typing_expired', now: 16_000}))).toEqual([12]);
  const again = applyChecked(start, typing(11, 'start', 9000), {type: 'typing_expired', now: 20_000});
  expect(people(again)).toEqual([11]);
  const empty = applyChecked(again, {type: 'typing_expired', now: 30_000});
  expect(empty.typing.conversations.size).toBe(0);
  expect(applyChecked(empty, {type: 'typing_expired', now: 40_000})).toBe(empty);
});

test('typing: the indicator of an edit ends with the edit', () => {
  const editing = withReceiptTime(
    {
      type: 'typing_edit_message',
      id: 0,
      op: 'start',
      sender_id: 11,
      message_id: 1,
      recipient: {type: 'direct'},
    },
    1000,
  );
  const start = applyChecked(threeChannelState(), buildMessageEvent(channelMessage({id: 1})), editing);
  expect([...(start.typing.edits.get(1) ?? [])]).toEqual([[11, 16_000]]);
  expect(applyChecked(start, buildUpdateMessageEvent({content: 'done'})).typing.edits.size).toBe(0);
});
