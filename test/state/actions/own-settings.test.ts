import {expect, test} from 'vitest';
import type {Api} from '#api/api.ts';
import {ownHandlers} from '#state/actions/own-settings.ts';
import type {UserStatus} from '#state/slices/statuses.ts';
import {userTopicMap} from '#state/slices/user-topics.ts';
import {SortedMap} from '#std/sorted-map.ts';
import * as eg from '#test/support/state-builders.ts';
import {refusedFailure} from '#wire/failure.ts';
import {profileFieldTypes} from '#wire/objects/user.ts';

test('channel notifications: undo of a change sets what the channel inherited from the account', () => {
  const inverseIn = (isEnabled: boolean | undefined, setting: 'pushNotifications' | 'isMuted') =>
    ownHandlers.subscription.inverse(
      eg.state({
        subscriptions: eg.subscribed(eg.subscription({channelId: 1})),
        settings: {...eg.state().settings, enableStreamPushNotifications: isEnabled},
      }),
      {kind: 'subscription', channelId: 1, setting, value: true},
    );
  expect(inverseIn(true, 'pushNotifications')).toMatchObject({value: true});
  expect(inverseIn(false, 'pushNotifications')).toMatchObject({value: false});
  expect(inverseIn(undefined, 'pushNotifications')).toMatchObject({value: false});
  expect(inverseIn(true, 'isMuted')).toMatchObject({value: false});
});

test('status: clearing it where none is set changes nothing', () => {
  const none = {kind: 'status', text: '', emojiName: '', emojiCode: '', reactionType: ''} as const;
  expect(ownHandlers.status.effective(eg.state(), none)).toBeUndefined();
  expect(ownHandlers.status.effective(eg.state(), {...none, text: 'away'})).toMatchObject({text: 'away'});
  expect(ownHandlers.status.inverse(eg.state(), {...none, text: 'away'})).toEqual(none);
});

test('status: another emoji of the same name is a change, the same one with spaces around the text is none', () => {
  const state = eg.state({
    statuses: SortedMap.from([[eg.selfId, {statusText: 'tea', emojiName: 'cup', emojiCode: '1'}]]),
  });
  const same = {
    kind: 'status',
    text: ' tea ',
    emojiName: 'cup',
    emojiCode: '1',
    reactionType: 'unicode_emoji',
  } as const;
  expect(ownHandlers.status.effective(state, same)).toBeUndefined();
  expect(ownHandlers.status.effective(state, {...same, emojiCode: '2'})).toMatchObject({emojiCode: '2'});
  expect(ownHandlers.status.inverse(state, same)).toMatchObject({text: 'tea', emojiName: 'cup', emojiCode: '1'});
});

test('policy of a topic: its undo names the topic as the server does, and a topic without one gets none back', () => {
  const policy = {kind: 'topicPolicy', channelId: 1, topic: 'Tides', policy: 3} as const;
  const muted = userTopicMap([{channelId: 1, topic: 'tides', policy: 1, lastUpdated: 0}]);
  expect(ownHandlers.topicPolicy.inverse(eg.state({userTopics: muted}), policy)).toEqual({
    ...policy,
    topic: 'tides',
    policy: 1,
  });
  expect(ownHandlers.topicPolicy.inverse(eg.state(), policy)).toEqual({...policy, policy: 0});
});

test('own settings: what is there already is no change: a name with blanks, an empty list of people, invisible while away', () => {
  const away = SortedMap.from<number, UserStatus>([[eg.selfId, {away: true}]]);
  const settings = {...eg.state().settings, presenceEnabled: true};
  const state = eg.state({users: eg.users(eg.user({fullName: 'Meg'})), statuses: away, settings});
  const {fullName, profileField, setting} = ownHandlers;
  expect(fullName.effective(state, {kind: 'fullName', fullName: ' Meg '})).toBeUndefined();
  expect(fullName.effective(state, {kind: 'fullName', fullName: 'Margaret'})).toBeDefined();
  for (const value of ['[]', '  ', null])
    expect(profileField.effective(state, {kind: 'profileField', fieldId: 1, value})).toBeUndefined();
  const invisible = {kind: 'setting', name: 'presence_enabled', value: false} as const;
  expect(setting.effective(state, invisible)).toBeUndefined();
  expect(setting.inverse(state, {...invisible, value: true})).toMatchObject({value: false});
  // Of a setting that the server does not have, nothing is known to go back to.
  expect(setting.inverse(eg.state({settings: {}}), {...invisible, name: 'color_scheme', value: 2})).toMatchObject({
    value: 2,
  });
});

test('sidebar views: removing one that another client removed meanwhile is done, and other refusals are refusals', async () => {
  const remove = (status: number) => {
    const removeNavigationView = () =>
      Promise.reject(refusedFailure('removeNavigationView', 'No.', 'BAD_REQUEST', status));
    const api = {removeNavigationView} as unknown as Api;
    return ownHandlers.navigationView.request(api, {kind: 'navigationView', fragment: 'narrow/is/alerted'});
  };
  await expect(remove(404)).resolves.toBeUndefined();
  await expect(remove(400)).rejects.toMatchObject({status: 400});
});

test('own settings: requests have people as ids, a status without an emoji no code, and an empty field is removed', async () => {
  const sent: unknown[] = [];
  const record = async (args: unknown) => void sent.push(args);
  const fields = {
    custom_fields: [
      {id: 1, type: profileFieldTypes.user},
      {id: 2, type: profileFieldTypes.shortText},
    ],
  };
  const answers = {
    getProfileFields: async () => fields,
    updateProfileData: record,
    removeProfileData: record,
    updateStatus: record,
  };
  const api = answers as unknown as Api;
  const {profileField, status} = ownHandlers;
  for (const [fieldId, value] of [
    [1, '[11,12]'],
    [2, '[11]'],
    [1, '[]'],
  ] as const)
    await profileField.request(api, {kind: 'profileField', fieldId, value});
  const tea = {kind: 'status', text: 'tea', emojiName: '', emojiCode: '1', reactionType: 'unicode_emoji'} as const;
  await status.request(api, tea);
  await status.request(api, {...tea, emojiName: 'cup'});
  expect(sent).toEqual([
    {data: [{id: 1, value: [11, 12]}]},
    {data: [{id: 2, value: '[11]'}]},
    {data: [1]},
    {status_text: 'tea', emoji_name: ''},
    {status_text: 'tea', emoji_name: 'cup', emoji_code: '1', reaction_type: 'unicode_emoji'},
  ]);
});
