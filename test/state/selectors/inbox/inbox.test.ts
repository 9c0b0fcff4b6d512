import fc from 'fast-check';
import {expect, test} from 'vitest';
import type {Conversation} from '#state/model/conversation.ts';
import {
  type InboxSort,
  inbox,
  inboxGroups,
  inboxOf,
  inboxRows,
  inboxSlices,
  sortedInboxRows,
} from '#state/selectors/inbox/inbox.ts';
import {channelRanks} from '#state/selectors/lists/channel-sections.ts';
import type {AccountState} from '#state/state.ts';
import {addUnread} from '#state/unreads/unreads.ts';
import {SortedMap, SortedSet} from '#std/sorted-map.ts';
import {
  arbitraryAccountState,
  dm,
  loadedMessages,
  topic,
  unreadsOf,
  userTopicPolicies,
} from '#test/state/selectors/selector-builders.ts';
import * as eg from '#test/support/state-builders.ts';

function grouped(state: AccountState): Record<string, string[]> {
  const filled = inboxGroups(state).filter(({rows}) => rows.length > 0);
  return Object.fromEntries(filled.map(({id, rows}) => [id, rows.map(({title}) => title)]));
}

const channels = eg.byId(
  eg.channel({id: 1, name: 'web'}),
  eg.channel({id: 2, name: 'backend'}),
  eg.channel({id: 3, name: 'ops'}),
);
const subscriptions = eg.subscribed(
  eg.subscription({channelId: 1}),
  eg.subscription({channelId: 2}),
  eg.subscription({channelId: 3, pinToTop: true}),
);
const users = eg.users(eg.user(), eg.user({id: 11, fullName: 'Carol'}), eg.user({id: 12, fullName: 'Dan'}));

test('inbox: groups are sorted by priority, what concerns the user newest first, channels as in the sidebar with new topics first', () => {
  const state = eg.state({
    channels,
    subscriptions,
    users,
    unreads: unreadsOf(
      [10, topic(1, 'old')],
      [30, topic(1, 'new')],
      [20, topic(2, 'deploy')],
      [25, topic(3, 'pager')],
      [5, topic(2, '✔ css')],
      [40, topic(2, 'freeze'), true],
      [35, topic(1, 'sudden'), true],
      [7, topic(1, 'noise')],
      [4, topic(2, 'hum')],
      [9, dm(12)],
      [8, dm(11, 12)],
      [6, dm()],
    ),
    userTopics: userTopicPolicies([2, '✔ css', 3], [1, 'noise', 1], [2, 'hum', 1]),
  });
  expect(grouped(state)).toEqual({
    mentions: ['#backend › freeze', '#web › sudden'],
    direct: ['Dan', 'Carol, Dan', 'Notes to self'],
    followed: ['#backend › css'],
    pinned: ['#ops › pager'],
    channels: ['#backend › deploy', '#web › new', '#web › old'],
    muted: ['#backend › hum', '#web › noise'],
  });
  expect(inboxRows(state)).toHaveLength(10);
});

test('inbox: no row changes its place in any order when it is read in part, from its start', () => {
  const unread = [
    [1, topic(1, 'a'), true],
    [3, topic(2, 'b'), true],
    [4, dm(11)],
    [5, topic(1, 'c')],
    [6, topic(1, 'a'), true],
    [7, topic(2, 'b'), true],
    [8, dm(12)],
    [9, dm(11)],
    [10, topic(1, 'c')],
    [11, topic(3, 'd')],
  ] as const;
  const titlesIn = (all: readonly (readonly [number, Conversation, boolean?])[], sort: InboxSort) =>
    sortedInboxRows(inbox(eg.state({channels, subscriptions, users, unreads: unreadsOf(...all)})), sort).map(
      ({title}) => title,
    );
  expect(titlesIn(unread, 'priority')).toEqual(['#backend › b', '#web › a', 'Carol', 'Dan', '#ops › d', '#web › c']);
  expect(titlesIn(unread, 'newest')).toEqual(['#ops › d', '#web › c', 'Carol', 'Dan', '#backend › b', '#web › a']);
  expect(titlesIn(unread, 'oldest')).toEqual(titlesIn(unread, 'newest').toReversed());
  expect(titlesIn(unread, 'channel')).toEqual(['Carol', 'Dan', '#ops › d', '#backend › b', '#web › c', '#web › a']);
  for (const sort of ['priority', 'newest', 'oldest', 'channel'] as const)
    expect(titlesIn(unread.slice(4), sort)).toEqual(titlesIn(unread, sort));
});

test('inbox: a topic that is muted or followed while the inbox is shown changes its group', () => {
  const before = eg.state({channels, subscriptions, unreads: unreadsOf([1, topic(1, 'a')], [2, topic(1, 'b')])});
  expect(grouped(before)).toEqual({channels: ['#web › b', '#web › a']});
  const after = {...before, userTopics: userTopicPolicies([1, 'a', 1], [1, 'b', 3])};
  expect(grouped(after)).toEqual({followed: ['#web › b'], muted: ['#web › a']});
});

test('inbox: a muted topic with a mention is among the mentions, one with an alert word stays muted', () => {
  const state = eg.state({
    channels,
    unreads: unreadsOf([1, topic(1, 'a'), true], [2, topic(1, 'b')], [3, topic(1, 'c')]),
    messages: loadedMessages(
      eg.message({id: 2, topic: 'b', flags: ['has_alert_word']}),
      eg.message({id: 3, topic: 'c', flags: ['has_alert_word']}),
    ),
    userTopics: userTopicPolicies([1, 'a', 1], [1, 'b', 1]),
  });
  expect(grouped(state)).toEqual({mentions: ['#web › c', '#web › a'], muted: ['#web › b']});
});

test('inbox: a row contains exactly what is known of the conversation', () => {
  const unloaded = eg.state({channels, unreads: unreadsOf([4, topic(1, '✔ Talk')], [6, topic(1, '✔ Talk')])});
  const row = inboxRows(unloaded)[0];
  expect(row).toEqual({
    key: 'c1:✔ talk',
    conversation: {kind: 'topic', channelId: 1, topic: '✔ Talk'},
    group: 'channels',
    title: '#web › Talk',
    count: 2,
    mentions: 0,
    hasAlertWord: false,
    isFollowed: false,
    isMuted: false,
    isResolved: true,
    hasDraft: false,
    oldestUnreadId: 4,
    newestUnreadId: 6,
    unreadIds: SortedSet.from([4, 6]),
    oldestUnreadAt: undefined,
    newestUnreadAt: undefined,
    participants: [],
    snippet: undefined,
  });
  const state: AccountState = {
    ...unloaded,
    messages: loadedMessages(
      eg.message({id: 3, topic: '✔ Talk', senderId: 14}),
      eg.message({id: 4, topic: '✔ Talk', senderId: 11, content: '\n\n  first line \nsecond', timestamp: 99}),
      eg.message({id: 5, topic: '✔ Talk', senderId: 12}),
      eg.message({id: 6, topic: '✔ Talk', senderId: 11}),
    ),
    localDrafts: [
      {
        id: 'x',
        serverId: undefined,
        target: topic(1, '✔ talk'),
        content: 'half a',
        editedAt: 1,
        base: undefined,
        status: 'dirty',
      },
    ],
  };
  expect(inboxRows(state)[0]).toMatchObject({
    oldestUnreadAt: 99,
    participants: [11, 12, 14],
    snippet: 'first line',
    hasDraft: true,
  });
});

test('inbox: a deleted or blank draft does not count as a draft', () => {
  const state = eg.state({
    unreads: unreadsOf([4, dm(11)]),
    drafts: SortedMap.from([[7, {id: 7, target: dm(11), content: 'x', timestamp: 1}]]),
  });
  expect(inboxRows(state)[0]).toMatchObject({hasDraft: true});
  const draft = {id: 'x', serverId: 7, target: dm(11), content: 'x', editedAt: 1, base: undefined} as const;
  expect(inboxRows({...state, localDrafts: [{...draft, status: 'deleted'}]})[0]).toMatchObject({
    hasDraft: false,
  });
  expect(inboxRows({...state, localDrafts: [{...draft, content: ' ', status: 'dirty'}]})[0]).toMatchObject({
    hasDraft: false,
  });
});

test('inbox: unchanged rows stay the same objects when others change', () => {
  const before = eg.state({channels, users, unreads: unreadsOf([1, topic(1, 'a')], [2, dm(11)])});
  const [direct, other] = inboxRows(before);
  const after: AccountState = {
    ...before,
    unreads: addUnread(before.unreads, {id: 3, conversation: dm(11), isMention: false}),
    messages: loadedMessages(eg.message({id: 9, topic: 'elsewhere'})),
    users: users.with(13, eg.user({id: 13})),
  };
  const [changed, unchanged] = inboxRows(after);
  expect(unchanged).toBe(other);
  expect(changed).toMatchObject({key: direct?.key, count: 2});
  expect(inboxRows({...after, typing: {...after.typing}})[0]).toBe(changed);
});

test('inbox: an alert word added or removed by an edit is noticed', () => {
  const plain = eg.message({id: 1, topic: 'a'});
  const state = eg.state({channels, unreads: unreadsOf([1, topic(1, 'a')]), messages: loadedMessages(plain)});
  expect(inboxRows(state)[0]?.hasAlertWord).toBe(false);
  const edited = {...state, messages: loadedMessages({...plain, flags: ['has_alert_word']})};
  expect(inboxRows(edited)[0]?.hasAlertWord).toBe(true);
  expect(inboxRows(state)[0]?.hasAlertWord).toBe(false);
});

test('inbox: an edit, a renamed channel and a renamed user show at once', () => {
  const first = eg.message({id: 1, topic: 'a', content: 'before'});
  const state = eg.state({
    channels,
    users,
    unreads: unreadsOf([1, topic(1, 'a')], [2, dm(11)]),
    messages: loadedMessages(first),
  });
  const titles = (of: AccountState) => inboxRows(of).map(({title, snippet}) => [title, snippet]);
  expect(titles(state)).toEqual([
    ['Carol', undefined],
    ['#web › a', 'before'],
  ]);
  const {byId} = state.messages;
  const edited = {...state, messages: {...state.messages, byId: byId.with(1, {...first, content: 'after'})}};
  expect(titles(edited)[1]).toEqual(['#web › a', 'after']);
  const renamed = {...edited, channels: channels.with(1, eg.channel({id: 1, name: 'net'}))};
  expect(titles(renamed)[1]).toEqual(['#net › a', 'after']);
  const married = {...renamed, users: users.with(11, eg.user({id: 11, fullName: 'Caro'}))};
  expect(titles(married)[0]).toEqual(['Caro', undefined]);
});

test('inbox: every unread conversation is one row with all its messages, except in archived channels', () => {
  fc.assert(
    fc.property(arbitraryAccountState, (state) => {
      const rows = inboxGroups(state).flatMap((group) => group.rows);
      expect(rows.map(({key}) => key).sort()).toEqual(
        [...state.unreads.conversations.values()]
          .filter(
            ({conversation}) =>
              conversation.kind === 'direct' || state.channels.get(conversation.channelId)?.isArchived !== true,
          )
          .map(({key}) => key),
      );
      for (const {key, count} of rows) expect(count).toBe(state.unreads.conversations.get(key)?.ids.size);
      for (const {id, messageCount, rows: own} of inboxGroups(state)) {
        expect(messageCount).toBe(own.reduce((sum, {count}) => sum + count, 0));
        expect(own.every(({group}) => group === id)).toBe(true);
      }
    }),
  );
});

test('inbox: incrementally updated rows equal recomputed rows after any change', () => {
  const steps = fc.array(fc.tuple(arbitraryAccountState, fc.subarray([...inboxSlices])), {
    minLength: 1,
    maxLength: 6,
  });
  fc.assert(
    fc.property(arbitraryAccountState, steps, (first, changes) => {
      let state = first;
      let updated = inboxOf(state, channelRanks(state));
      for (const [other, slices] of changes) {
        state = {...state, ...Object.fromEntries(slices.map((name) => [name, other[name]]))};
        updated = inboxOf(state, channelRanks(state), updated);
        const fresh = inboxOf(state, channelRanks(state));
        expect([...updated.index.rows]).toEqual([...fresh.index.rows]);
        expect(updated.groups).toEqual(fresh.groups);
      }
    }),
  );
});

test('inbox: a row is that of the given state, whatever state was read before', () => {
  const few = eg.state({channels, subscriptions, unreads: unreadsOf([1, topic(1, 'a')])});
  const more = {
    ...few,
    unreads: addUnread(few.unreads, {id: 2, conversation: topic(1, 'a'), isMention: false}),
  };
  inboxGroups(few);
  inboxGroups(more);
  expect(inbox(few).index.rows.get('c1:a')?.count).toBe(1);
  expect(inbox(more).index.rows.get('c1:a')?.count).toBe(2);
  expect(inbox(few).index.rows.get('c1:a')?.count).toBe(1);
});
