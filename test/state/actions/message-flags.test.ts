import {expect, test} from 'vitest';
import {messageHandlers} from '#state/actions/message-flags.ts';
import {applyChecked, threeChannelState, unreadIds} from '#test/state/messages/messages-fixture.ts';
import {
  buildAddFlagEvent,
  buildMessageEvent,
  buildRemoveFlagEvent,
  buildUpdateMessageEvent,
  channelMessage,
  directMessage,
} from '#test/state/messages/wire-events.ts';

const markRead = (...ids: number[]) => ({kind: 'flags', op: 'add', flag: 'read', ids}) as const;

/** Message 1 and a direct message are loaded, 2 is only known to be unread; 2 and 3 mention the user. */
const unreadState = applyChecked(
  threeChannelState(),
  buildMessageEvent(channelMessage({id: 1})),
  buildRemoveFlagEvent('read', [2], {2: {type: 'stream', stream_id: 1, topic: 'Talk', mentioned: true}}),
  buildMessageEvent(directMessage({id: 3}), 'mentioned'),
);

test('mark read: the inverse makes exactly the unread messages unread again, with their mentions', () => {
  const read = messageHandlers.flags.effective(unreadState, markRead(1, 2, 3, 3, 4));
  expect(read?.ids).toEqual([1, 2, 3]);
  const inverse = messageHandlers.flags.inverse(unreadState, read ?? markRead());
  const after = applyChecked(
    unreadState,
    ...messageHandlers.flags.optimisticEvents(unreadState, read ?? markRead(), 0),
  );
  expect(unreadIds(after)).toEqual({});
  const undone = applyChecked(after, ...messageHandlers.flags.optimisticEvents(after, inverse, 0));
  expect(unreadIds(undone)).toEqual(unreadIds(unreadState));
  expect(undone.unreads.mentions.toArray()).toEqual([2, 3]);
  expect(messageHandlers.flags.inverse(after, inverse)).toEqual(markRead(1, 2, 3));
});

test('mark unread: a loaded message becomes unread where it is now, and none in a channel without a subscription', () => {
  const inverse = messageHandlers.flags.inverse(unreadState, markRead(1, 2));
  const moved = applyChecked(
    unreadState,
    buildAddFlagEvent('read', 1, 2),
    buildUpdateMessageEvent({message_ids: [1], subject: 'moved'}),
  );
  const undone = applyChecked(moved, ...messageHandlers.flags.optimisticEvents(moved, inverse, 0));
  expect(unreadIds(undone)).toEqual({'c1:moved': [1], 'c1:talk': [2], d11: [3]});
  const away = applyChecked(
    moved,
    buildUpdateMessageEvent({message_ids: [1], new_stream_id: 3, orig_subject: 'moved'}),
  );
  expect(messageHandlers.flags.effective(away, inverse)?.ids).toEqual([2]);
});

test('flags: what is unknown here is sent, and not undone', () => {
  const state = {...unreadState, unreads: {...unreadState.unreads, oldMissing: true}};
  const read = messageHandlers.flags.effective(state, markRead(1, 99));
  expect(read?.ids).toEqual([1, 99]);
  expect(messageHandlers.flags.inverse(state, read ?? markRead()).ids).toEqual([1]);
  const collapsed = messageHandlers.flags.effective(state, {...markRead(1, 99), flag: 'collapsed'});
  expect(collapsed?.ids).toEqual([1, 99]);
});
