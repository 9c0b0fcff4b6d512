import {expect, test} from 'vitest';
import {applyEvent} from '#state/apply-event.ts';
import {initialState} from '#state/initial-state.ts';
import {noUnreads} from '#state/model/unread.ts';
import {SortedSet} from '#std/sorted-map.ts';
import {applyChecked, fetched, threeChannelState, unreadIds} from '#test/state/messages/messages-fixture.ts';
import {
  buildAddFlagEvent,
  buildDeleteMessageEvent,
  buildMessageEvent,
  buildReactionEvent,
  buildRemoveFlagEvent,
  buildUpdateMessageEvent,
  channelMessage,
  markAllReadEvent,
} from '#test/state/messages/wire-events.ts';
import * as eg from '#test/support/state-builders.ts';

test('fetched messages: a response older than events in between does not undo them', () => {
  const fetching = applyChecked(
    threeChannelState(),
    {type: 'fetch_started'},
    buildUpdateMessageEvent({message_id: 1, content: 'edited'}),
    buildUpdateMessageEvent({message_ids: [2], subject: 'moved'}),
    buildAddFlagEvent('starred', 1),
    buildReactionEvent({message_id: 1}),
    buildDeleteMessageEvent(3),
  );
  const state = applyChecked(fetching, fetched([1, 2, 3].map((id) => eg.message({id}))));
  expect([...state.messages.byId.keys()]).toEqual([1, 2]);
  expect(state.messages.byId.get(1)).toMatchObject({
    content: 'edited',
    flags: ['starred'],
    reactions: [{userId: 11}],
  });
  expect(state.messages.byId.get(2)).toMatchObject({topic: 'moved', conversationKey: 'c1:moved'});
  expect(state.log).toMatchObject({fetchesInFlight: 0, last: undefined});
});

test('fetched messages: only events after the request are replayed', () => {
  const early = applyChecked(threeChannelState(), {type: 'fetch_started'}, buildDeleteMessageEvent(1));
  const {last: since} = early.log;
  const state = applyChecked(early, {type: 'fetch_started'}, fetched([eg.message({id: 1})], undefined, {since}));
  // Message 1 was deleted before the request, so a response that contains it means that it exists again.
  expect(state.messages.byId.has(1)).toBe(true);
  expect(state.log.fetchesInFlight).toBe(1);
});

test('fetched messages: a response that is older than earlier events does not undo topic, flags, votes and reactions', () => {
  const vote = {type: 'submessage', id: 0, message_id: 1, submessage_id: 5, sender_id: 11} as const;
  const events = [
    buildUpdateMessageEvent({message_ids: [1, 2], subject: 'moved'}),
    buildAddFlagEvent('starred', 1),
    {...vote, msg_type: 'widget', content: '{"type":"vote"}'},
    buildReactionEvent({message_id: 1}),
  ];
  const outdated = fetched([eg.message({id: 1}), eg.message({id: 2, flags: ['starred']})]);
  const state = applyChecked(threeChannelState(), ...events, {type: 'fetch_started'}, outdated);
  expect(state.messages.byId.get(1)).toMatchObject({
    topic: 'moved',
    flags: ['starred'],
    submessages: [{id: 5}],
    reactions: [{userId: 11}],
  });
  expect(state.messages.byId.get(2)).toMatchObject({topic: 'moved', flags: ['starred']});
  expect(state.starred.toArray()).toEqual([1, 2]);
});

test('fetched messages: the latest two thousand events are remembered', () => {
  const reactions = Array.from({length: 2001}, (_, at) => buildReactionEvent({message_id: at + 1}));
  const early = reactions.reduce(applyEvent, threeChannelState());
  const state = applyChecked(early, {type: 'fetch_started'}, fetched([1, 2, 2001].map((id) => eg.message({id}))));
  expect([1, 2, 2001].map((id) => state.messages.byId.get(id)?.reactions.length)).toEqual([0, 1, 1]);
});

test('fetched messages: events from before an unsubscribed time, in which others were missed, do not count', () => {
  const state = applyChecked(
    threeChannelState(),
    buildUpdateMessageEvent({message_ids: [1], subject: 'moved'}),
    {type: 'subscription', id: 0, op: 'remove', subscriptions: [{stream_id: 1, name: 'channel 1'}]},
    {type: 'subscription', id: 0, op: 'add', subscriptions: [eg.wireSubscription({stream_id: 1})]},
    {type: 'fetch_started'},
    fetched([eg.message({id: 1, topic: 'moved again'})]),
  );
  expect(state.messages.byId.get(1)).toMatchObject({topic: 'moved again'});
});

test('fetched messages: a move out of the subscribed channels counts by the subscriptions at its time', () => {
  const state = applyChecked(
    threeChannelState(),
    {type: 'fetch_started'},
    buildUpdateMessageEvent({message_ids: [1], stream_id: 1, new_stream_id: 3}),
    {type: 'subscription', id: 0, op: 'add', subscriptions: [eg.wireSubscription({stream_id: 3})]},
    fetched([eg.message({id: 1, flags: ['starred']})]),
  );
  expect(state.messages.byId.get(1)).toMatchObject({channelId: 3, flags: ['historical']});
});

test('fetched messages: a loaded message keeps pending changes, and takes a later edit', () => {
  const start = applyChecked(
    threeChannelState(),
    buildMessageEvent(channelMessage({id: 1})),
    buildAddFlagEvent('starred', 1),
  );
  const same = applyChecked(start, {type: 'fetch_started'}, fetched([eg.message({id: 1})]));
  expect(same.messages.byId.get(1)).toBe(start.messages.byId.get(1));
  expect(same.starred.has(1)).toBe(true);
  const edited = eg.message({id: 1, content: 'later', editedAt: 99});
  const later = applyChecked(start, {type: 'fetch_started'}, fetched([edited]));
  expect(later.messages.byId.get(1)).toMatchObject({content: 'later', editedAt: 99, flags: ['starred']});
});

test('fetched messages: of messages that are not loaded, the response says which are starred', () => {
  const state = threeChannelState({starred: SortedSet.from<number>([1, 2, 9])});
  const messages = [
    eg.message({id: 1}),
    eg.message({id: 2, flags: ['starred']}),
    eg.message({id: 3, flags: ['starred']}),
  ];
  expect(applyChecked(state, fetched(messages)).starred.toArray()).toEqual([2, 3, 9]);
});

test('fetched messages: in unsubscribed channels, without events, the response counts', () => {
  const old = eg.message({id: 1, channelId: 3});
  const renewed = eg.message({id: 1, channelId: 3, topic: 'renamed', reactions: []});
  const state = applyChecked(threeChannelState(), fetched([old]), fetched([renewed]));
  expect(state.messages.byId.get(1)).toMatchObject({topic: 'renamed'});
});

test('fetched messages: full members read a private channel to which they may subscribe', () => {
  const joined = eg.user({id: eg.selfId, dateJoined: '2026-01-01T00:00:00+00:00'});
  const groups = eg.byId(eg.group({id: 4, name: 'role:fullmembers', isSystemGroup: true}));
  const channels = eg.byId(eg.channel({id: 3, isPrivate: true, firstMessageId: 1, canSubscribeGroup: 4}));
  const realm = {...initialState.realm, waitingPeriodThreshold: 3};
  const state = threeChannelState({users: eg.users(joined), groups, channels, realm});
  expect(applyChecked(state, fetched([eg.message({id: 1, channelId: 3})])).messages.byId.has(1)).toBe(true);
});

test('fetched messages: do not change what is unread, except messages that the snapshot left out', () => {
  const messages = [eg.message({id: 1}), eg.message({id: 2, channelId: 3}), eg.direct({id: 3, flags: ['mentioned']})];
  const response = fetched(messages, undefined, {unreadIds: [1, 2, 3]});
  expect(unreadIds(applyChecked(threeChannelState({maxMessageId: 9}), response))).toEqual({});
  const missing = threeChannelState({maxMessageId: 9, unreads: {...noUnreads, oldMissing: true}});
  const state = applyChecked(missing, response);
  expect(unreadIds(state)).toEqual({'c1:talk': [1], d11: [3]});
  expect(state.unreads.mentions.toArray()).toEqual([3]);
  const read = applyChecked(missing, {type: 'fetch_started'}, buildAddFlagEvent('read', 1), response);
  expect(unreadIds(read)).toEqual({d11: [3]});
  expect(unreadIds(applyChecked(missing, {type: 'fetch_started'}, markAllReadEvent, response))).toEqual({});
});

test('fetched messages: a message fetched before its event becomes unread with the event, whatever happens in between', () => {
  const response = fetched([eg.message({id: 5})], undefined, {unreadIds: [5]});
  const start = applyChecked(threeChannelState({maxMessageId: 4}), response, markAllReadEvent);
  expect(unreadIds(applyChecked(start, buildMessageEvent(channelMessage({id: 5}), 'read')))).toEqual({});
  const state = applyChecked(start, buildMessageEvent(channelMessage({id: 5})));
  expect(unreadIds(state)).toEqual({'c1:talk': [5]});
  const read = applyChecked(state, buildAddFlagEvent('read', 5));
  expect(applyChecked(read, buildMessageEvent(channelMessage({id: 5})))).toBe(read);
});

test('fetched messages: so does one of a channel that the user just subscribed to', () => {
  const subscription = eg.subscription({channelId: 3});
  const before = applyChecked(
    threeChannelState(),
    {type: 'fetch_started'},
    fetched([eg.message({id: 5, channelId: 3})]),
  );
  const subscribed = {...before, subscriptions: before.subscriptions.with(3, subscription)};
  const after = applyChecked(subscribed, buildMessageEvent(channelMessage({id: 5, stream_id: 3})));
  expect(unreadIds(after)).toEqual({'c3:talk': [5]});
});

test('fetched messages: the same when a later response raised the newest id, and when events arrive out of order', () => {
  const ahead = applyChecked(
    threeChannelState({maxMessageId: 4}),
    fetched([eg.message({id: 900})]),
    fetched([eg.message({id: 600})]),
  );
  expect(unreadIds(applyChecked(ahead, buildMessageEvent(channelMessage({id: 600}))))).toEqual({
    'c1:talk': [600],
  });
  const crossed = applyChecked(
    threeChannelState(),
    buildMessageEvent(channelMessage({id: 11}), 'read'),
    fetched([eg.message({id: 10})]),
  );
  expect(unreadIds(applyChecked(crossed, buildMessageEvent(channelMessage({id: 10}))))).toEqual({
    'c1:talk': [10],
  });
});

test('fetched messages: update topics, conversations, stars and the newest message', () => {
  const state = applyChecked(
    threeChannelState(),
    fetched([
      eg.message({id: 3, topic: 'A'}),
      eg.message({id: 5, topic: 'a'}),
      eg.direct({id: 7, flags: ['read', 'starred']}),
    ]),
  );
  expect(state.topics.get(1)).toMatchObject({complete: false});
  expect(state.topics.get(1)?.byKey.get('a')).toEqual({name: 'a', maxId: 5});
  expect(state.directs.get('d11')?.maxId).toBe(7);
  expect(state.starred.toArray()).toEqual([7]);
  expect(state.maxMessageId).toBe(7);
  expect(state.messages.byId.get(7)?.flags).toEqual(['starred']);
});

test('event log: empty while no fetch is in flight, and complete until the last response arrives', () => {
  const event = buildRemoveFlagEvent('collapsed', [1]);
  expect(applyChecked(threeChannelState(), event).log.last).toBe(undefined);
  const two = applyChecked(threeChannelState(), {type: 'fetch_started'}, {type: 'fetch_started'}, event);
  const one = applyChecked(two, fetched([]));
  expect(one.log.last?.event).toBe(event);
  expect(applyChecked(one, {type: 'fetch_failed', narrow: undefined, problem: ''}).log.last).toBe(undefined);
});

test('fetched topics: the list is complete; newer topics stay if events arrived meanwhile', () => {
  const start = applyChecked(
    threeChannelState(),
    buildMessageEvent(channelMessage({id: 9, subject: 'new'})),
    buildMessageEvent(channelMessage({id: 2, subject: 'gone'})),
  );
  const topics = [
    {name: 'b', maxId: 5},
    {name: 'B', maxId: 4},
  ];
  const fetched = {type: 'topics_fetched', channelId: 1, topics, isCurrent: false} as const;
  const state = applyChecked(start, fetched);
  expect(state.topics.get(1)?.complete).toBe(true);
  expect([...(state.topics.get(1)?.byKey.values() ?? [])]).toEqual([
    {name: 'b', maxId: 5},
    {name: 'new', maxId: 9},
  ]);
  const current = applyChecked(state, {...fetched, isCurrent: true});
  expect([...(current.topics.get(1)?.byKey.keys() ?? [])]).toEqual(['b']);
  expect(applyChecked(state, fetched)).toBe(state);
  const first = applyChecked(threeChannelState(), buildMessageEvent(channelMessage({id: 1, subject: 'first'})));
  const meanwhile = applyChecked(first, {...fetched, topics: []});
  expect([...(meanwhile.topics.get(1)?.byKey.keys() ?? [])]).toEqual(['first']);
});

test('fetched presence: never replaces a newer time', () => {
  const presenceEvent = (activeAt: number | undefined, idleAt: number | undefined) =>
    ({
      type: 'presences_fetched',
      presences: [[11, {activeAt, idleAt}]],
      lastUpdateId: 5,
      serverOffset: undefined,
    }) as const;
  const state = applyChecked(threeChannelState(), presenceEvent(100, undefined), presenceEvent(90, 110));
  expect(state.presences.byUser.get(11)).toEqual({activeAt: 100, idleAt: 110});
  expect(applyChecked(state, presenceEvent(50, 50))).toBe(state);
});

test('registration: replaces everything except local data', () => {
  const outbox = [] as const;
  const connection = {phase: 'online'} as const;
  const start = applyChecked(
    threeChannelState({outbox}),
    buildMessageEvent(channelMessage({id: 1})),
    {type: 'connection_changed', connection},
    {type: 'fetch_started'},
  );
  const state = applyChecked(start, {
    type: 'state_replaced',
    state: {...initialState, self: {userId: eg.selfId}},
  });
  expect(state).toMatchObject({connection, log: {fetchesInFlight: 1}, messages: initialState.messages});
  expect(state.outbox).toBe(outbox);
});
