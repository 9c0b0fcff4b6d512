import {expect, test} from 'vitest';
import {openUserCard, userCardLines} from '#app/people/user-card.ts';
import {directConversation} from '#state/model/conversation.ts';
import {conversationTitle} from '#state/selectors/names/names.ts';
import {SortedMap, SortedSet} from '#std/sorted-map.ts';
import {messageFixture} from '#test/app/message-actions/message-fixture.ts';
import {waitForState} from '#test/state/session-fixture.ts';
import {egFrame, textOf} from '#test/support/frame-fixture.ts';
import * as eg from '#test/support/state-builders.ts';
import {peopleList} from '#ui/people/people-list.ts';

const now = Date.UTC(2026, 0, 1, 12);
const bo = eg.user({id: 11, fullName: 'Bo Wu', timezone: 'Asia/Tokyo', role: 300});

const account = eg.state({
  users: eg.users(
    eg.user(),
    bo,
    eg.user({id: 12, fullName: 'Tide', isBot: true, botOwnerId: 11, deliveryEmail: undefined}),
    eg.user({id: 13, fullName: 'Gone', isActive: false, deliveryEmail: undefined}),
  ),
  groups: SortedMap.by(
    [
      eg.group({id: 1, name: 'designers', members: SortedSet.from([11])}),
      eg.group({id: 2, name: 'role:members', isSystemGroup: true, members: SortedSet.from([11])}),
    ],
    ({id}) => id,
  ),
  channels: SortedMap.by([eg.channel({id: 1, name: 'ops'}), eg.channel({id: 2, name: 'tea'})], ({id}) => id),
  subscriptions: SortedMap.by(
    [eg.subscription({channelId: 1}), eg.subscription({channelId: 2})],
    ({channelId}) => channelId,
  ),
  subscribers: SortedMap.from([[1, {ids: SortedSet.from([10, 11]), complete: false}]]),
  presences: {
    byUser: SortedMap.from([[11, {activeAt: now / 1000 - 3 * 3600, idleAt: undefined}]]),
    lastUpdateId: 1,
    serverOffset: 0,
  },
  statuses: SortedMap.from([
    [11, {statusText: 'in the workshop', emojiName: 'tools', emojiCode: '1f6e0', reactionType: 'unicode_emoji'}],
  ]),
  profileFields: [
    {id: 1, name: 'Team', order: 1, type: 3, fieldData: '{"0": {"text": "Hardware", "order": "1"}}'},
    {id: 2, name: 'Mentor', order: 2, type: 6},
  ],
});

const cardOf = (userId: number, theirs?: readonly number[], fields: Partial<typeof account> = {}) =>
  textOf(
    userCardLines(
      egFrame({account: {...account, ...fields}, now}),
      60,
      userId,
      theirs === undefined ? undefined : new Set(theirs),
    ),
  );

test('user card: shows presence, status, local time and profile', () => {
  const profile = {1: {value: '0', renderedValue: undefined}, 2: {value: '[10]', renderedValue: undefined}};
  const users = account.users.with(11, {...bo, profile});
  expect(cardOf(11, undefined, {users})).toEqual([
    'Bo Wu  ○ last active 3h ago',
    '🛠 in the workshop',
    '',
    'Enter their messages   x direct message   @ mention   m mute',
    'c copy email address   o open links',
    '',
    'Role          Moderator',
    'Local time    9:00 PM · 9 hours ahead of you',
    'Time zone     Asia/Tokyo',
    'Email         person11@example.com',
    'Joined        Wed 1 Jan 2025',
    'Groups        designers',
    'In common     #ops',
    'Team          Hardware',
    'Mentor        Person 10',
  ]);
});

test('user card: profile Markdown is rendered, dates are readable, and a long field name has its own line', () => {
  const profileFields = [
    {id: 1, name: 'About me', order: 1, type: 2},
    {id: 2, name: 'Birthday', order: 2, type: 4},
    {id: 3, name: 'Languages that you speak', order: 3, type: 1},
  ];
  const profile = {
    1: {value: 'I like **tides** and [maps](https://maps.example)', renderedValue: undefined},
    2: {value: '1990-03-05', renderedValue: undefined},
    3: {value: 'English', renderedValue: undefined},
  };
  const users = account.users.with(11, {...bo, profile});
  expect(cardOf(11, undefined, {users, profileFields}).slice(-5)).toEqual([
    'About me      I like tides and maps [1]',
    '              [1] https://maps.example',
    'Birthday      Mon 5 Mar 1990',
    'Languages that you speak',
    '              English',
  ]);
});

test('user card: archived channels are not listed', () => {
  const channels = account.channels.with(1, eg.channel({id: 1, name: 'ops', isArchived: true}));
  expect(cardOf(11, [1, 2], {channels})).toContain('In common     #tea');
});

test('two people of one name: card, list of people and titles tell them apart by email address or id', () => {
  const users = eg.users(
    eg.user(),
    eg.user({id: 21, fullName: 'Ann Lee', deliveryEmail: 'ann@example.com'}),
    eg.user({id: 22, fullName: 'Ann Lee', deliveryEmail: undefined}),
    eg.user({id: 23, fullName: 'Bo Wu'}),
  );
  expect(cardOf(22, undefined, {users})).toContain('User ID       22');
  const state = {...account, users};
  expect(conversationTitle(state, directConversation([21], eg.selfId))).toBe('Ann Lee (ann@example.com)');
  expect(conversationTitle(state, directConversation([22, 23], eg.selfId))).toBe('Ann Lee (id 22), Bo Wu');
  const rows = peopleList.rows(egFrame({account: state, now, view: {kind: 'people'}}));
  expect(rows.map(({label}) => label)).toEqual(
    expect.arrayContaining(['Ann Lee (ann@example.com)', 'Ann Lee (id 22)', 'Bo Wu']),
  );
  const renamed = {...state, users: users.with(22, eg.user({id: 22, fullName: 'Ann Ray'}))};
  expect(conversationTitle(renamed, directConversation([21], eg.selfId))).toBe('Ann Lee');
});

test('user card: the server’s list of channels takes precedence', () => {
  expect(cardOf(11, [2])).toContain('In common     #tea');
});

test('user card: a bot has an owner and no presence; a deactivated user is marked', () => {
  expect(cardOf(12)).toEqual(expect.arrayContaining(['Tide', 'Role          Bot of Bo Wu']));
  expect(cardOf(13)[0]).toBe('Gone  deactivated');
});

test('user card: an unknown user has no information', () => {
  expect(cardOf(99)).toEqual(['Unknown user: no information available.']);
});

test('user card: m mutes the sender, and undo unmutes', async () => {
  const {fixture, session, select, press, says} = await messageFixture();
  await select(await fixture.postMessage('hello'));
  press('u');
  await says('In common     #general');
  press('m');
  expect(await says('Muted Otto')).toContain('m unmute');
  await waitForState(session, ({mutedUsers}) => mutedUsers.has(fixture.otto.id));
  press('Esc', 'z');
  await waitForState(session, ({mutedUsers}) => mutedUsers.size === 0);
});

test('user card: opens their messages, a direct message, or a mention', async () => {
  const {fixture, select, press, app} = await messageFixture();
  await select(await fixture.postMessage('hello'));
  press('u', 'Enter');
  expect(app.screen.view).toMatchObject({
    kind: 'messages',
    narrow: [{operator: 'sender', operand: fixture.otto.id}],
  });
  openUserCard(app, fixture.otto.id);
  press('x');
  expect(app.screen.composer.target).toEqual({kind: 'direct', userIds: [fixture.otto.id]});
  await select(await fixture.postMessage('again'));
  press('u', '@');
  expect(app.screen.composer.target).toMatchObject({kind: 'topic', topic: 'talk'});
  expect(app.screen.composer.field.text).toBe('@**Otto** ');
  expect(app.screen.focus).toBe('composer');
});
