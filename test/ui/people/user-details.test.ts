import {expect, test} from 'vitest';
import {lineToText} from '#content/styled-text/ansi.ts';
import type {User} from '#state/model/user.ts';
import type {ProfileField} from '#state/slices/profile-fields.ts';
import type {AccountState} from '#state/state.ts';
import {SortedMap, SortedSet} from '#std/sorted-map.ts';
import {egFrame} from '#test/support/frame-fixture.ts';
import * as eg from '#test/support/state-builders.ts';
import {
  groupNames,
  localTimeText,
  mutualChannels,
  presenceText,
  profileFields,
  profileFormFields,
  profileLinks,
  roleText,
  statusText,
} from '#ui/people/user-details.ts';
import {botTypes, profileFieldTypes} from '#wire/objects/user.ts';

const now = Date.UTC(2026, 0, 1, 12);
const ann = eg.user({id: 11, fullName: 'Ann'});
const users = eg.users(eg.user({fullName: 'Meg'}), ann, eg.user({id: 12, fullName: 'Bo'}));

function frameOf(slices: Partial<AccountState> = {}, parts: Parameters<typeof egFrame>[0] = {}) {
  return egFrame({account: eg.state({users, ...slices}), now, ...parts});
}

test('user details: presence says how long ago somebody was here, and nothing of bots', () => {
  const seen = (secondsAgo: number | undefined, user: User = ann, realm: AccountState['realm'] = eg.state().realm) => {
    const presence =
      secondsAgo === undefined ? [] : [[ann.id, {activeAt: now / 1000 - secondsAgo, idleAt: undefined}] as const];
    const presences = {byUser: SortedMap.from(presence), lastUpdateId: 1, serverOffset: 0};
    return presenceText(frameOf({presences, realm}), user);
  };
  expect([10, 3 * 3600, undefined].map((ago) => seen(ago))).toEqual(['active now', 'last active 3h ago', 'offline']);
  const impatient = {...eg.server(), serverPresenceOfflineThresholdSeconds: 5};
  const presences = {
    byUser: SortedMap.from([[ann.id, {activeAt: now / 1000 - 10, idleAt: undefined}]]),
    lastUpdateId: 1,
    serverOffset: 0,
  };
  expect(presenceText(frameOf({presences, server: impatient}), ann)).toBe('last active just now');
  expect(seen(10, {...ann, isActive: false})).toBe('deactivated');
  expect(seen(10, {...ann, isBot: true})).toBeUndefined();
  expect(seen(10, ann, {...eg.state().realm, presenceDisabled: true})).toBeUndefined();
});

test('user details: the role of a bot names its kind and its owner', () => {
  const {account} = frameOf();
  const bot = eg.user({id: 20, isBot: true, botType: botTypes.generic, botOwnerId: 12});
  expect(roleText(account, bot)).toBe('Bot of Bo');
  expect(roleText(account, {...bot, botType: botTypes.incomingWebhook})).toBe('Webhook bot of Bo');
  expect(roleText(account, {...bot, botOwnerId: undefined})).toBe('Bot');
  expect(roleText(account, {...bot, isSystemBot: true})).toBe('System bot');
  expect([100, 200, 300, 400, 600, 777].map((role) => roleText(account, {...ann, role}))).toEqual([
    'Owner',
    'Administrator',
    'Moderator',
    'Member',
    'Guest',
    'Member',
  ]);
});

test('user details: the local time says how far it is from the reader’s own', () => {
  const shown = (timezone: string, zone: string) =>
    localTimeText(frameOf({settings: {...eg.state().settings, twentyFourHourTime: true}}, {display: {zone}}), {
      ...ann,
      timezone,
    });
  expect(shown('Asia/Tokyo', 'UTC')).toBe('21:00 · 9 hours ahead of you');
  expect(shown('Asia/Tokyo', 'Asia/Seoul')).toBe('21:00');
  expect(shown('UTC', 'Africa/Lagos')).toBe('12:00 · 1 hour behind you');
  expect(shown('Asia/Kolkata', 'UTC')).toBe('17:30 · 5.5 hours ahead of you');
  expect([shown('', 'UTC'), shown('Mars/Base', 'UTC')]).toEqual([undefined, undefined]);
});

test('user details: groups and channels in common are those that still exist', () => {
  const members = SortedSet.from([ann.id]);
  const {account} = frameOf({
    groups: eg.byId(
      eg.group({id: 1, name: 'support', members}),
      eg.group({id: 2, name: 'former', members, isDeactivated: true}),
      eg.group({id: 3, name: 'role:members', members, isSystemGroup: true}),
      eg.group({id: 4, name: 'others'}),
    ),
    channels: eg.byId(...[1, 2, 3, 4].map((id) => eg.channel({id, name: `c${id}`, isArchived: id === 2}))),
    subscriptions: eg.subscribed(
      ...[1, 2, 3, 4].map((channelId) => eg.subscription({channelId, isSubscribed: channelId !== 3})),
    ),
    subscribers: SortedMap.from([1, 2, 3].map((id) => [id, {ids: members, complete: true}])),
  });
  expect(groupNames(account, 11)).toEqual(['support']);
  expect(mutualChannels(account, 11, undefined)).toEqual(['c1']);
  expect(mutualChannels(account, 11, new Set([2, 3, 4]))).toEqual(['c4']);
});

const field = (id: number, type: number, more: Partial<ProfileField> = {}): ProfileField =>
  ({id, type, name: `field ${id}`, hint: '', order: id, fieldData: '', ...more}) as ProfileField;

test('user details: a birthday is the same day everywhere, and a field of people leads to each of them', () => {
  const fields = [field(1, profileFieldTypes.date), field(2, profileFieldTypes.user)];
  const renderedValue = undefined;
  const profile = {1: {value: '1990-03-25', renderedValue}, 2: {value: '[10,12]', renderedValue}};
  const frame = frameOf({profileFields: fields}, {display: {zone: 'America/Los_Angeles'}});
  const shown = profileFields(frame, {...ann, profile}, 60).map(([name, lines]) => [name, ...lines.map(lineToText)]);
  expect(shown).toEqual([
    ['field 1', 'Sun 25 Mar 1990'],
    ['field 2', 'Meg, Bo'],
  ]);
  expect(profileLinks(frame.account, {...ann, profile}).map(({text, target}) => [text, target])).toEqual([
    ['field 2: Meg', {userId: 10}],
    ['field 2: Bo', {userId: 12}],
  ]);
});

test('user details: what a field of the profile does not take says why', () => {
  const required = {required: true};
  const fields = [
    field(1, profileFieldTypes.date),
    field(2, profileFieldTypes.url),
    field(3, profileFieldTypes.dropdown, {...required, fieldData: '{"a":{"text":"A","order":"1"}}'}),
    field(4, profileFieldTypes.shortText, required),
    field(5, profileFieldTypes.user, required),
    field(6, profileFieldTypes.externalAccount, {fieldData: '{"subtype":"github"}'}),
  ];
  const realm = {
    ...eg.state().realm,
    defaultExternalAccounts: {github: {name: 'GitHub', text: 'GitHub', url_pattern: ''}},
  };
  const account = eg.state({users, profileFields: fields, realm});
  const [, ...made] = profileFormFields(account, () => undefined);
  const problem = (at: number, value: unknown) => {
    const one = made[at];
    return one !== undefined && 'validate' in one ? one.validate?.(value as never, {}, frameOf()) : undefined;
  };
  const date = 'Write the day as year-month-day, such as 1990-03-25';
  expect(['', '1990-03-25', '1990-02-30', '25.3.1990'].map((text) => problem(0, text))).toEqual([
    undefined,
    undefined,
    date,
    date,
  ]);
  const address = 'Write an address that starts with https:// or http://';
  expect(['', 'https://a.example', 'ftp://a', 'https://a b'].map((text) => problem(1, text))).toEqual([
    undefined,
    undefined,
    address,
    address,
  ]);
  expect(made[2]).toMatchObject({
    choices: [
      {value: null, disabled: 'field 3 is required'},
      {value: 'a', label: 'A'},
    ],
  });
  expect([problem(3, ' '), problem(4, []), problem(4, [10])]).toEqual([
    'field 4 is required',
    'field 5 is required',
    undefined,
  ]);
  expect(made[5]).toMatchObject({help: 'Your username on GitHub.'});
});

test('user details: an emoji of the organization in a status is shown by its name', () => {
  const status = {text: 'tea', emojiName: 'cup', emojiCode: '1f375', reactionType: 'unicode_emoji', isAway: false};
  expect(statusText(status, {glyphs: 'unicode'})).toBe('🍵 tea');
  expect(statusText(status, {glyphs: 'ascii'})).toBe(':cup: tea');
  expect(statusText({...status, reactionType: 'realm_emoji'}, {glyphs: 'unicode'})).toBe(':cup: tea');
  expect(statusText({...status, text: '', emojiName: undefined}, {glyphs: 'unicode'})).toBe('');
});
