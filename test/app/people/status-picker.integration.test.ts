import {expect, test} from 'vitest';
import {parseStatus, statusRows} from '#app/people/status-picker.ts';
import {SortedMap} from '#std/sorted-map.ts';
import {messageFixture} from '#test/app/message-actions/message-fixture.ts';
import {waitForState} from '#test/state/session-fixture.ts';
import {egFrame} from '#test/support/frame-fixture.ts';
import * as eg from '#test/support/state-builders.ts';

test('status: an emoji name in front becomes the status emoji', () => {
  expect(parseStatus(eg.state(), ':octopus: deep in code')).toEqual({
    text: 'deep in code',
    emoji: {emojiName: 'octopus', emojiCode: '1f419', reactionType: 'unicode_emoji'},
  });
  expect(parseStatus(eg.state(), ':no_such_emoji: x')).toEqual({text: ':no_such_emoji: x', emoji: undefined});
});

test('status: a text beyond the server’s limit is refused with its length in characters, at the limit it is not', () => {
  const own = (text: string) => statusRows(egFrame(), text, undefined)[0];
  expect(own('x'.repeat(61))).toMatchObject({key: 'own', disabled: 'Too long: 61 of 60 characters.'});
  for (const text of ['x'.repeat(60), '🍵'.repeat(60)]) {
    expect(own(text)).toMatchObject({key: 'own'});
    expect(own(text)).not.toHaveProperty('disabled');
  }
});

test('status: who is invisible or, as on older servers, unavailable, is offered to be shown again', () => {
  const keys = (away: boolean, presenceEnabled = true) =>
    statusRows(
      egFrame({
        account: eg.state({
          statuses: SortedMap.from([[eg.selfId, {away}]]),
          settings: {...eg.state().settings, presenceEnabled},
        }),
      }),
      '',
      undefined,
    ).map(({key}) => key);
  expect(keys(false)).toContain('invisible');
  expect(keys(true)).toContain('visible');
  expect(keys(false, false)).toContain('visible');
});

test('status: set from a preset, cleared, and restored by undo', async () => {
  const {fixture, session, press, type, says, app} = await messageFixture();
  const own = () => session.cache.state.statuses.get(fixture.meg.id);
  press('Y');
  type('meet');
  await says('📅 In a meeting');
  press('Down', 'Enter');
  expect(app.screen.toast?.text).toBe('Set your status · z undo');
  await waitForState(session, () => own()?.statusText === 'In a meeting');
  expect(own()).toMatchObject({emojiName: 'calendar', emojiCode: '1f4c5'});
  press('Y');
  await says('Clear status  📅 In a meeting');
  press('Up', 'Up', 'Enter');
  expect(own()).toBeUndefined();
  press('z');
  expect(own()?.statusText).toBe('In a meeting');
});

test('status: Tab picks an emoji and returns to the text', async () => {
  const {fixture, session, press, type, says} = await messageFixture();
  press('Y');
  type('brewing tea');
  press('Tab');
  await says('Emoji of your status');
  type('tea');
  press('Enter');
  expect(await says('Your status')).toContain('🍵 brewing tea');
  press('Tab');
  await says('Emoji of your status');
  press('Esc');
  expect(await says('Your status')).toContain('🍵 brewing tea');
  press('Enter');
  const {statuses} = await waitForState(session, (state) => state.statuses.has(fixture.meg.id));
  expect(statuses.get(fixture.meg.id)).toMatchObject({statusText: 'brewing tea', emojiName: 'tea'});
});

test('status: invisible mode is turned on and off', async () => {
  const {session, press, says} = await messageFixture();
  press('Y');
  await says('Go invisible');
  press('Up', 'Enter');
  await says('Invisible mode on');
  await waitForState(session, ({settings}) => settings.presenceEnabled === false);
  press('Y');
  await says('Turn off invisible mode');
  press('Up', 'Enter');
  await waitForState(session, ({settings}) => settings.presenceEnabled === true);
});
