import {expect, test} from 'vitest';
import type {Message} from '#state/model/message.ts';
import type {Narrow} from '#state/model/narrow.ts';
import {noUnreads} from '#state/model/unread.ts';
import {userTopicMap} from '#state/slices/user-topics.ts';
import type {AccountState} from '#state/state.ts';
import {matchesNarrow, messageMatchesNarrow} from '#state/timelines/narrow-membership.ts';
import {addUnread} from '#state/unreads/unreads.ts';
import {SortedSet} from '#std/sorted-map.ts';
import {applyChecked, fetched, threeChannelState} from '#test/state/messages/messages-fixture.ts';
import * as eg from '#test/support/state-builders.ts';
import type {Operand} from '#wire/narrow.ts';

const talk = eg.message({id: 1, topic: 'Talk', senderId: 11});
const done = eg.message({id: 2, topic: '✔ Talk', senderId: eg.selfId});
const nameless = eg.message({id: 3, topic: '', channelId: 2});
const note = eg.direct({id: 4, userIds: [], senderId: eg.selfId});
const chat = eg.direct({id: 5, userIds: [11]});
const group = eg.direct({id: 6, userIds: [11, 12], senderId: 12});

function state(slices: Partial<AccountState> = {}): AccountState {
  return threeChannelState({
    channels: eg.byId(
      eg.channel({id: 1, name: 'General', isWebPublic: true}),
      eg.channel({id: 2, name: '7', isPrivate: true, isArchived: true}),
    ),
    ...slices,
  });
}

function verdict(message: Message, operator: string, operand: Operand, slices?: Partial<AccountState>) {
  const plain = messageMatchesNarrow(state(slices), eg.narrowFromWire([{operator, operand}]), message);
  const negated = messageMatchesNarrow(state(slices), eg.narrowFromWire([{operator, operand, negated: true}]), message);
  const isFilter = operator !== 'near' && !(operator === 'in' && operand === 'all');
  if (isFilter) expect(negated).toBe(plain === undefined ? undefined : !plain);
  return plain;
}

test.each<[string, Operand, Message, boolean | undefined]>([
  ['channel', 1, talk, true],
  ['channel', 2, talk, false],
  ['channel', 1, chat, false],
  ['channel', 'general', talk, true],
  ['channel', '1', talk, true],
  ['channel', '7', nameless, true],
  ['stream', 1, talk, true],
  ['channels', 'public', talk, true],
  ['channels', 'public', nameless, false],
  ['channels', 'web-public', talk, true],
  ['channels', 'web-public', nameless, false],
  ['channels', 'archived', nameless, true],
  ['channels', 'archived', chat, false],
  ['channels', 'public', eg.message({channelId: 9}), undefined],
  ['channels', 'of-tomorrow', talk, undefined],
  ['topic', 'tALK', talk, true],
  ['topic', 'talk', done, false],
  ['topic', '', nameless, true],
  ['topic', 'General Chat', nameless, true],
  ['topic', 'talk', chat, false],
  ['dm', [11], chat, true],
  ['dm', [11, eg.selfId], chat, true],
  ['dm', [12, 11], group, true],
  ['dm', [11], group, false],
  ['dm', [], note, true],
  ['dm', [eg.selfId], note, true],
  ['dm', 'person11@example.com', chat, true],
  ['dm', 'Person11@example.com,person12@example.com', group, true],
  ['dm', 'person11@example.com', group, false],
  ['dm', 'person11@example.com, person12@example.com,', group, true],
  ['dm', 'person11@example.com', eg.direct({userIds: [99]}), undefined],
  ['dm', [11], talk, false],
  ['pm-with', [11], chat, true],
  ['dm-including', 11, chat, true],
  ['dm-including', 11, group, true],
  ['dm-including', 13, group, false],
  ['dm-including', eg.selfId, note, true],
  ['dm-including', 'person12@example.com', group, true],
  ['dm-including', 11, talk, false],
  ['group-pm-with', 11, chat, false],
  ['group-pm-with', 11, group, true],
  ['sender', 11, talk, true],
  ['sender', 'me', done, true],
  ['sender', 'me', talk, false],
  ['sender', 'person11@example.com', talk, true],
  ['sender', 'person11@example.com', eg.message({senderId: 99}), undefined],
  ['sender', '11', talk, true],
  ['id', 1, talk, true],
  ['id', '1', talk, true],
  ['id', 2, talk, false],
  ['near', 99, talk, true],
  ['is', 'dm', chat, true],
  ['is', 'private', chat, true],
  ['is', 'dm', talk, false],
  ['is', 'resolved', done, true],
  ['is', 'resolved', talk, false],
  ['is', 'resolved', chat, false],
  ['is', 'mentioned', eg.message({flags: ['mentioned']}), true],
  ['is', 'mentioned', eg.message({flags: ['topic_wildcard_mentioned']}), true],
  ['is', 'mentioned', talk, false],
  ['is', 'alerted', eg.message({flags: ['has_alert_word']}), true],
  ['is', 'alerted', talk, false],
  ['is', 'constructor', talk, undefined],
  ['in', 'home', chat, true],
  ['in', 'all', talk, true],
  ['has', 'reaction', talk, false],
  ['has', 'link', talk, undefined],
  ['search', 'hello', talk, undefined],
  ['mentions', 11, talk, undefined],
  ['of-tomorrow', 1, talk, undefined],
])('%s:%j', (operator, operand, message, expected) => {
  expect(verdict(message, operator, operand)).toBe(expected);
});

test('narrow membership: is:starred and is:unread work for messages that are not loaded', () => {
  const starred = SortedSet.from<number>([1]);
  expect(verdict(talk, 'is', 'starred', {starred})).toBe(true);
  expect(verdict(done, 'is', 'starred', {starred})).toBe(false);
  const conversation = {kind: 'topic', channelId: 1, topic: 'Talk'} as const;
  const unreads = addUnread(noUnreads, {id: 1, conversation, isMention: false});
  expect(verdict(talk, 'is', 'unread', {unreads})).toBe(true);
  const unknown = {id: 1, conversation: undefined, message: undefined};
  expect(matchesNarrow(state({unreads}), eg.narrowFromWire([['is', 'unread']]), unknown)).toBe(true);
  expect(matchesNarrow(state({unreads}), eg.narrowFromWire([['channel', 1]]), unknown)).toBe(undefined);
});

test('narrow membership: is:muted and is:followed use the topic’s policy, then the channel’s', () => {
  const subscriptions = eg.subscribed(eg.subscription({channelId: 1, isMuted: true}));
  expect(verdict(talk, 'is', 'muted', {subscriptions})).toBe(true);
  expect(verdict(talk, 'in', 'home', {subscriptions})).toBe(false);
  const userTopics = userTopicMap([{channelId: 1, topic: 'talk', policy: 3, lastUpdated: 0}]);
  expect(verdict(talk, 'is', 'muted', {subscriptions, userTopics})).toBe(false);
  expect(verdict(talk, 'is', 'followed', {userTopics})).toBe(true);
  expect(verdict(done, 'is', 'followed', {userTopics})).toBe(false);
  expect(verdict(chat, 'is', 'followed', {userTopics})).toBe(false);
});

test('narrow membership: one term that does not match decides, even beside terms only the server knows', () => {
  const narrow = (...terms: [string, Operand][]): Narrow => eg.narrowFromWire(terms);
  expect(messageMatchesNarrow(state(), [], talk)).toBe(true);
  expect(messageMatchesNarrow(state(), narrow(['channel', 1], ['search', 'x']), talk)).toBe(undefined);
  expect(messageMatchesNarrow(state(), narrow(['search', 'x'], ['channel', 2]), talk)).toBe(false);
});

test('narrow membership: with:id means the conversation that contains the message now, whatever the other terms say', () => {
  const loaded = applyChecked(state(), fetched([talk, chat]));
  const follows = eg.narrowFromWire([
    {operator: 'channel', operand: 2},
    {operator: 'topic', operand: 'where it was'},
    {operator: 'with', operand: 1},
  ]);
  expect(messageMatchesNarrow(loaded, follows, eg.message({id: 9, topic: 'talk'}))).toBe(true);
  expect(messageMatchesNarrow(loaded, follows, done)).toBe(false);
  expect(messageMatchesNarrow(loaded, eg.narrowFromWire([['with', 5]]), eg.direct({id: 9, userIds: [11]}))).toBe(true);
  expect(messageMatchesNarrow(loaded, eg.narrowFromWire([['with', 77]]), talk)).toBe(undefined);
});

test('narrow membership: historical messages show only in views that name their channel, and where starred', () => {
  const old = eg.message({id: 1, flags: ['historical']});
  const starred = SortedSet.from<number>([1]);
  expect(messageMatchesNarrow(state(), [], old)).toBe(false);
  expect(messageMatchesNarrow(state(), eg.narrowFromWire([['sender', 11]]), old)).toBe(false);
  expect(messageMatchesNarrow(state(), eg.narrowFromWire([['channel', 1]]), old)).toBe(true);
  expect(messageMatchesNarrow(state({starred}), eg.narrowFromWire([['is', 'starred']]), old)).toBe(true);
});
