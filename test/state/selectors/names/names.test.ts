import {expect, test} from 'vitest';
import {
  channelName,
  conversationTitle,
  isResolved,
  resolvedTopicName,
  topicDisplayName,
  topicFromText,
  unresolvedName,
  userName,
} from '#state/selectors/names/names.ts';
import {
  dropdownChoices,
  externalUrl,
  presenceStatus,
  profileValueText,
  serverNow,
  statusMessage,
  typingText,
} from '#state/selectors/people/people.ts';
import type {ProfileField} from '#state/slices/profile-fields.ts';
import type {UserStatus} from '#state/slices/statuses.ts';
import type {AccountState} from '#state/state.ts';
import {SortedMap} from '#std/sorted-map.ts';
import {dm, loadedMessages, topic} from '#test/state/selectors/selector-builders.ts';
import * as eg from '#test/support/state-builders.ts';
import {profileFieldTypes} from '#wire/objects/user.ts';

const emptyField = {id: 1, type: 3, name: 'Field', hint: '', order: 1} as ProfileField;

const people = eg.state({
  users: eg.users(
    eg.user(),
    eg.user({id: 11, fullName: 'Zoë'}),
    eg.user({id: 12, fullName: 'ann'}),
    eg.user({id: 13, fullName: 'Gus', role: 600}),
    eg.user({id: 14, fullName: 'Gone', isActive: false}),
  ),
  mutedUsers: SortedMap.from([[12, {id: 12, timestamp: 0}]]),
  channels: eg.byId(eg.channel({id: 1, name: 'web'})),
  realm: {emptyTopicDisplayName: 'general chat', enableGuestUserIndicator: true},
});

test('userName: guests are marked, muted users masked, unknown users named as in their messages', () => {
  expect(userName(people, 11)).toBe('Zoë');
  expect(userName(people, 12)).toBe('Muted user');
  expect(userName(people, 13)).toBe('Gus (guest)');
  expect(userName({...people, realm: {enableGuestUserIndicator: false}}, 13)).toBe('Gus');
  expect(userName(people, 14)).toBe('Gone');
  expect(userName(people, 99)).toBe('Unknown user');
  expect(userName(people, 99, 'Old Name')).toBe('Old Name');
  expect(channelName(people, 1)).toBe('web');
  expect(channelName(people, 9)).toBe('unknown channel');
});

test('conversationTitle: topics with their channel, people in alphabetical order', () => {
  expect(conversationTitle(people, topic(1, '✔ css'))).toBe('#web › ✔ css');
  expect(conversationTitle(people, topic(1, ''))).toBe('#web › general chat');
  expect(conversationTitle(people, topic(9, 'x'))).toBe('#unknown channel › x');
  expect(conversationTitle(people, dm())).toBe('Notes to self');
  expect(conversationTitle(people, dm(11, 13))).toBe('Gus (guest), Zoë');
  const withPresence = {
    ...people,
    messages: loadedMessages(eg.direct({id: 1, userIds: [11, 99], names: {99: 'Ada', 11: 'Old'}})),
  };
  expect(conversationTitle(withPresence, dm(11, 99))).toBe('Ada, Zoë');
});

test('resolved topics: the mark is not part of the display name', () => {
  expect(isResolved('✔ css')).toBe(true);
  expect(isResolved('✔css')).toBe(false);
  expect(resolvedTopicName('css')).toBe('✔ css');
  expect(resolvedTopicName('✔ css')).toBe('✔ css');
  expect(unresolvedName('✔ ✔✔ css')).toBe('css');
  expect(topicDisplayName(people, '✔ css')).toBe('css');
  expect(topicDisplayName(people, '')).toBe('general chat');
});

test('topicFromText: the display name means the empty topic, where the server supports it', () => {
  expect(topicFromText(people, ' General Chat ')).toBe('');
  expect(topicFromText(people, ' a b ')).toBe('a b');
  const old = {...people, server: eg.server(300)};
  expect(topicFromText(old, 'general chat')).toBe('general chat');
  expect(topicFromText(old, '')).toBe('(no topic)');
});

test('typingText: one, two, several users; never the user or muted users', () => {
  const typing = (...ids: number[]): AccountState => ({
    ...people,
    typing: {
      conversations: SortedMap.from([['d11', SortedMap.from(ids.map((id) => [id, 1] as const))]]),
      edits: SortedMap.empty<number, SortedMap<number, number>>(),
    },
  });
  expect(typingText(people, dm(11))).toBe('');
  expect(typingText(typing(eg.selfId, 12), dm(11))).toBe('');
  expect(typingText(typing(11), dm(11))).toBe('Zoë is typing…');
  expect(typingText(typing(11, 12, 13), dm(11))).toBe('Gus (guest) and Zoë are typing…');
  expect(typingText(typing(11, 13, 14), dm(11))).toBe('Several people are typing…');
});

test('presenceStatus: follows the server’s clock and threshold', () => {
  const at = 1_000_000;
  const withPresence = (activeAt: number | undefined, idleAt: number | undefined, userId = 11) => ({
    ...people,
    server: {...people.server, serverPresenceOfflineThresholdSeconds: 200},
    presences: {
      ...people.presences,
      serverOffset: 50,
      byUser: SortedMap.from([[userId, {activeAt, idleAt}]]),
    },
  });
  const status = (activeAt: number | undefined, idleAt: number | undefined) =>
    presenceStatus(withPresence(activeAt, idleAt), 11, at * 1000);
  expect(serverNow(withPresence(0, 0), at * 1000)).toBe(at + 50);
  expect(status(at - 149, undefined)).toEqual({status: 'active', lastActiveAt: at - 149});
  expect(status(at - 150, at - 149)).toEqual({status: 'idle', lastActiveAt: at - 150});
  expect(status(at - 150, at - 150)).toEqual({status: 'offline', lastActiveAt: at - 150});
  expect(presenceStatus(people, 11, at * 1000)).toEqual({status: 'offline', lastActiveAt: undefined});
  expect(presenceStatus(withPresence(at, at, 14), 14, at * 1000).status).toBe('offline');
  const off = {...withPresence(at, at), realm: {presenceDisabled: true}};
  expect(presenceStatus(off, 11, at * 1000).status).toBe('offline');
});

test('statusMessage: an empty status is undefined, and that somebody is away is a status', () => {
  const withStatus = (status: UserStatus): AccountState => ({
    ...people,
    statuses: SortedMap.from([[11, status]]),
  });
  expect(statusMessage(people, 11)).toBeUndefined();
  expect(statusMessage(withStatus({statusText: '', emojiName: ''}), 11)).toBeUndefined();
  expect(statusMessage(withStatus({statusText: 'away', emojiName: ''}), 11)).toMatchObject({
    text: 'away',
    emojiName: undefined,
  });
  expect(statusMessage(withStatus({emojiName: 'palm', emojiCode: '1f', reactionType: 'unicode_emoji'}), 11)).toEqual({
    text: '',
    emojiName: 'palm',
    emojiCode: '1f',
    reactionType: 'unicode_emoji',
    isAway: false,
  });
  expect(statusMessage(withStatus({away: true}), 11)).toMatchObject({text: '', isAway: true});
});

test('profile fields: choices are in their order, and only web addresses are links, with the name as one part of them', () => {
  const field = (fieldData: object): ProfileField => ({...emptyField, fieldData: JSON.stringify(fieldData)});
  const choices = dropdownChoices(
    field({a: {text: 'Last', order: '10'}, b: {text: 'First', order: '2'}, c: {order: '3'}}),
  );
  expect(choices.map(({label}) => label)).toEqual(['First', 'c', 'Last']);
  const link = (url_pattern: string) => externalUrl(people, field({subtype: 'custom', url_pattern}), 'a/b c');
  expect(link('https://example.com/u/%(username)s/x')).toBe('https://example.com/u/a%2Fb%20c/x');
  expect(link('javascript:alert(%(username)s)')).toBeUndefined();
  expect(link('example.com/%(username)s')).toBeUndefined();
});

test('profile fields: a field of people names all of them', () => {
  const field: ProfileField = {...emptyField, type: profileFieldTypes.user};
  expect(profileValueText(people, field, '[11,13]')).toBe('Zoë, Gus (guest)');
});
