import fc from 'fast-check';
import {expect, test} from 'vitest';
import {InboxOrder} from '#app/inbox/inbox-order.ts';
import type {Conversation} from '#state/model/conversation.ts';
import {conversationKey} from '#state/model/conversation.ts';
import {inboxGroups, inboxRow} from '#state/selectors/inbox/inbox.ts';
import type {AccountState} from '#state/state.ts';
import {topic, unreadsOf, userTopicPolicies} from '#test/state/selectors/selector-builders.ts';
import * as eg from '#test/support/state-builders.ts';

const base = eg.state({
  channels: eg.byId(...[1, 2, 3].map((id) => eg.channel({id}))),
  subscriptions: eg.subscribed(...[1, 2, 3].map((channelId) => eg.subscription({channelId}))),
});

type Unread = readonly [id: number, conversation: Conversation, isMention?: boolean];

function stateOf(given: readonly Unread[], more: Partial<AccountState> = {}): AccountState {
  return {...base, unreads: unreadsOf(...given), ...more};
}

function keysOf(order: InboxOrder, state: AccountState, isSettled = true, keep?: string): readonly string[] {
  return order
    .arrangedGroups(inboxGroups(state), isSettled, keep)
    .flatMap(({rows}) => rows.map(({row}) => row.key));
}

const conversations = fc
  .tuple(fc.integer({min: 1, max: 3}), fc.constantFrom('a', 'b', 'c'))
  .map(([channelId, name]) => topic(channelId, name));
const unreads = fc.uniqueArray(fc.tuple(fc.integer({min: 1, max: 60}), conversations, fc.boolean()), {
  selector: ([id]) => id,
  maxLength: 25,
});

test('whatever comes and goes, no two rows ever change places, and each is shown once', () => {
  fc.assert(
    fc.property(fc.array(unreads, {minLength: 2, maxLength: 6}), (moments) => {
      const order = new InboxOrder();
      const seen = new Map<string, number>();
      for (const given of moments) {
        const keys = keysOf(order, stateOf(given));
        expect(new Set(keys).size).toBe(keys.length);
        expect([...keys].sort()).toEqual([...new Set(given.map(([, to]) => conversationKey(to)))].sort());
        const places = order.arrangedGroups(inboxGroups(stateOf(given)), true).flatMap(({rows}) => rows);
        for (const {row, position: placed} of places) {
          expect(seen.get(row.key) ?? placed.at).toBe(placed.at);
          seen.set(row.key, placed.at);
        }
      }
    }),
  );
});

test('what goes and comes back is where it was; what is new is at the end of its group', () => {
  const order = new InboxOrder();
  const [a, b, c] = [topic(1, 'a'), topic(1, 'b'), topic(1, 'c')];
  expect(
    keysOf(
      order,
      stateOf([
        [3, a],
        [2, b],
      ]),
    ),
  ).toEqual(['c1:a', 'c1:b']);
  expect(
    keysOf(
      order,
      stateOf([
        [2, b],
        [9, c],
      ]),
    ),
  ).toEqual(['c1:b', 'c1:c']);
  expect(
    keysOf(
      order,
      stateOf([
        [2, b],
        [9, c],
        [12, a],
      ]),
    ),
  ).toEqual(['c1:a', 'c1:b', 'c1:c']);
  expect(order.firstKey).toBe('c1:a');
  expect(order.size).toBe(3);
});

test('a conversation moves only to the muted and back', () => {
  const order = new InboxOrder();
  const given: Unread[] = [
    [3, topic(1, 'a')],
    [2, topic(1, 'b')],
  ];
  keysOf(order, stateOf(given));
  const muted = stateOf(given, {userTopics: userTopicPolicies([1, 'a', 1])});
  expect(keysOf(order, muted)).toEqual(['c1:b', 'c1:a']);
  const followed = stateOf(given, {userTopics: userTopicPolicies([1, 'b', 3])});
  expect(keysOf(order, followed)).toEqual(['c1:a', 'c1:b']);
});

test('nothing lasts before it is settled', () => {
  const order = new InboxOrder();
  const [a, b] = [topic(1, 'a'), topic(1, 'b')];
  keysOf(
    order,
    stateOf([
      [3, a],
      [2, b],
    ]),
    false,
  );
  expect(
    keysOf(
      order,
      stateOf([
        [3, a],
        [5, b],
      ]),
      false,
    ),
  ).toEqual(['c1:b', 'c1:a']);
  expect(
    keysOf(
      order,
      stateOf([
        [7, a],
        [5, b],
      ]),
    ),
  ).toEqual(['c1:b', 'c1:a']);
});

test('the one that is kept is shown although it is read', () => {
  const order = new InboxOrder();
  keysOf(
    order,
    stateOf([
      [3, topic(1, 'a')],
      [2, topic(1, 'b')],
    ]),
  );
  expect(keysOf(order, stateOf([[2, topic(1, 'b')]]), true, 'c1:a')).toEqual(['c1:a', 'c1:b']);
  expect(keysOf(order, stateOf([[2, topic(1, 'b')]]), true, 'c9:x')).toEqual(['c1:b']);
});

test('the one under the cursor stays where it is when it is muted, until the cursor leaves it', () => {
  const order = new InboxOrder();
  const given: Unread[] = [
    [3, topic(1, 'a')],
    [2, topic(1, 'b')],
  ];
  keysOf(order, stateOf(given));
  const muted = stateOf(given, {userTopics: userTopicPolicies([1, 'a', 1])});
  expect(order.isLeaving('c1:a', inboxRow(muted, 'c1:a'))).toBe(true);
  expect(keysOf(order, muted, true, 'c1:a')).toEqual(['c1:a', 'c1:b']);
  expect(order.isLeaving('c1:a', inboxRow(muted, 'c1:a'))).toBe(true);
  expect(keysOf(order, muted)).toEqual(['c1:b', 'c1:a']);
  expect(order.isLeaving('c1:a', inboxRow(muted, 'c1:a'))).toBe(false);
});

test('rows that say the same are the same objects', () => {
  const order = new InboxOrder();
  const rowsOf = (given: readonly Unread[]) =>
    order.arrangedGroups(inboxGroups(stateOf(given)), true).flatMap(({rows}) => rows);
  const [a, b, c] = [topic(1, 'a'), topic(1, 'b'), topic(1, 'c')];
  const before = rowsOf([
    [3, a],
    [2, b],
    [1, c],
  ]);
  const after = rowsOf([
    [3, a],
    [1, c],
  ]);
  expect(after[0]).toBe(before[0]);
  expect(after[1]).toBe(before[2]);
});

test('what comes back stands where a fresh order has it, however much comes at once and whatever has come since', () => {
  const all = Array.from({length: 300}, (_, at) => topic(1, `topic ${String(at).padStart(3, '0')}`));
  const full: readonly Unread[] = all.map((to, at) => [at + 1, to]);
  const fresh = keysOf(new InboxOrder(), stateOf(full));
  const stays = new Set([fresh[0], fresh[100], fresh[299]]);
  const few = full.filter(([, to]) => stays.has(conversationKey(to)));
  const news: Unread = [1000, topic(1, 'news')];
  const order = new InboxOrder();
  keysOf(order, stateOf(few));
  keysOf(order, stateOf([...few, news]));
  order.expectReturn(fresh);
  expect(keysOf(order, stateOf([...full, news]))).toEqual([...fresh, conversationKey(news[1])]);
  expect(keysOf(order, stateOf(full))).toEqual(fresh);
});
