import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {type Conversation, conversationKey} from '#state/model/conversation.ts';
import {inbox} from '#state/selectors/inbox/inbox.ts';
import type {AccountState} from '#state/state.ts';
import {topic, unreadsOf, userTopicPolicies} from '#test/state/selectors/selector-builders.ts';
import * as eg from '#test/support/state-builders.ts';
import {InboxOrder} from '#ui/inbox/inbox-order.ts';
import type {ArrangedRow} from '#ui/inbox/row-positioner.ts';

const base = eg.state({
  channels: eg.byId(...[1, 2, 3].map((id) => eg.channel({id}))),
  subscriptions: eg.subscribed(...[1, 2, 3].map((channelId) => eg.subscription({channelId}))),
});

type Unread = readonly [id: number, conversation: Conversation, isMention?: boolean];

function stateOf(unreadList: readonly Unread[], more: Partial<AccountState> = {}): AccountState {
  return {...base, unreads: unreadsOf(...unreadList), ...more};
}

/** A screen with an inbox that is painted repeatedly. */
class PaintedInbox {
  order = InboxOrder.begin('priority');

  rows(state: AccountState, isFrozen = true, cursor?: string): readonly ArrangedRow[] {
    this.order = this.order.withInbox(inbox(state), isFrozen, cursor);
    return this.order.arrangedGroups.flatMap(({rows}) => rows);
  }
}

function keysOf(painted: PaintedInbox, state: AccountState, isFrozen = true, cursor?: string): readonly string[] {
  return painted.rows(state, isFrozen, cursor).map(({row}) => row.key);
}

const conversations = fc
  .tuple(fc.integer({min: 1, max: 3}), fc.constantFrom('a', 'b', 'c'))
  .map(([channelId, name]) => topic(channelId, name));
const unreads = fc.uniqueArray(fc.tuple(fc.integer({min: 1, max: 60}), conversations, fc.boolean()), {
  selector: ([id]) => id,
  maxLength: 25,
});

test('inbox order: no two rows ever change places, and each row is shown once', () => {
  fc.assert(
    fc.property(fc.array(unreads, {minLength: 2, maxLength: 6}), (states) => {
      const painted = new PaintedInbox();
      const positions = new Map<string, number>();
      for (const unreadList of states) {
        const keys = keysOf(painted, stateOf(unreadList));
        expect(new Set(keys).size).toBe(keys.length);
        expect([...keys].sort()).toEqual([...new Set(unreadList.map(([, to]) => conversationKey(to)))].sort());
        const rows = painted.rows(stateOf(unreadList));
        for (const {row, position} of rows) {
          expect(positions.get(row.key) ?? position.at).toBe(position.at);
          positions.set(row.key, position.at);
        }
      }
    }),
  );
});

test('inbox order: a row that returns has its old position, and a new row is at the end of its group', () => {
  const painted = new PaintedInbox();
  const [a, b, c] = [topic(1, 'a'), topic(1, 'b'), topic(1, 'c')];
  expect(
    keysOf(
      painted,
      stateOf([
        [3, a],
        [2, b],
      ]),
    ),
  ).toEqual(['c1:a', 'c1:b']);
  expect(
    keysOf(
      painted,
      stateOf([
        [2, b],
        [9, c],
      ]),
    ),
  ).toEqual(['c1:b', 'c1:c']);
  expect(
    keysOf(
      painted,
      stateOf([
        [2, b],
        [9, c],
        [12, a],
      ]),
    ),
  ).toEqual(['c1:a', 'c1:b', 'c1:c']);
  expect(painted.order.firstKey).toBe('c1:a');
  expect(painted.order.size).toBe(3);
});

test('inbox order: a conversation moves only to the muted group and back', () => {
  const painted = new PaintedInbox();
  const unreadList: Unread[] = [
    [3, topic(1, 'a')],
    [2, topic(1, 'b')],
  ];
  keysOf(painted, stateOf(unreadList));
  const muted = stateOf(unreadList, {userTopics: userTopicPolicies([1, 'a', 1])});
  expect(keysOf(painted, muted)).toEqual(['c1:b', 'c1:a']);
  const followed = stateOf(unreadList, {userTopics: userTopicPolicies([1, 'b', 3])});
  expect(keysOf(painted, followed)).toEqual(['c1:a', 'c1:b']);
});

test('inbox order: before it is frozen, every paint sorts again', () => {
  const painted = new PaintedInbox();
  const [a, b] = [topic(1, 'a'), topic(1, 'b')];
  keysOf(
    painted,
    stateOf([
      [3, a],
      [2, b],
    ]),
    false,
  );
  expect(
    keysOf(
      painted,
      stateOf([
        [3, a],
        [5, b],
      ]),
      false,
    ),
  ).toEqual(['c1:b', 'c1:a']);
  expect(
    keysOf(
      painted,
      stateOf([
        [7, a],
        [5, b],
      ]),
    ),
  ).toEqual(['c1:b', 'c1:a']);
});

test('inbox order: the row under the cursor stays when it is read', () => {
  const painted = new PaintedInbox();
  keysOf(
    painted,
    stateOf([
      [3, topic(1, 'a')],
      [2, topic(1, 'b')],
    ]),
  );
  expect(keysOf(painted, stateOf([[2, topic(1, 'b')]]), true, 'c1:a')).toEqual(['c1:a', 'c1:b']);
  expect(keysOf(painted, stateOf([[2, topic(1, 'b')]]), true, 'c9:x')).toEqual(['c1:b']);
});

test('inbox order: the row under the cursor stays when it is muted, until the cursor leaves it', () => {
  const painted = new PaintedInbox();
  const unreadList: Unread[] = [
    [3, topic(1, 'a')],
    [2, topic(1, 'b')],
  ];
  keysOf(painted, stateOf(unreadList));
  const muted = stateOf(unreadList, {userTopics: userTopicPolicies([1, 'a', 1])});
  expect(keysOf(painted, muted, true, 'c1:a')).toEqual(['c1:a', 'c1:b']);
  expect(keysOf(painted, muted, true, 'c1:a')).toEqual(['c1:a', 'c1:b']);
  expect(keysOf(painted, muted)).toEqual(['c1:b', 'c1:a']);
  expect(keysOf(painted, muted, true, 'c1:a')).toEqual(['c1:b', 'c1:a']);
});

test('inbox order: unchanged rows are the same objects', () => {
  const painted = new PaintedInbox();
  const rowsOf = (unreadList: readonly Unread[]) => painted.rows(stateOf(unreadList));
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

test('inbox order: returning rows have the positions of a fresh order, however many return and whatever arrived since', () => {
  const all = Array.from({length: 300}, (_, at) => topic(1, `topic ${String(at).padStart(3, '0')}`));
  const full: readonly Unread[] = all.map((to, at) => [at + 1, to]);
  const fresh = keysOf(new PaintedInbox(), stateOf(full));
  const stays = new Set([fresh[0], fresh[100], fresh[299]]);
  const few = full.filter(([, to]) => stays.has(conversationKey(to)));
  const news: Unread = [1000, topic(1, 'news')];
  const painted = new PaintedInbox();
  keysOf(painted, stateOf(few));
  keysOf(painted, stateOf([...few, news]));
  painted.order = painted.order.withReturning(fresh);
  expect(keysOf(painted, stateOf([...full, news]))).toEqual([...fresh, conversationKey(news[1])]);
  expect(keysOf(painted, stateOf(full))).toEqual(fresh);
});

test('inbox order: withInbox does not change the order, and a frozen order stays the same', () => {
  fc.assert(
    fc.property(unreads, unreads, unreads, fc.option(conversations, {nil: undefined}), (a, b, c, at) => {
      const cursor = at && conversationKey(at);
      const order = InboxOrder.begin('priority').withInbox(inbox(stateOf(a)), true, cursor);
      const once = order.withInbox(inbox(stateOf(b)), true, cursor);
      order.withInbox(inbox(stateOf(c)), true, cursor);
      const again = order.withInbox(inbox(stateOf(b)), true, cursor);
      expect(again.arrangedGroups).toEqual(once.arrangedGroups);
      expect(once.withInbox(inbox(stateOf(b)), true, cursor).arrangedGroups).toEqual(once.arrangedGroups);
      expect(once.size).toBe(once.sessionKeys.size);
    }),
  );
});

test('inbox order: an old order does not keep the later ones in memory', async () => {
  setFlagsFromString('--expose_gc');
  const collectGarbage: () => void = runInNewContext('gc');
  const painted = new PaintedInbox();
  painted.rows(stateOf([[1, topic(1, 'a')]]));
  const {order: old} = painted;
  painted.rows(
    stateOf([
      [1, topic(1, 'a')],
      [2, topic(1, 'b')],
    ]),
  );
  const later = new WeakRef(painted.order);
  for (let id = 3; id < 9; id++)
    painted.rows(
      stateOf([
        [1, topic(1, 'a')],
        [id, topic(2, `topic ${id}`)],
      ]),
    );
  // The target of a new WeakRef is kept until the current task has ended.
  await new Promise(setImmediate);
  collectGarbage();
  expect(later.deref()).toBeUndefined();
  expect(old.arrangedGroups.flatMap(({rows}) => rows)).toHaveLength(1);
});
