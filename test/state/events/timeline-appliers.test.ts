import {expect, test} from 'vitest';
import type {TimelinePage} from '#state/local-events.ts';
import {
  channelNarrow,
  directNarrow,
  everythingNarrow,
  type Narrow,
  narrowIs,
  topicNarrow,
} from '#state/model/narrow.ts';
import type {AccountState} from '#state/state.ts';
import {
  applyChecked,
  fetched,
  opened,
  shownIds,
  threeChannelState,
  timeline,
} from '#test/state/messages/messages-fixture.ts';
import {
  buildAddFlagEvent,
  buildDeleteMessageEvent,
  buildMessageEvent,
  buildReactionEvent,
  buildRemoveFlagEvent,
  buildUpdateMessageEvent,
  channelMessage,
  directMessage,
} from '#test/state/messages/wire-events.ts';
import * as eg from '#test/support/state-builders.ts';

const talk = topicNarrow(1, 'talk');
const messages = (...ids: number[]) => ids.map((id) => eg.message({id}));

/** Returns the state after a page was requested for one end of a timeline. */
function fetching(state: AccountState, narrow: Narrow, loading: 'first' | 'older' | 'newer'): AccountState {
  return applyChecked(state, {type: 'fetch_started'}, {type: 'timeline_loading', narrow, loading});
}

function joined(state: AccountState, narrow: Narrow, ids: number[], page: Partial<TimelinePage>): AccountState {
  return applyChecked(state, fetched(messages(...ids), {narrow, foundNewest: false, ...page}));
}

test('timelines: a live message joins the views that match, if their end is loaded', () => {
  const narrows = [everythingNarrow, channelNarrow(1), talk, topicNarrow(1, 'other'), narrowIs('dm'), channelNarrow(2)];
  const start = narrows.reduce((state, narrow) => opened(state, narrow, [], {foundOldest: true}), threeChannelState());
  const past = opened(start, narrowIs('resolved'), messages(), {foundNewest: false});
  const state = applyChecked(past, buildMessageEvent(channelMessage({id: 7, subject: 'Talk'})));
  expect(narrows.map((narrow) => shownIds(state, narrow))).toEqual([[7], [7], [7], [], [], []]);
  expect(shownIds(state, narrowIs('resolved'))).toEqual([]);
});

test('timelines: older and newer pages join at the ends', () => {
  const start = opened(threeChannelState(), talk, messages(5, 6), {foundNewest: false});
  const older = joined(fetching(start, talk, 'older'), talk, [3, 4], {joins: 'older', anchor: 5});
  expect(timeline(older, talk)).toMatchObject({hasOldest: false, hasNewest: false, loading: undefined});
  const newer = joined(fetching(older, talk, 'newer'), talk, [7], {
    joins: 'newer',
    anchor: 6,
    foundNewest: true,
  });
  expect(shownIds(newer, talk)).toEqual([3, 4, 5, 6, 7]);
  const first = joined(fetching(newer, talk, 'older'), talk, [], {
    joins: 'older',
    anchor: 3,
    foundOldest: true,
  });
  expect(timeline(first, talk)).toMatchObject({hasOldest: true, hasNewest: true});
});

test('timelines: a page that would leave a gap is not joined, but its messages are stored', () => {
  const start = fetching(opened(threeChannelState(), talk, messages(50, 51), {foundNewest: false}), talk, 'older');
  const elsewhere = applyChecked(start, {type: 'fetch_started'}, fetched(messages(90, 91), {narrow: talk}));
  const state = joined(elsewhere, talk, [48, 49], {joins: 'older', anchor: 50});
  expect(shownIds(state, talk)).toEqual([90, 91]);
  expect(state.messages.byId.has(48)).toBe(true);
  const newer = joined(
    fetching(opened(threeChannelState(), talk, messages(5), {foundNewest: false}), talk, 'newer'),
    talk,
    [91],
    {
      joins: 'newer',
      anchor: 90,
    },
  );
  expect(shownIds(newer, talk)).toEqual([5]);
});

test('timelines: a page joins although its anchor was deleted meanwhile', () => {
  const start = fetching(opened(threeChannelState(), talk, messages(5, 6)), talk, 'older');
  const state = joined(applyChecked(start, buildDeleteMessageEvent(5)), talk, [3, 4], {
    joins: 'older',
    anchor: 5,
  });
  expect(shownIds(state, talk)).toEqual([3, 4, 6]);
  const all = applyChecked(start, buildDeleteMessageEvent(5), buildDeleteMessageEvent(6));
  const rest = joined(all, talk, [3, 4], {joins: 'older', anchor: 5});
  expect(shownIds(rest, talk)).toEqual([3, 4]);
  expect(timeline(rest, talk).hasNewest).toBe(true);
});

test('timelines: a refresh replaces what its page covers and keeps the rest', () => {
  const start = opened(threeChannelState(), talk, messages(3, 4, 5, 6, 9), {foundOldest: true});
  const inside = joined(start, talk, [5, 7], {joins: 'refresh'});
  expect(shownIds(inside, talk)).toEqual([3, 4, 5, 7, 9]);
  expect(timeline(inside, talk)).toMatchObject({hasOldest: true, hasNewest: true});
  const beyond = joined(start, talk, [5, 10], {joins: 'refresh'});
  expect(shownIds(beyond, talk)).toEqual([3, 4, 5, 10]);
  expect(timeline(beyond, talk)).toMatchObject({hasOldest: true, hasNewest: false});
  const end = joined(start, talk, [6], {joins: 'refresh', foundNewest: true});
  expect(shownIds(end, talk)).toEqual([3, 4, 5, 6]);
});

test('timelines: a refresh that begins after the loaded messages leaves the newer ones to be loaded', () => {
  const narrow = topicNarrow(3, 'talk');
  const unfollowed = (...ids: number[]) => ids.map((id) => eg.message({id, channelId: 3}));
  const start = opened(threeChannelState(), narrow, unfollowed(3, 4));
  const state = applyChecked(start, fetched(unfollowed(8, 9), {narrow, joins: 'refresh'}));
  expect(shownIds(state, narrow)).toEqual([3, 4]);
  expect(timeline(state, narrow)).toMatchObject({hasOldest: false, hasNewest: false});
  const empty = opened(threeChannelState(), narrow, [], {foundOldest: true});
  const filled = applyChecked(empty, fetched(unfollowed(8), {narrow, joins: 'refresh', anchor: 8}));
  expect(shownIds(filled, narrow)).toEqual([8]);
  expect(timeline(filled, narrow)).toMatchObject({hasOldest: false, hasNewest: true, anchor: 8});
});

test('timelines: a newer page for a timeline that became live adds its messages without duplicates', () => {
  const start = fetching(opened(threeChannelState(), talk, messages(1, 2)), talk, 'newer');
  const live = applyChecked(start, buildMessageEvent(channelMessage({id: 3})));
  expect(shownIds(joined(live, talk, [3], {joins: 'newer', anchor: 2}), talk)).toEqual([1, 2, 3]);
});

test('timelines: live messages that arrive while the first page is in flight are included', () => {
  const start = fetching(applyChecked(threeChannelState(), {type: 'timeline_opened', narrow: talk}), talk, 'first');
  const state = applyChecked(
    start,
    buildMessageEvent(channelMessage({id: 3})),
    buildMessageEvent(channelMessage({id: 4, subject: 'else'})),
  );
  expect(shownIds(state, talk)).toEqual([]);
  expect(shownIds(applyChecked(state, fetched(messages(1, 2), {narrow: talk})), talk)).toEqual([1, 2, 3]);
  const middle = fetched(messages(1, 2), {narrow: talk, foundNewest: false});
  expect(shownIds(applyChecked(state, middle), talk)).toEqual([1, 2]);
});

test('timelines: a message fetched before its event joins views opened in between, once', () => {
  const afterFetch = applyChecked(
    opened(threeChannelState(), everythingNarrow, []),
    {type: 'fetch_started'},
    fetched(messages(3)),
  );
  expect(shownIds(afterFetch, everythingNarrow)).toEqual([3]);
  const late = opened(afterFetch, talk, []);
  const received = applyChecked(late, buildMessageEvent(channelMessage({id: 3})));
  expect(shownIds(received, talk)).toEqual([3]);
  expect(shownIds(received, everythingNarrow)).toEqual([3]);
  // The same for a message whose event has arrived already.
  const again = applyChecked(opened(received, channelNarrow(1), []), buildMessageEvent(channelMessage({id: 3})));
  expect(shownIds(again, channelNarrow(1))).toEqual([3]);
  expect(again.unreads).toBe(received.unreads);
});

test('timelines: a response for a closed timeline only adds its messages', () => {
  const start = fetching(applyChecked(threeChannelState(), {type: 'timeline_opened', narrow: talk}), talk, 'first');
  const state = applyChecked(start, {type: 'timeline_closed', narrow: talk}, fetched(messages(1), {narrow: talk}));
  expect(state.timelines.size).toBe(0);
  expect(state.messages.byId.has(1)).toBe(true);
  expect(state.log.fetchesInFlight).toBe(0);
});

test('timelines: a failed fetch shows the reason until the next attempt', () => {
  const start = fetching(applyChecked(threeChannelState(), {type: 'timeline_opened', narrow: talk}), talk, 'first');
  const failed = applyChecked(start, {type: 'fetch_failed', narrow: talk, problem: 'No answer.'});
  expect(timeline(failed, talk)).toMatchObject({loading: undefined, problem: 'No answer.'});
  expect(failed.log.fetchesInFlight).toBe(0);
  expect(timeline(fetching(failed, talk, 'first'), talk)).toMatchObject({
    loading: 'first',
    problem: undefined,
  });
});

test('timelines: moved messages leave one view and join another where they are loaded', () => {
  const other = topicNarrow(1, 'other');
  const start = opened(
    opened(threeChannelState(), talk, messages(1, 2, 3)),
    other,
    [eg.message({id: 4, topic: 'other'})],
    {
      foundOldest: true,
    },
  );
  const state = applyChecked(start, buildUpdateMessageEvent({message_ids: [2, 3], message_id: 2, subject: 'Other'}));
  expect(shownIds(state, talk)).toEqual([1]);
  expect(shownIds(state, other)).toEqual([2, 3, 4]);
  expect(timeline(state, other).isStale).toBe(false);
});

test('timelines: moved-in messages that are not loaded make a view stale, unless they are before its start', () => {
  const start = opened(threeChannelState(), talk, messages(5, 6));
  const move = (id: number) =>
    buildUpdateMessageEvent({
      message_ids: [id],
      stream_id: 2,
      orig_subject: 'far',
      new_stream_id: 1,
      subject: 'talk',
    });
  expect(timeline(applyChecked(start, move(7)), talk).isStale).toBe(true);
  expect(timeline(applyChecked(start, move(3)), talk).isStale).toBe(false);
  const renewed = applyChecked(
    applyChecked(start, move(7)),
    {type: 'fetch_started'},
    fetched(messages(5, 6, 7), {narrow: talk}),
  );
  expect(timeline(renewed, talk).isStale).toBe(false);
});

test('timelines: a with:id view follows its message and drops those left behind', () => {
  const follows: Narrow = [{operator: 'with', operand: 2}];
  const start = opened(threeChannelState(), follows, messages(1, 2, 3));
  const state = applyChecked(
    start,
    buildUpdateMessageEvent({message_ids: [2, 3], subject: 'elsewhere', propagate_mode: 'change_later'}),
  );
  expect(shownIds(state, follows)).toEqual([2, 3]);
  expect(timeline(state, follows).isStale).toBe(true);
});

test('timelines: starred views lose and gain messages; those not loaded make the view stale', () => {
  const starred = narrowIs('starred');
  const start = opened(
    applyChecked(threeChannelState(), fetched(messages(1, 2))),
    starred,
    [eg.message({id: 3, flags: ['starred']})],
    {
      foundOldest: true,
    },
  );
  const state = applyChecked(start, buildAddFlagEvent('starred', 1), buildRemoveFlagEvent('starred', [3]));
  expect(shownIds(state, starred)).toEqual([1]);
  expect(timeline(applyChecked(state, buildAddFlagEvent('starred', 77)), starred).isStale).toBe(true);
});

test('timelines: a message read in a view of unread messages stays until the view is reopened', () => {
  const unread = narrowIs('unread');
  const start = opened(threeChannelState(), unread, [], {foundOldest: true});
  const read = applyChecked(
    start,
    buildMessageEvent(channelMessage({id: 1})),
    buildMessageEvent(channelMessage({id: 2})),
    buildAddFlagEvent('read', 1),
  );
  expect(shownIds(read, unread)).toEqual([1, 2]);
  expect(shownIds(applyChecked(read, {type: 'timeline_opened', narrow: unread}), unread)).toEqual([2]);
});

test('timelines: views by mention and by reaction follow changes', () => {
  const [mentioned, reacted] = [narrowIs('mentioned'), [{operator: 'has', operand: 'reaction'}] as Narrow];
  const start = [mentioned, reacted].reduce(
    (state, narrow) => opened(state, narrow, [], {foundOldest: true}),
    applyChecked(threeChannelState(), buildMessageEvent(channelMessage({id: 1}))),
  );
  const state = applyChecked(
    start,
    buildUpdateMessageEvent({message_id: 1, content: '@**me**', flags: ['mentioned']}),
    buildReactionEvent(),
  );
  expect([shownIds(state, mentioned), shownIds(state, reacted)]).toEqual([[1], [1]]);
  const undone = applyChecked(
    state,
    buildUpdateMessageEvent({message_id: 1, content: 'me'}),
    buildReactionEvent({op: 'remove'}),
  );
  expect([shownIds(undone, mentioned), shownIds(undone, reacted)]).toEqual([[], []]);
});

test('timelines: the server decides whether a live or edited message matches a search', () => {
  const search: Narrow = [{operator: 'search', operand: 'lunch'}];
  const start = opened(threeChannelState(), search, messages(1), {
    matches: [{id: 1, content: '<b>', topic: 't'}],
  });
  const live = applyChecked(
    start,
    buildMessageEvent(channelMessage({id: 2})),
    buildMessageEvent(channelMessage({id: 3})),
    buildUpdateMessageEvent({message_id: 1, content: 'x'}),
  );
  expect(shownIds(live, search)).toEqual([1]);
  expect(timeline(live, search).undecidedIds.toArray()).toEqual([1, 2, 3]);
  const judged = applyChecked(live, buildDeleteMessageEvent(3), {
    type: 'matches_fetched',
    narrow: search,
    decidedIds: [1, 2, 3],
    matches: [{id: 2, content: '<i>', topic: 'u'}],
  });
  expect(shownIds(judged, search)).toEqual([2]);
  expect(timeline(judged, search).undecidedIds.size).toBe(0);
  expect([...timeline(judged, search).matches]).toEqual([[2, {content: '<i>', topic: 'u'}]]);
});

test('timelines: a topic opens with its messages in the channel’s timeline, a direct conversation with those in all direct messages', () => {
  const channel = opened(threeChannelState(), channelNarrow(1), [
    eg.message({id: 5}),
    eg.message({id: 6, topic: 'other'}),
    eg.message({id: 7, topic: 'Talk'}),
  ]);
  const topic = applyChecked(channel, fetched([eg.message({id: 2})]), {
    type: 'timeline_opened',
    narrow: talk,
  });
  expect(timeline(topic, talk)).toMatchObject({hasOldest: false, hasNewest: true});
  expect(shownIds(topic, talk)).toEqual([5, 7]);
  const directs = opened(threeChannelState(), narrowIs('dm'), [eg.direct({id: 3}), eg.direct({id: 4, userIds: [12]})], {
    foundOldest: true,
  });
  const direct = applyChecked(directs, {type: 'timeline_opened', narrow: directNarrow([11])});
  expect(timeline(direct, directNarrow([11]))).toMatchObject({hasOldest: true, hasNewest: true});
  expect(shownIds(applyChecked(direct, buildMessageEvent(directMessage({id: 9}))), directNarrow([11]))).toEqual([3, 9]);
});

test('timelines: a topic opens empty where nothing proves that the loaded messages are contiguous', () => {
  for (const state of [
    applyChecked(threeChannelState(), fetched(messages(1, 2))),
    opened(threeChannelState(), everythingNarrow, messages(1, 2)),
    opened(threeChannelState(), channelNarrow(1), messages(1, 2), {foundNewest: false}),
  ]) {
    const begun = applyChecked(state, {type: 'timeline_opened', narrow: talk});
    expect(timeline(begun, talk)).toMatchObject({hasOldest: false, hasNewest: false});
    expect(shownIds(begun, talk)).toEqual([]);
  }
});

test('timelines: offline, a conversation opens with its loaded messages', () => {
  const offline = {phase: 'offline', since: 0, retryAt: undefined, problem: '', savedAt: 1} as const;
  for (const connection of [offline, {phase: 'starting', savedAt: 1} as const]) {
    const state = applyChecked(
      threeChannelState(),
      fetched(messages(1, 2)),
      {type: 'connection_changed', connection},
      {type: 'timeline_opened', narrow: talk},
    );
    expect(timeline(state, talk)).toMatchObject({hasOldest: false, hasNewest: false, isStale: true});
    expect(shownIds(state, talk)).toEqual([1, 2]);
  }
});

test('timelines: offline, saved messages are shown unless the view is known not to show them any more', () => {
  const narrow = topicNarrow(1, 'talk');
  const connection = {phase: 'offline', since: 0, retryAt: undefined, problem: '', savedAt: undefined} as const;
  const messages = [1, 2, 3].map((id) => eg.message({id, topic: 'talk'}));
  const load = (state: AccountState) =>
    applyChecked(state, {type: 'timeline_opened', narrow}, {type: 'saved_messages_loaded', narrow, messages});
  const moved = buildMessageEvent(channelMessage({id: 2, subject: 'elsewhere'}));
  expect(shownIds(load(applyChecked(threeChannelState({connection}), moved)), narrow)).toEqual([1, 3]);
  expect(shownIds(load(threeChannelState({connection: {phase: 'online'}})), narrow)).toEqual([]);
});
