import fc from 'fast-check';
import {expect, test} from 'vitest';
import type {ArrangedRow} from '#app/inbox/arranged-row.ts';
import {InboxOrder} from '#app/inbox/inbox-order.ts';
import type {Conversation} from '#state/model/conversation.ts';
import {conversationKey} from '#state/model/conversation.ts';
import {inbox} from '#state/selectors/inbox/inbox.ts';
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

/** A screen with an inbox, of which one picture after the other is made. */
class Pictures {
  order = InboxOrder.begin();

  rows(state: AccountState, isSettled = true, cursor?: string): readonly ArrangedRow[] {
    this.order = this.order.with(inbox(state), isSettled, cursor);
    return this.order.arrangedGroups.flatMap(({rows}) => rows);
  }
}

function keysOf(shown: Pictures, state: AccountState, isSettled = true, cursor?: string): readonly string[] {
  return shown.rows(state, isSettled, cursor).map(({row}) => row.key);
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
      const shown = new Pictures();
      const seen = new Map<string, number>();
      for (const given of moments) {
        const keys = keysOf(shown, stateOf(given));
        expect(new Set(keys).size).toBe(keys.length);
        expect([...keys].sort()).toEqual([...new Set(given.map(([, to]) => conversationKey(to)))].sort());
        const places = shown.rows(stateOf(given));
        for (const {row, position: placed} of places) {
          expect(seen.get(row.key) ?? placed.at).toBe(placed.at);
          seen.set(row.key, placed.at);
        }
      }
    }),
  );
});

test('what goes and comes back is where it was; what is new is at the end of its group', () => {
  const shown = new Pictures();
  const [a, b, c] = [topic(1, 'a'), topic(1, 'b'), topic(1, 'c')];
  expect(
    keysOf(
      shown,
      stateOf([
        [3, a],
        [2, b],
      ]),
    ),
  ).toEqual(['c1:a', 'c1:b']);
  expect(
    keysOf(
      shown,
      stateOf([
        [2, b],
        [9, c],
      ]),
    ),
  ).toEqual(['c1:b', 'c1:c']);
  expect(
    keysOf(
      shown,
      stateOf([
        [2, b],
        [9, c],
        [12, a],
      ]),
    ),
  ).toEqual(['c1:a', 'c1:b', 'c1:c']);
  expect(shown.order.firstKey).toBe('c1:a');
  expect(shown.order.size).toBe(3);
});

test('a conversation moves only to the muted and back', () => {
  const shown = new Pictures();
  const given: Unread[] = [
    [3, topic(1, 'a')],
    [2, topic(1, 'b')],
  ];
  keysOf(shown, stateOf(given));
  const muted = stateOf(given, {userTopics: userTopicPolicies([1, 'a', 1])});
  expect(keysOf(shown, muted)).toEqual(['c1:b', 'c1:a']);
  const followed = stateOf(given, {userTopics: userTopicPolicies([1, 'b', 3])});
  expect(keysOf(shown, followed)).toEqual(['c1:a', 'c1:b']);
});

test('nothing lasts before it is settled', () => {
  const shown = new Pictures();
  const [a, b] = [topic(1, 'a'), topic(1, 'b')];
  keysOf(
    shown,
    stateOf([
      [3, a],
      [2, b],
    ]),
    false,
  );
  expect(
    keysOf(
      shown,
      stateOf([
        [3, a],
        [5, b],
      ]),
      false,
    ),
  ).toEqual(['c1:b', 'c1:a']);
  expect(
    keysOf(
      shown,
      stateOf([
        [7, a],
        [5, b],
      ]),
    ),
  ).toEqual(['c1:b', 'c1:a']);
});

test('the one that is kept is shown although it is read', () => {
  const shown = new Pictures();
  keysOf(
    shown,
    stateOf([
      [3, topic(1, 'a')],
      [2, topic(1, 'b')],
    ]),
  );
  expect(keysOf(shown, stateOf([[2, topic(1, 'b')]]), true, 'c1:a')).toEqual(['c1:a', 'c1:b']);
  expect(keysOf(shown, stateOf([[2, topic(1, 'b')]]), true, 'c9:x')).toEqual(['c1:b']);
});

test('the one under the cursor stays where it is when it is muted, until the cursor leaves it', () => {
  const shown = new Pictures();
  const given: Unread[] = [
    [3, topic(1, 'a')],
    [2, topic(1, 'b')],
  ];
  keysOf(shown, stateOf(given));
  const muted = stateOf(given, {userTopics: userTopicPolicies([1, 'a', 1])});
  expect(keysOf(shown, muted, true, 'c1:a')).toEqual(['c1:a', 'c1:b']);
  expect(keysOf(shown, muted, true, 'c1:a')).toEqual(['c1:a', 'c1:b']);
  expect(keysOf(shown, muted)).toEqual(['c1:b', 'c1:a']);
  expect(keysOf(shown, muted, true, 'c1:a')).toEqual(['c1:b', 'c1:a']);
});

test('rows that say the same are the same objects', () => {
  const shown = new Pictures();
  const rowsOf = (given: readonly Unread[]) => shown.rows(stateOf(given));
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
  const fresh = keysOf(new Pictures(), stateOf(full));
  const stays = new Set([fresh[0], fresh[100], fresh[299]]);
  const few = full.filter(([, to]) => stays.has(conversationKey(to)));
  const news: Unread = [1000, topic(1, 'news')];
  const shown = new Pictures();
  keysOf(shown, stateOf(few));
  keysOf(shown, stateOf([...few, news]));
  shown.order = shown.order.welcoming(fresh);
  expect(keysOf(shown, stateOf([...full, news]))).toEqual([...fresh, conversationKey(news[1])]);
  expect(keysOf(shown, stateOf(full))).toEqual(fresh);
});

test('inbox order: rows that it is asked about do not change it, and what was settled once stays as it is', () => {
  fc.assert(
    fc.property(unreads, unreads, unreads, fc.option(conversations, {nil: undefined}), (a, b, c, at) => {
      const cursor = at && conversationKey(at);
      const order = InboxOrder.begin().with(inbox(stateOf(a)), true, cursor);
      const once = order.with(inbox(stateOf(b)), true, cursor);
      order.with(inbox(stateOf(c)), true, cursor);
      const again = order.with(inbox(stateOf(b)), true, cursor);
      expect(again.arrangedGroups).toEqual(once.arrangedGroups);
      expect(once.with(inbox(stateOf(b)), true, cursor).arrangedGroups).toEqual(once.arrangedGroups);
      expect(once.size).toBe(once.met.size);
    }),
  );
});
