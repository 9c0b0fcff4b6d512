import fc from 'fast-check';
import {expect, test} from 'vitest';
import {type Conversation, conversationKey} from '#state/model/conversation.ts';
import {noUnreads, type Unreads} from '#state/model/unread.ts';
import {
  addUnread,
  addUnreads,
  clearAllUnreads,
  clearChannelUnreads,
  moveUnreads,
  removeUnreads,
  withMention,
} from '#state/unreads/unreads.ts';
import {SortedSet} from '#std/sorted-map.ts';
import {checkUnreads} from '#test/support/state-checks.ts';
import {fewOrAll} from '#test/support/tier.ts';

const topic = (channelId: number, name: string): Conversation => ({kind: 'topic', channelId, topic: name});
const direct = (...userIds: number[]): Conversation => ({kind: 'direct', userIds});
const unread = (id: number, conversation: Conversation, isMention = false) => ({id, conversation, isMention});

function recount(unreads: Unreads): Record<number, string> {
  return Object.fromEntries(unreads.byId);
}

test('unreads: a topic has the spelling of its latest unread message', () => {
  const lunch = addUnreads(noUnreads, [unread(5, topic(1, 'Lunch')), unread(3, topic(1, 'lunch'))]);
  expect(lunch.conversations.get('c1:lunch')?.conversation).toEqual(topic(1, 'Lunch'));
  const older = addUnread(lunch, unread(4, topic(1, 'LUNCH')));
  expect(older.conversations.get('c1:lunch')?.conversation).toEqual(topic(1, 'Lunch'));
  const newer = addUnread(lunch, unread(6, topic(1, 'LUNCH')));
  expect(newer.conversations.get('c1:lunch')?.conversation).toEqual(topic(1, 'LUNCH'));
});

test('unreads: an operation without effect returns the same object', () => {
  const some = addUnreads(noUnreads, [unread(1, topic(1, 'a'), true), unread(2, direct(11))]);
  expect(addUnread(some, unread(1, topic(1, 'a'), true))).toBe(some);
  expect(removeUnreads(some, [7, 8])).toBe(some);
  expect(moveUnreads(some, [7], topic(2, 'b'))).toBe(some);
  expect(clearChannelUnreads(some, 2)).toBe(some);
  expect(withMention(some, 1, true)).toBe(some);
  expect(withMention(some, 7, true)).toBe(some);
  expect(clearAllUnreads(noUnreads)).toBe(noUnreads);
});

test('unreads: marking everything read also clears oldMissing', () => {
  expect(clearAllUnreads({...noUnreads, oldMissing: true}).oldMissing).toBe(false);
});

test('unreads: a moved message keeps its mention, and an emptied conversation is removed', () => {
  const before = addUnreads(noUnreads, [unread(1, topic(1, 'a'), true), unread(2, topic(2, 'b'))]);
  const moved = moveUnreads(before, [1], topic(2, 'B'));
  expect(moved.conversations.get('c2:b')?.ids.toArray()).toEqual([1, 2]);
  expect(moved.mentions.toArray()).toEqual([1]);
  expect(moved.channels.has(1)).toBe(false);
  expect(moved.conversations.has('c1:a')).toBe(false);
});

test('unreads: the check detects every contradiction between the indexes', () => {
  const good = addUnreads(noUnreads, [unread(1, topic(1, 'a')), unread(2, direct(11))]);
  expect(() => checkUnreads(good)).not.toThrow();
  const broken: Unreads[] = [
    {...good, byId: good.byId.with(9, 'c1:a')},
    {...good, byId: good.byId.without(1)},
    {...good, byId: good.byId.with(1, 'd11')},
    {...good, channels: good.channels.without(1)},
    {...good, channels: good.channels.with(7, SortedSet.from(['c7:x']))},
    {...good, channels: good.channels.with(7, SortedSet.empty())},
    {...good, mentions: SortedSet.from([9])},
    {...good, conversations: good.conversations.without('d11')},
    {
      ...good,
      conversations: good.conversations.with('c1:a', {
        key: 'c1:a',
        conversation: topic(1, 'b'),
        ids: SortedSet.from([1]),
      }),
    },
  ];
  for (const unreads of broken) expect(() => checkUnreads(unreads)).toThrow('Invariant broken');
});

const conversations = fc.constantFrom<Conversation>(
  topic(1, 'a'),
  topic(1, 'A'),
  topic(1, 'b'),
  topic(2, 'a'),
  direct(),
  direct(11),
  direct(11, 12),
);
const ids = fc.array(fc.integer({min: 1, max: 12}), {maxLength: 6});
type Step =
  | {kind: 'add'; messages: {id: number; conversation: Conversation; isMention: boolean}[]}
  | {kind: 'remove' | 'move'; ids: number[]; conversation: Conversation}
  | {kind: 'clearChannel'; channelId: number}
  | {kind: 'clearAll'};
const steps = fc.array(
  fc.oneof<fc.Arbitrary<Step>[]>(
    fc.record({
      kind: fc.constant('add' as const),
      messages: fc.array(
        fc.record({id: fc.integer({min: 1, max: 12}), conversation: conversations, isMention: fc.boolean()}),
        {maxLength: 6},
      ),
    }),
    fc.record({kind: fc.constantFrom('remove' as const, 'move' as const), ids, conversation: conversations}),
    fc.record({kind: fc.constant('clearChannel' as const), channelId: fc.integer({min: 1, max: 2})}),
    fc.record({kind: fc.constant('clearAll' as const)}),
  ),
  {maxLength: 20},
);

type Naive = Map<number, {conversation: Conversation; isMention: boolean}>;

function take(unreads: Unreads, naive: Naive, step: Step): Unreads {
  switch (step.kind) {
    case 'add':
      for (const {id, ...rest} of step.messages) naive.set(id, rest);
      return addUnreads(unreads, step.messages);
    case 'remove':
      for (const id of step.ids) naive.delete(id);
      return removeUnreads(unreads, step.ids);
    case 'move':
      for (const id of step.ids) {
        const known = naive.get(id);
        if (known !== undefined) naive.set(id, {...known, conversation: step.conversation});
      }
      return moveUnreads(unreads, step.ids, step.conversation);
    case 'clearChannel':
      for (const [id, {conversation}] of naive) {
        if (conversation.kind === 'topic' && conversation.channelId === step.channelId) naive.delete(id);
      }
      return clearChannelUnreads(unreads, step.channelId);
    case 'clearAll':
      naive.clear();
      return clearAllUnreads(unreads);
  }
}

test('unreads: any sequence of operations equals a naive recount', () => {
  fc.assert(
    fc.property(steps, (walk) => {
      const naive: Naive = new Map();
      let unreads = noUnreads;
      for (const step of walk) {
        unreads = take(unreads, naive, step);
        checkUnreads(unreads);
      }
      expect(recount(unreads)).toEqual(
        Object.fromEntries([...naive].map(([id, {conversation}]) => [id, conversationKey(conversation)])),
      );
      expect(unreads.mentions.toArray()).toEqual(
        [...naive].flatMap(([id, {isMention}]) => (isMention ? [id] : [])).sort((a, b) => a - b),
      );
    }),
    {numRuns: fewOrAll(75, 300), seed: 1},
  );
});
