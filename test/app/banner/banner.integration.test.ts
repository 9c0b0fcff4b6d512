import {expect, test, vi} from 'vitest';
import {startScreenWatchers} from '#app/watchers/screen-watchers.ts';
import type {ConnectionStatus} from '#state/model/connection.ts';
import {channelNarrow, topicNarrow} from '#state/model/narrow.ts';
import {channelNamed} from '#state/selectors/names/find-by-name.ts';
import type {AccountState} from '#state/state.ts';
import {messageFixture} from '#test/app/message-actions/message-fixture.ts';
import {waitForState} from '#test/state/session-fixture.ts';
import {egFrame, egRect, textOf} from '#test/support/frame-fixture.ts';
import {bannerLines, headerLines} from '#test/support/part-lines.ts';
import * as eg from '#test/support/state-builders.ts';
import {backend, listAccount, listFixture, noonMs} from '#test/ui/lists/list-fixture.ts';
import {messagesView} from '#ui/core/frame.ts';
import {screenLayout} from '#ui/screen-layout.ts';

/** A channel of the list's organization that the user is not subscribed to. */
const elsewhere = messagesView(channelNarrow(4));

function banner(parts: Parameters<typeof egFrame>[0] & {slices?: Partial<AccountState>} = {}) {
  const {slices = {}, size = '120x40', ...rest} = parts;
  const frame = egFrame({account: listAccount(slices), view: elsewhere, size, now: noonMs, ...rest});
  const {banner: rect, main} = screenLayout(frame);
  return {rect, main, text: rect === undefined ? undefined : textOf(bannerLines(frame, rect)).join('\n')};
}

test('banner: an unsubscribed channel says how often it is updated and how to subscribe, above its messages', () => {
  const {rect, main, text} = banner();
  expect(text).toBe(' Not subscribed: updates every 30 s — Tab Enter subscribes');
  expect(rect).toMatchObject({x: main.x, y: 1, rows: 1});
  expect(main.y).toBe(2);
  expect(banner({size: '40x15'}).text).toBe(' Not live (30 s) — Tab Enter subscribes');
  expect(banner({display: {glyphs: 'ascii'}}).text).toBe(' Not subscribed: updates every 30 s - Tab Enter subscribes');
});

test('banner: focus is visible without colour', () => {
  expect(banner({screen: {focus: 'banner'}}).text).toBe('▌Not subscribed: updates every 30 s — Enter subscribes');
});

test('banner: names no keys that mean something else: in the composer Enter sends, from a list Tab goes to the messages', () => {
  expect(banner({screen: {focus: 'composer'}}).text).toBe(' Not subscribed: updates every 30 s');
  expect(banner({screen: {focus: 'channels'}}).text).toBe(' Not subscribed: updates every 30 s');
});

test('banner: hidden in subscribed channels and in views without a channel', () => {
  expect(banner({view: messagesView(topicNarrow(backend, 'deploy'))}).rect).toBeUndefined();
  expect(banner({view: {kind: 'inbox'}}).rect).toBeUndefined();
});

test('banner: offers nothing when read-only, offline, or in an archived or unknown channel', () => {
  expect(banner({info: {isReadOnly: true}}).text).toBe(' Not subscribed: updates every 30 s');
  expect(banner({slices: {connection: lost()}}).text).toBe(' You are not subscribed to #elsewhere');
  const channels = eg.byId(eg.channel({id: 4, name: 'elsewhere', isArchived: true}));
  expect(banner({slices: {channels}}).text).toBe(' #elsewhere is archived: you cannot join it.');
  expect(banner({slices: {channels}, size: '40x24'}).text).toBe(' #elsewhere is archived: you cannot join\n it.');
  expect(banner({view: messagesView(channelNarrow(99))}).text).toBe(
    ' This channel does not exist, or you cannot see it.',
  );
});

test('banner: Tab and Enter, or two clicks, subscribe, and z unsubscribes again', async () => {
  const {fixture, session, app, press, take, says} = await messageFixture();
  const subscriptions = JSON.stringify([{name: 'harbour'}]);
  await fixture.server.as(fixture.otto).post('/users/me/subscriptions', {subscriptions});
  const {channels} = await waitForState(session, (state) => channelNamed(state, 'harbour') !== undefined);
  const harbour = [...channels.values()].find(({name}) => name === 'harbour')?.id ?? 0;
  app.set({view: messagesView(channelNarrow(harbour))});
  press('Tab');
  expect(app.screen.focus).toBe('banner');
  press('Enter');
  await says('Subscribed to #harbour · z undo');
  expect(app.screen.focus).toBe('main');
  expect(screenLayout(app.frame).banner).toBeUndefined();
  press('z');
  await says('Unsubscribed from #harbour again');
  expect(session.cache.state.subscriptions.get(harbour)?.isSubscribed).toBe(false);
  const {x = 0, y = 0} = screenLayout(app.frame).banner ?? {};
  const click = () => take({kind: 'mouse', action: 'press', button: 'left', x, y});
  click();
  expect(app.screen.focus).toBe('banner');
  expect(app.screen.toast?.text).toContain('Unsubscribed');
  click();
  await says('Subscribed to #harbour · z undo');
});

function lost(fields: Partial<Extract<ConnectionStatus, {phase: 'offline'}>> = {}): ConnectionStatus {
  const since = noonMs - 60_000;
  return {phase: 'offline', since, retryAt: 12_000, problem: '', savedAt: undefined, ...fields};
}

/** An app whose connection changes. */
async function offlineFixture(connection: ConnectionStatus, info: {readonly canLogIn?: boolean} = {}) {
  const fixture = listFixture({size: '120x40', info});
  const {app, session} = fixture;
  const wake = vi.spyOn(session, 'wake').mockReturnValue();
  const become = (next: ConnectionStatus) => {
    session.cache.apply({type: 'connection_changed', connection: next});
    app.frames.paintNow();
  };
  become({phase: 'online'});
  startScreenWatchers(app);
  become(connection);
  if (connection.phase === 'offline') await expect.poll(() => app.screen.outage).toBeDefined();
  const header = () => textOf(headerLines(app.frame, egRect('120x40')))[0] ?? '';
  return {...fixture, become, header, woken: () => wake.mock.calls.flat()};
}

test('connection status: counts down to the next retry, at first and when focused', async () => {
  const {clock, become, header, press} = await offlineFixture(lost({since: noonMs, retryAt: 3000}));
  expect(header()).toContain('reconnecting in 3 s');
  clock.advance(2000);
  expect(header()).toContain('reconnecting in 1 s');
  clock.advance(1000);
  expect(header()).toMatch(/reconnecting {2}/);
  clock.advance(60_000);
  become(lost({since: noonMs, retryAt: clock.monotonic() + 30_000}));
  expect(header()).toMatch(/offline since 12:00 {2}/);
  press('Tab');
  clock.advance(1000);
  expect(header()).toContain('again in 29 s · Enter reconnects');
});

test('connection status: Tab reaches it after the panes while offline, and Enter retries now', async () => {
  const {app, press, woken} = await offlineFixture(lost());
  app.set({size: {columns: 200, rows: 50}, view: messagesView(topicNarrow(backend, 'deploy'))});
  press('Tab');
  expect(app.screen.focus).toBe('people');
  press('Tab');
  expect(app.screen.focus).toBe('connection');
  press('Enter');
  expect(woken()).toEqual(['manual']);
  expect(app.screen.focus).toBe('connection');
  press('Esc');
  expect(app.screen.focus).toBe('main');
});

test('connection status: moving left goes to the lists, not to it', async () => {
  const {app, press} = await offlineFixture(lost());
  app.set({view: messagesView(topicNarrow(backend, 'deploy'))});
  press('h');
  expect(app.screen.focus).toBe('topics');
});

test('connection status: Enter just after reconnecting returns the focus and does nothing else', async () => {
  const {app, press, become, header, woken} = await offlineFixture(lost());
  press('Tab');
  expect(app.screen.focus).toBe('connection');
  become({phase: 'online'});
  expect(header()).toContain('▌●');
  const {view} = app.screen;
  press('Enter');
  expect(app.screen).toMatchObject({focus: 'main', view});
  expect(woken()).toEqual([]);
});

test('connection status: when the server asked to wait, no retry is sent', async () => {
  const {app, press, type, woken, header, toast} = await offlineFixture(lost({answered: 'wait'}));
  expect(header()).toContain('server busy, retrying in 12 s');
  press('Tab');
  expect(app.screen.focus).not.toBe('connection');
  press('Esc', ';');
  type('reconnect');
  press('Enter');
  expect(toast()).toBe('The server asked to wait. Parley retries by itself.');
  expect(woken()).toEqual([]);
});

test('connection status: signed out, Enter reconnects or logs in again', async () => {
  const out = {phase: 'signedOut', problem: 'The key is no longer good.'} as const;
  const without = await offlineFixture(out);
  without.press('Tab', 'Enter');
  expect(without.woken()).toEqual(['manual']);
  const {app, press, header} = await offlineFixture(out, {canLogIn: true});
  press('Tab');
  expect(app.screen.focus).toBe('connection');
  expect(header()).toMatch(/^▌Signed out — Enter logs in again/);
});

test('connection status: signed out, Tab reaches it before the people, and goes on from there', async () => {
  const {app, press} = await offlineFixture({phase: 'signedOut', problem: 'The key is no longer good.'});
  app.set({size: {columns: 200, rows: 50}, view: messagesView(topicNarrow(backend, 'deploy'))});
  const focused = ['Tab', 'Tab', 'Tab'].map((key) => {
    press(key);
    return app.screen.focus;
  });
  expect(focused).toEqual(['connection', 'people', 'channels']);
});
