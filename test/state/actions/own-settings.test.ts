import {expect, test} from 'vitest';
import {ownHandlers} from '#state/actions/own-settings.ts';
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
