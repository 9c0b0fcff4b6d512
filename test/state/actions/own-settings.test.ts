import {expect, test} from 'vitest';
import {ownHandlers} from '#state/actions/own-settings.ts';
import {userTopicMap} from '#state/slices/user-topics.ts';
import {SortedMap} from '#std/sorted-map.ts';
import * as eg from '#test/support/state-builders.ts';

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
