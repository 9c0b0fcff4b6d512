import {expect, test} from 'vitest';
import {parseStatus, statusRows} from '#app/people/status-picker.ts';
import {messageFixture} from '#test/app/message-actions/message-fixture.ts';
import {waitForState} from '#test/state/session-fixture.ts';
import {egFrame} from '#test/support/frame-fixture.ts';
import * as eg from '#test/support/state-builders.ts';

test('an emoji in front of the words is the emoji of the status', () => {
  expect(parseStatus(eg.state(), ':octopus: deep in code')).toEqual({
    text: 'deep in code',
    emoji: {emojiName: 'octopus', emojiCode: '1f419', reactionType: 'unicode_emoji'},
  });
  expect(parseStatus(eg.state(), ':nothing: x')).toEqual({text: ':nothing: x', emoji: undefined});
});

test('words that the server would not take say how long they are', () => {
  const [row] = statusRows(egFrame(), 'x'.repeat(61), undefined);
  expect(row).toMatchObject({key: 'own', disabled: 'Too long: 61 of 60 characters.'});
});

test('a status is set by a word, shown, cleared, and undone', async () => {
  const {stage, session, press, type, says, app} = await messageFixture();
  const own = () => session.cache.state.statuses.get(stage.meg.id);
  press('Y');
  type('meet');
  await says('📅 In a meeting');
  press('Down', 'Enter');
  expect(app.screen.toast?.text).toBe('Set your status · z undo');
  await waitForState(session, () => own()?.statusText === 'In a meeting');
  expect(own()).toMatchObject({emojiName: 'calendar', emojiCode: '1f4c5'});
  press('Y');
  await says('Clear the status  📅 In a meeting');
  press('Up', 'Up', 'Enter');
  expect(own()).toBeUndefined();
  press('Z');
  expect(own()?.statusText).toBe('In a meeting');
});

test('Tab chooses an emoji and comes back to the words', async () => {
  const {stage, session, press, type, says} = await messageFixture();
  press('Y');
  type('brewing tea');
  press('Tab');
  await says('Emoji of your status');
  type('tea');
  press('Enter');
  expect(await says('Your status')).toContain('🍵 brewing tea');
  press('Enter');
  const {statuses} = await waitForState(session, (state) => state.statuses.has(stage.meg.id));
  expect(statuses.get(stage.meg.id)).toMatchObject({statusText: 'brewing tea', emojiName: 'tea'});
});

test('whoever goes invisible can be seen again from the same place', async () => {
  const {session, press, says} = await messageFixture();
  press('Y');
  await says('Go invisible');
  press('Up', 'Enter');
  await says('You are invisible');
  await waitForState(session, ({settings}) => settings.presenceEnabled === false);
  press('Y');
  await says('Be seen again');
  press('Up', 'Enter');
  await waitForState(session, ({settings}) => settings.presenceEnabled === true);
});
