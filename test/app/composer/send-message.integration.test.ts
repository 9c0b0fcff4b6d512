import {expect, test} from 'vitest';
import {undoLatest} from '#app/undo/undo.ts';
import {systemClock} from '#std/clock.ts';
import {overlayRows} from '#test/support/overlay-text.ts';
import {openedPicker} from '#ui/overlays/picker-rows.ts';
import {composeFixture} from './compose-fixture.ts';

test('undo send: a delayed message can be undone and its text comes back', async () => {
  const {press, type, text, app, session, rows} = await composeFixture({settings: {undoSendSeconds: 30}});
  press('r');
  type('too soon');
  press('Enter');
  expect(text()).toBe('');
  expect(rows().at(-1)).toBe(' Sends to #general › talk within 30 s · Ctrl-_ undoes');
  expect(app.state.outbox).toEqual([]);
  expect(session.drafts.all()).toMatchObject([{content: 'too soon'}]);
  press('Ctrl-_');
  expect(text()).toBe('too soon');
  expect(app.screen.composer.delayedSend).toBeUndefined();
  expect(app.screen.toast?.text).toBe('Not sent to #general › talk');
});

test('undo send: outside the composer the text stays a draft, and the keys stay where they are', async () => {
  const {press, type, app, session} = await composeFixture({settings: {undoSendSeconds: 30}});
  press('r');
  type('too soon');
  press('Enter', 'Esc', 'z');
  expect(app.screen.focus).toBe('main');
  expect(app.screen.composer.delayedSend).toBeUndefined();
  expect(app.screen.toast?.text).toMatch(/^Not sent to #general › talk: it is a draft again/);
  expect(session.drafts.all()).toMatchObject([{content: 'too soon'}]);
  press('z');
  press('r');
  expect(app.screen.composer.field.text).toBe('too soon');
});

test('undo send: a text that was begun meanwhile stays in the composer, and the other is a draft', async () => {
  const {press, type, text, app, session} = await composeFixture({settings: {undoSendSeconds: 30}});
  press('r');
  type('too soon');
  press('Enter');
  type('next');
  press('Ctrl-X', 'u');
  expect(app.screen.toast?.text).toMatch(/^Not sent to #general › talk/);
  expect(text()).toBe('next');
  app.composerPersistence.flush();
  expect(
    session.drafts
      .all()
      .map(({content}) => content)
      .sort(),
  ).toEqual(['next', 'too soon']);
});

test('send: a message queued offline is not reported as sent', async () => {
  const {press, type, app, session} = await composeFixture();
  press('R');
  type('between us');
  press('Enter');
  expect(app.screen.toast?.text).toMatch(/^Sent to Otto/);
  const trouble = {since: 0, retryAt: undefined, problem: 'Gone.', savedAt: undefined};
  session.cache.apply({type: 'connection_changed', connection: {phase: 'offline', ...trouble}});
  type('and this');
  press('Enter');
  expect(app.screen.toast?.text).toMatch(/^Waiting for the connection: to Otto/);
});

test('undo send: a delayed message is sent before the next one and when the app ends', async () => {
  const {press, type, app} = await composeFixture({settings: {undoSendSeconds: 30}});
  press('r');
  type('one');
  press('Enter');
  type('two');
  press('Enter');
  expect(app.state.outbox.map(({content}) => content)).toEqual(['one']);
  app.end();
  expect(app.state.outbox.map(({content}) => content)).toEqual(['one', 'two']);
});

test('schedule: a scheduled message leaves the composer, and undo brings it back', async () => {
  const {press, type, text, until, app, shows, session} = await composeFixture();
  press('r');
  type('good morning');
  press('Ctrl-X', 's');
  type('tomorrow 9:00');
  press('Enter');
  expect(text()).toBe('');
  const state = await until(({scheduled}) => scheduled.size === 1);
  expect([...state.scheduled.values()][0]).toMatchObject({content: 'good morning'});
  await shows(() => session.drafts.all().length === 0);
  await shows(() => /^Scheduled for .*: #general › talk/.test(app.screen.toast?.text ?? ''));
  undoLatest(app);
  await until(({scheduled}) => scheduled.size === 0);
  await shows(
    () => app.screen.toast?.text?.startsWith('Unscheduled: the message to #general › talk is a draft again') === true,
  );
  await shows(() => text() === 'good morning');
});

test('schedule: a text that the server refuses to schedule is in the composer again, and can be sent', async () => {
  const {press, type, text, app, fixture, shows} = await composeFixture();
  await fixture.hook('fault', {method: 'POST', path: '/scheduled_messages', kind: 'status', status: 400});
  press('r');
  type('good morning');
  press('Ctrl-X', 's', 'Enter');
  expect(text()).toBe('');
  await shows(() => app.screen.toast?.text.startsWith('Not scheduled, saved as a draft') === true);
  expect(text()).toBe('good morning');
  press('Enter');
  expect([text(), app.screen.composer.warnings]).toEqual(['', []]);
  expect(app.state.outbox.map(({content}) => content)).toEqual(['good morning']);
});

test('schedule: “in 5 minutes” is five whole minutes from now, not from the start of this minute', async () => {
  const now = Math.ceil(Date.now() / 60_000) * 60_000 + 37_400;
  const {press, type, until} = await composeFixture({clock: {...systemClock, now: () => now}});
  press('r');
  type('soon');
  press('Ctrl-X', 's');
  type('in 5 minutes');
  press('Enter');
  const {scheduled} = await until((state) => state.scheduled.size === 1);
  expect([...scheduled.values()][0]?.scheduledDeliveryTimestamp).toBe(Math.ceil(now / 1000) + 300);
});

test('schedule: a time that is too soon says how far ahead it must be', async () => {
  const {press, type, app} = await composeFixture();
  press('r');
  type('soon');
  press('Ctrl-X', 's');
  type('in 2 minutes');
  press('Enter');
  expect(app.screen.toast?.text).toBe('Pick a time at least 5 minutes from now');
  expect(app.screen.overlays).toHaveLength(1);
});

test('send keys: where Enter adds a line, Ctrl-D sends', async () => {
  const {press, type, text, rows} = await composeFixture({settings: {enterSends: false}});
  press('r');
  expect(rows()[0]).toMatch(/Enter newline · \^D send$/);
  type('a');
  press('Enter');
  type('b');
  expect(text()).toBe('a\nb');
  press('Ctrl-D');
  expect(text()).toBe('');
});

test('send keys: after a backslash and inside an open fence, Enter adds a line', async () => {
  const {press, type, text} = await composeFixture();
  press('r');
  type('a\\');
  press('Enter');
  expect(text()).toBe('a\n');
  type('```');
  press('Enter');
  expect(text()).toBe('a\n```\n');
});

test('send keys: Tab focuses [Send], where Enter sends', async () => {
  const {press, type, text, rows} = await composeFixture({settings: {enterSends: false}});
  press('r');
  type('hi');
  press('Tab');
  expect(rows()[0]).toMatch(/\[ Send \] Enter$/);
  press('Enter');
  expect(text()).toBe('');
});

test('external editor: its text can be undone, and a failure changes nothing', async () => {
  let answer: () => Promise<string | undefined> = async () => 'from the editor';
  const {press, type, text, app, shows} = await composeFixture({device: {edit: () => answer()}});
  press('r');
  type('draft');
  press('Ctrl-O');
  await shows(() => text() === 'from the editor');
  press('Ctrl-_');
  expect(text()).toBe('draft');
  answer = async () => Promise.reject(new Error('There is no editor.'));
  press('Ctrl-O');
  await shows(() => app.screen.toast?.text === 'There is no editor.');
  expect(text()).toBe('draft');
});

test('external editor: the message replied to has its sender’s current name', async () => {
  let heading: readonly string[] = [];
  const edit = async (_text: string, lines: readonly string[]) => {
    heading = lines;
    return undefined;
  };
  const {press, until, shows, fixture} = await composeFixture({device: {edit}});
  await fixture.server.as(fixture.otto).patch('/settings', {full_name: 'Ottoline'});
  await until(({users}) => users.get(fixture.otto.id)?.fullName === 'Ottoline');
  press('r');
  press('Ctrl-O');
  await shows(() => heading.length > 0);
  expect(heading).toContain('Ottoline wrote:');
});

test('reply: quoting and mentioning insert into the composer of the message’s conversation', async () => {
  const {press, text} = await composeFixture();
  press('>');
  expect(text()).toMatch(/^@_\*\*Otto\|\d+\*\* \[said\]\(http.*near\/\d+\):\n```quote\nhello there\n```\n$/);
  press('Ctrl-A', 'Esc', 'R');
  expect(text()).toBe('');
  press('Esc', '@');
  expect(text()).toContain('@**Otto** ');
});

test('preview: times follow the account’s setting, as in messages and in time completion', async () => {
  const {press, type, rows, until, fixture, app} = await composeFixture();
  await fixture.server.as(fixture.meg).patch('/settings', {twenty_four_hour_time: false});
  await until(({settings}) => settings.twentyFourHourTime === false);
  press('r');
  type('at <time:2026-05-12T14:30:00Z');
  expect(app.screen.composer.menu?.completion.options[0]?.detail).toMatch(/\d:30 [AP]M$/);
  press('Esc');
  type('>');
  press('Ctrl-X', 'p');
  expect(rows().join('\n')).toMatch(/\d:30 [AP]M/);
});

test('schedule: times are suggested in the account’s format, and can be typed so', async () => {
  const {press, type, until, fixture, app} = await composeFixture();
  await fixture.server.as(fixture.meg).patch('/settings', {twenty_four_hour_time: false});
  await until(({settings}) => settings.twentyFourHourTime === false);
  press('r');
  type('later');
  press('Ctrl-X', 's');
  expect(openedPicker(app)?.picker.placeholder).toBe('fri 4:00 PM, in 2 hours, 2026-05-12 2:30 PM');
  expect(overlayRows(app).join('\n')).toContain('tomorrow 2:00 PM  tomorrow, 2:00 PM');
  type('2099-05-12 2:30 pm');
  expect(overlayRows(app)[1]).toMatch(/^▌2099-05-12 2:30 pm .*2099, 2:30 PM$/);
});

test('preview: shows the rendered message', async () => {
  const {press, type, rows} = await composeFixture();
  press('r');
  type('**bold** words');
  press('Alt-p');
  expect(rows()[1]).toBe('  bold words');
  press('Alt-p');
  expect(rows()[1]).toBe('› **bold** words');
});

test('poll: composed line by line', async () => {
  const {press, type, text} = await composeFixture();
  press('r', 'Ctrl-X', 'o', 'Enter');
  type('Lunch?');
  press('Enter');
  type('soup');
  press('Enter');
  type('bread');
  press('Enter', 'Enter');
  expect(text()).toBe('/poll Lunch?\nsoup\nbread');
});

test('markup: Ctrl-X b makes the word bold, Ctrl-X t inserts a time', async () => {
  const {press, type, text} = await composeFixture();
  press('r');
  type('very');
  press('Ctrl-X', 'b');
  expect(text()).toBe('**very**');
  press('Ctrl-X', 't');
  expect(text()).toBe('**very**<time:');
});
