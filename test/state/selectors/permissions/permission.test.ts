import {expect, test} from 'vitest';
import {initialState} from '#state/initial-state.ts';
import {withMessages} from '#state/messages/loaded-messages.ts';
import {directKey} from '#state/model/conversation.ts';
import {
  canMentionAll,
  canMentionGroup,
  canPost,
  canRemoveSubscribers,
  canSendDirect,
  canSubscribe,
} from '#state/selectors/permissions/channel-permissions.ts';
import {
  canDeleteMessage,
  canEditContent,
  canMoveToChannel,
  canResolveTopic,
  editSecondsLeft,
} from '#state/selectors/permissions/message-permissions.ts';
import {
  canSeeEditHistory,
  canSeeReadReceipts,
  editHistoryVisibility,
} from '#state/selectors/permissions/people-permissions.ts';
import {groupMemberIds, isMember} from '#state/selectors/permissions/permission.ts';
import type {AccountState} from '#state/state.ts';
import {SortedMap, SortedSet} from '#std/sorted-map.ts';
import {dm, topic} from '#test/state/selectors/selector-builders.ts';
import * as eg from '#test/support/state-builders.ts';

const now = Date.UTC(2026, 0, 10);
const role = (id: number, name: string) => eg.group({id, name: `role:${name}`, isSystemGroup: true});

const state: AccountState = eg.state({
  users: eg.users(
    eg.user(),
    eg.user({id: 11, fullName: 'Ann'}),
    eg.user({id: 12, role: 600}),
    eg.user({id: 13, isBot: true, botOwnerId: eg.selfId}),
    eg.user({id: 14, fullName: 'Gone', isActive: false}),
    eg.user({id: 15, dateJoined: '2026-01-08T00:00:00+00:00'}),
  ),
  groups: eg.byId(
    role(1, 'internet'),
    role(2, 'everyone'),
    role(3, 'members'),
    role(4, 'fullmembers'),
    role(8, 'nobody'),
    eg.group({id: 20, subgroupIds: SortedSet.from([21])}),
    eg.group({id: 21, members: SortedSet.from([11]), subgroupIds: SortedSet.from([20, 4])}),
    eg.group({id: 22, name: 'off', isDeactivated: true}),
  ),
  channels: eg.byId(eg.channel({id: 1, name: 'web'})),
  realm: {waitingPeriodThreshold: 3, emptyTopicDisplayName: 'general chat'},
});

test('isMember: nested groups, even circular, and roles by membership age', () => {
  const among = (setting: Parameters<typeof isMember>[2], at = now) =>
    [10, 11, 12, 15, 99].filter((id) => isMember(state, id, setting, at));
  expect(among(2)).toEqual([10, 11, 12, 15]);
  expect(among(3)).toEqual([10, 11, 15]);
  expect(among(4)).toEqual([10, 11]);
  expect(among(4, now + 86_400_000)).toEqual([10, 11, 15]);
  expect(among(8)).toEqual([]);
  expect(among(20)).toEqual([10, 11]);
  expect(among(404)).toEqual([]);
  expect(among({direct_members: [99], direct_subgroups: [8]})).toEqual([99]);
});

test('groupMemberIds: active users of a group and its subgroups by id; of roles, all but system bots', () => {
  const group = (members: number[], ...subgroups: number[]) =>
    eg.group({members: SortedSet.from(members), subgroupIds: SortedSet.from(subgroups)});
  const users = eg.users(...state.users.values(), eg.user({id: 16, isBot: true, isSystemBot: true}));
  const groups = state.groups
    .with(30, group([12, 14, 10], 31))
    .with(31, group([11]))
    .with(32, group([12], 4));
  const membersOf = (groupId: number) => groupMemberIds({...state, users, groups}, groupId, now);
  expect(membersOf(30)).toEqual([10, 11, 12]);
  expect(membersOf(31)).toEqual([11]);
  expect(membersOf(3)).toEqual([10, 11, 13, 15]);
  expect(membersOf(32)).toEqual([10, 11, 12, 13]);
  expect(membersOf(8)).toEqual([]);
});

test('isMember: changed groups give a new result', () => {
  const after = {...state, groups: state.groups.with(8, eg.group({id: 8, members: SortedSet.from([12])}))};
  expect(isMember(state, 12, 8, now)).toBe(false);
  expect(isMember(after, 12, 8, now)).toBe(true);
});

test('permissions: a refusal contains a sentence', () => {
  expect(canPost(state, topic(9, 'x'), now)).toEqual({
    ok: false,
    reason: 'This channel does not exist, or you cannot see it.',
  });
  const guest = {...state, self: {userId: 12}};
  expect(canSubscribe(guest, 1, now).ok).toBe(false);
  expect(canMentionGroup(state, 22, now)).toEqual({
    ok: false,
    reason: 'The group @off has been deactivated.',
  });
  expect(canResolveTopic(state, 1, '', now)).toEqual({
    ok: false,
    reason: 'The general topic of a channel cannot be resolved.',
  });
});

test('canPost: guests write in web-public channels, and are not offered to subscribe to others', () => {
  const guest = {...state, self: {userId: 12}};
  const reason = 'You cannot join #web yourself: ask someone who can add subscribers.';
  expect(canPost(guest, topic(1, 'x'), now)).toEqual({ok: false, reason});
  const open = {...guest, channels: eg.byId(eg.channel({id: 1, name: 'web', isWebPublic: true}))};
  expect(canPost(open, topic(1, 'x'), now)).toEqual({ok: true});
});

test('canSendDirect: to oneself and bots always, to deactivated users never, to known conversations again', () => {
  const closed: AccountState = {
    ...state,
    realm: {...state.realm, directMessagePermissionGroup: 8, directMessageInitiatorGroup: 8},
  };
  expect(canSendDirect(closed, [], now).ok).toBe(true);
  expect(canSendDirect(closed, [eg.selfId], now).ok).toBe(true);
  expect(canSendDirect(closed, [13], now).ok).toBe(true);
  expect(canSendDirect(closed, [11, 13], now).ok).toBe(false);
  expect(canSendDirect(state, [14], now)).toEqual({
    ok: false,
    reason: 'Gone is deactivated and cannot receive messages.',
  });
  const replying: AccountState = {
    ...state,
    realm: {...state.realm, directMessagePermissionGroup: 2, directMessageInitiatorGroup: 8},
    directs: SortedMap.from([[directKey([11]), {userIds: [11], maxId: 1}]]),
  };
  expect(canPost(replying, dm(11), now).ok).toBe(true);
  expect(canPost(replying, dm(15), now).ok).toBe(false);
});

test('canMentionAll: needs a permission from sixteen users on', () => {
  const crowd = (subscriberCount: number): AccountState => ({
    ...state,
    channels: eg.byId(eg.channel({id: 1, subscriberCount})),
  });
  expect(canMentionAll(crowd(15), topic(1, 'x'), now).ok).toBe(true);
  expect(canMentionAll(crowd(16), topic(1, 'x'), now)).toEqual({
    ok: false,
    reason: 'You do not have permission to mention more than 15 people at once; this would reach 16.',
  });
  expect(canMentionAll(crowd(16), topic(1, 'x'), now, 'topic').ok).toBe(true);
  expect(canMentionAll(crowd(16), dm(11), now).ok).toBe(true);
  expect(canMentionAll(state, topic(1, 'x'), now).ok).toBe(true);
});

test('canMentionAll: @topic is refused when enough subscribers are known to take part', () => {
  const talk = Array.from({length: 16}, (_, at) =>
    eg.message({id: 300 + at, channelId: 1, topic: 'x', senderId: 50 + at}),
  );
  const crowd = (subscribed: number, complete: boolean): AccountState => ({
    ...state,
    messages: withMessages(initialState.messages, talk),
    subscribers: SortedMap.from([
      [1, {ids: SortedSet.from(Array.from({length: subscribed}, (_, at) => 50 + at)), complete}],
    ]),
  });
  expect(canMentionAll(crowd(16, true), topic(1, 'x'), now, 'topic')).toEqual({
    ok: false,
    reason: 'You do not have permission to mention more than 15 people at once; this would reach at least 16.',
  });
  expect(canMentionAll(crowd(15, true), topic(1, 'x'), now, 'topic').ok).toBe(true);
  expect(canMentionAll(crowd(16, false), topic(1, 'x'), now, 'topic').ok).toBe(true);
});

test('permissions: messages of the user’s bots count as own', () => {
  expect(canDeleteMessage(state, eg.message({senderId: 13}), now).ok).toBe(true);
  expect(canEditContent(state, eg.message({senderId: 13}), now).ok).toBe(false);
  expect(canRemoveSubscribers(state, 1, now, 13).ok).toBe(true);
  expect(canRemoveSubscribers(state, 1, now, 11).ok).toBe(false);
});

test('canPost: a bot may post where its owner may, and an ownerless bot only where it may itself', () => {
  const channel = eg.channel({id: 1, name: 'web', streamPostPolicy: 2});
  const asBot = (botOwnerId: number | undefined): AccountState => ({
    ...state,
    users: eg.users(eg.user({isBot: true, botOwnerId}), eg.user({id: 11, role: 200}), eg.user({id: 12})),
    channels: eg.byId(channel, eg.channel({id: 2, isPrivate: true})),
    subscribers: SortedMap.from([[2, {ids: SortedSet.from<number>([11]), complete: true}]]),
  });
  expect([11, 12, undefined].map((id) => canPost(asBot(id), topic(1, 'x'), now).ok)).toEqual([true, false, false]);
  expect([11, 12, undefined].map((id) => canPost(asBot(id), topic(2, 'x'), now).ok)).toEqual([true, false, false]);
});

test('canEditContent: the time limit follows the server’s clock', () => {
  const limited: AccountState = {
    ...state,
    realm: {...state.realm, messageContentEditLimitSeconds: 600},
    presences: {...state.presences, serverOffset: 100},
  };
  const sent = (secondsAgo: number) => eg.message({senderId: eg.selfId, timestamp: now / 1000 - secondsAgo});
  expect(canEditContent(limited, sent(500), now).ok).toBe(true);
  expect(canEditContent(limited, sent(501), now).ok).toBe(false);
  expect(editSecondsLeft(limited, sent(300), now)).toBe(200);
  expect(editSecondsLeft(limited, sent(3000), now)).toBe(0);
  expect(editSecondsLeft(state, sent(3000), now)).toBeUndefined();
  const poll = {...sent(0), submessages: [{id: 1, senderId: 10, type: 'widget', content: '{}'}]};
  expect(canEditContent(limited, poll, now).ok).toBe(false);
});

test('canEditContent: where history is protected, not without a subscription', () => {
  const edit = (historyPublicToSubscribers: boolean, isSubscribed: boolean) => {
    const channels = eg.byId(eg.channel({id: 1, name: 'web', historyPublicToSubscribers}));
    const subscriptions = eg.subscribed(eg.subscription({channelId: 1, isSubscribed}));
    return canEditContent({...state, channels, subscriptions}, eg.message({channelId: 1, senderId: eg.selfId}), now);
  };
  expect([edit(true, false), edit(true, true), edit(false, true)].map(({ok}) => ok)).toEqual([true, true, true]);
  expect(edit(false, false)).toMatchObject({reason: 'You no longer have access to the messages of #web.'});
});

test('canMoveToChannel: only to a channel where the user may write', () => {
  const channels = eg.byId(
    eg.channel({id: 1, name: 'web'}),
    eg.channel({id: 2, name: 'open'}),
    eg.channel({id: 3, name: 'news', streamPostPolicy: 2}),
    eg.channel({id: 4, name: 'old', isArchived: true}),
  );
  const movers = {...state, channels, realm: {...state.realm, canMoveMessagesBetweenChannelsGroup: 3}};
  const message = eg.message({channelId: 1, senderId: eg.selfId, timestamp: now / 1000});
  const to = [undefined, 2, 3, 4, 99].map((id) => canMoveToChannel(movers, message, now, id).ok);
  expect(to).toEqual([true, true, false, false, false]);
});

test('edit history: follows the organization’s policies', () => {
  const withRealm = (realm: AccountState['realm']): AccountState => ({...state, realm});
  expect(canSeeReadReceipts(withRealm({enableReadReceipts: true})).ok).toBe(true);
  expect(canSeeReadReceipts(withRealm({enableReadReceipts: false})).ok).toBe(false);
  expect(canSeeReadReceipts(withRealm({})).ok).toBe(false);
  expect(editHistoryVisibility(withRealm({messageEditHistoryVisibilityPolicy: 'moves'}))).toBe('moves');
  expect(canSeeEditHistory(withRealm({messageEditHistoryVisibilityPolicy: 'none'})).ok).toBe(false);
  expect(canSeeEditHistory(withRealm({allowEditHistory: false})).ok).toBe(false);
  expect(canSeeEditHistory(withRealm({})).ok).toBe(true);
});
