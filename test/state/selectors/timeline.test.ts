import {expect, test} from 'vitest';
import {
  channelNarrow,
  directNarrow,
  everythingNarrow,
  type Narrow,
  narrowIs,
  narrowKey,
  topicNarrow,
} from '#state/model/narrow.ts';
import type {OutboxEntry} from '#state/model/outbox.ts';
import {emptyTimeline, type Timeline} from '#state/model/timeline.ts';
import {firstUnreadId, unreadCountIn, unsentEntriesIn} from '#state/selectors/timeline.ts';
import type {AccountState} from '#state/state.ts';
import {SortedMap, SortedSet} from '#std/sorted-map.ts';
import * as eg from '#test/support/state-builders.ts';
import {dm, loadedMessages, topic, unreadsOf, userTopicPolicies} from './selector-builders.ts';

const narrow = topicNarrow(1, 'talk');

function open(view: Narrow, ids: readonly number[], fields: Partial<Timeline> = {}): AccountState['timelines'] {
  return SortedMap.from([
    [narrowKey(view), {...emptyTimeline(view), ids: SortedSet.from(ids), hasNewest: true, ...fields}],
  ]);
}

function entry(id: string, fields: Partial<OutboxEntry> = {}): OutboxEntry {
  return {
    id,
    order: 1,
    conversation: topic(1, 'Talk'),
    content: 'hi',
    createdAt: 0,
    status: 'queued',
    owner: undefined,
    sentAt: undefined,
    afterMessageId: undefined,
    messageId: undefined,
    problem: undefined,
    draftId: undefined,
    ...fields,
  };
}

test('unsent entries: shown in order, only in the views that match', () => {
  const outbox = [
    entry('second', {order: 2}),
    entry('first', {order: 1, status: 'failed'}),
    entry('other topic', {conversation: topic(1, 'other')}),
    entry('direct', {conversation: dm(11)}),
    entry('arrived', {status: 'sent', messageId: 200}),
    entry('acknowledged', {order: 3, status: 'sent', messageId: 999}),
  ];
  const state = eg.state({outbox, messages: loadedMessages(eg.message({id: 200}))});
  const inView = (view: Narrow) => unsentEntriesIn(state, view).map(({id}) => id);
  expect(inView(narrow)).toEqual(['first', 'second', 'acknowledged']);
  expect(inView(directNarrow([11]))).toEqual(['direct']);
  expect(inView(narrowIs('dm'))).toEqual(['direct']);
  expect(inView(channelNarrow(1))).toEqual(['first', 'other topic', 'second', 'acknowledged']);
  expect(inView(everythingNarrow)).toHaveLength(5);
  expect(inView([{operator: 'sender', operand: eg.selfId}])).toHaveLength(5);
  expect(inView([{operator: 'search', operand: 'hi'}])).toEqual([]);
  expect(inView(narrowIs('starred'))).toEqual([]);
});

test('unread counts of a view: known without loading it, where the narrow allows', () => {
  const state = eg.state({
    unreads: unreadsOf(
      [4, topic(1, 'a')],
      [2, topic(1, 'b')],
      [3, topic(2, 'a'), true],
      [1, topic(1, 'x')],
      [9, dm(11)],
    ),
    userTopics: userTopicPolicies([1, 'x', 1]),
    timelines: open(narrowIs('starred'), [2, 3, 7]),
  });
  const view = (account: Narrow) => [unreadCountIn(state, account), firstUnreadId(state, account)];
  expect(view(topicNarrow(1, 'A'))).toEqual([1, 4]);
  expect(view(channelNarrow(1))).toEqual([3, 1]);
  expect(view(directNarrow([11]))).toEqual([1, 9]);
  expect(view(narrowIs('dm'))).toEqual([1, 9]);
  expect(view(narrowIs('mentioned'))).toEqual([1, 3]);
  expect(view(everythingNarrow)).toEqual([5, 1]);
  expect(view([{operator: 'in', operand: 'home'}])).toEqual([4, 2]);
  expect(view(narrowIs('starred'))).toEqual([2, 2]);
  expect(view([...topicNarrow(1, 'a'), {operator: 'near', operand: 1}])).toEqual([1, 4]);
  expect(view(topicNarrow(7, 'a'))).toEqual([0, undefined]);
});
