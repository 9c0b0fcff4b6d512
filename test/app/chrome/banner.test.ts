import {expect, test, vi} from 'vitest';
import {bannerLines} from '#app/chrome/banner.ts';
import {headerLines} from '#app/chrome/header.ts';
import {messagesView} from '#app/core/view.ts';
import {screenLayout} from '#app/layout/screen-layout.ts';
import {startScreenWatchers} from '#app/watchers/screen-watchers.ts';
import type {ConnectionStatus} from '#state/model/connection.ts';
import {channelNarrow, topicNarrow} from '#state/model/narrow.ts';
import {channelNamed} from '#state/selectors/names/find-by-name.ts';
import type {AccountState} from '#state/state.ts';
import {backend, listAccount, listFixture, noonMs} from '#test/app/lists/list-fixture.ts';
import {messageFixture} from '#test/app/message-actions/message-fixture.ts';
import {waitForState} from '#test/state/session-fixture.ts';
import {egFrame, egRect, textOf} from '#test/support/frame-fixture.ts';
import * as eg from '#test/support/state-builders.ts';

/** A channel of the list's organization that one is not in. */
const elsewhere = messagesView(channelNarrow(4));

function banner(parts: Parameters<typeof egFrame>[0] & {slices?: Partial<AccountState>} = {}) {
  const {slices = {}, size = '120x40', ...rest} = parts;
  const frame = egFrame({account: listAccount(slices), view: elsewhere, size, now: noonMs, ...rest});
  const {banner: rect, main} = screenLayout(frame);
  return {rect, main, text: rect === undefined ? undefined : textOf(bannerLines(frame, rect))[0]};
}

test('a channel that one is not in says so above its messages, and how to join it', () => {
  const {rect, main, text} = banner();
  expect(text).toBe(' You are not subscribed to #elsewhere — Tab Enter subscribes');
  expect(rect).toMatchObject({x: main.x, y: 1, rows: 1});
  expect(main.y).toBe(2);
  expect(banner({size: '40x15'}).text).toBe(' Not subscribed — Tab Enter subscribes');
  expect(banner({looks: {glyphs: 'ascii'}}).text).toBe(
    ' You are not subscribed to #elsewhere - Tab Enter subscribes',
  );
});

test('with the keys on it the line shows that, not by colour alone', () => {
  expect(banner({screen: {focus: 'banner'}}).text).toBe(
    '▌You are not subscribed to #elsewhere — Enter subscribes',
  );
});

test('where one is subscribed, and where no channel is shown, nothing is said', () => {
  expect(banner({view: messagesView(topicNarrow(backend, 'deploy'))}).rect).toBeUndefined();
  expect(banner({view: {kind: 'inbox'}}).rect).toBeUndefined();
});

test('what cannot be done is not offered: by readers, without a connection, in a channel that is closed', () => {
  expect(banner({info: {isReadOnly: true}}).text).toBe(' You are not subscribed to #elsewhere');
  expect(banner({slices: {connection: lost()}}).text).toBe(' You are not subscribed to #elsewhere');
  const channels = eg.byId(eg.channel({id: 4, name: 'elsewhere', isArchived: true}));
  expect(banner({slices: {channels}}).text).toBe(' #elsewhere is archived: you cannot join it.');
  expect(banner({view: messagesView(channelNarrow(99))}).text).toBe(
    ' This channel does not exist, or you cannot see it.',
  );
});

test('Tab and Enter subscribe', async () => {
  const {stage, session, app, press, says} = await messageFixture();
  const subscriptions = JSON.stringify([{name: 'harbour'}]);
  await stage.server.as(stage.otto).post('/users/me/subscriptions', {subscriptions});
  const {channels} = await waitForState(session, (state) => channelNamed(state, 'harbour') !== undefined);
  const harbour = [...channels.values()].find(({name}) => name === 'harbour')?.id ?? 0;
  app.set({view: messagesView(channelNarrow(harbour))});
  press('Tab');
  expect(app.screen.focus).toBe('banner');
  press('Enter');
  await says('Subscribed to #harbour');
  expect(app.screen.focus).toBe('main');
  expect(screenLayout(app.frame).banner).toBeUndefined();
});

function lost(fields: Partial<Extract<ConnectionStatus, {phase: 'offline'}>> = {}): ConnectionStatus {
  const since = noonMs - 60_000;
  return {phase: 'offline', since, retryAt: noonMs + 12_000, problem: '', savedAt: undefined, ...fields};
}

/** Somebody in front of a connection that changes. */
async function troubled(connection: ConnectionStatus, info: {readonly canLogIn?: boolean} = {}) {
  const stage = listFixture({size: '120x40', info});
  const {app, session} = stage;
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
  return {...stage, become, header, woken: () => wake.mock.calls.flat()};
}

test('the seconds until the next attempt are counted down, first and where somebody looks', async () => {
  const {clock, become, header, press} = await troubled(lost({since: noonMs, retryAt: noonMs + 3000}));
  expect(header()).toContain('reconnecting in 3 s');
  clock.advance(2000);
  expect(header()).toContain('reconnecting in 1 s');
  clock.advance(1000);
  expect(header()).toMatch(/reconnecting {2}/);
  clock.advance(60_000);
  become(lost({since: noonMs, retryAt: clock.now() + 30_000}));
  expect(header()).toMatch(/offline since 12:00 {2}/);
  press('Tab');
  clock.advance(1000);
  expect(header()).toContain('again in 29 s · Enter reconnects');
});

test('Tab leads to a lost connection after the panes, and Enter there tries again now', async () => {
  const {app, press, woken} = await troubled(lost());
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

test('going left goes to the lists, not to the connection', async () => {
  const {app, press} = await troubled(lost());
  app.set({view: messagesView(topicNarrow(backend, 'deploy'))});
  press('h');
  expect(app.screen.focus).toBe('topics');
});

test('an Enter that comes just after all is well again gives the keys back and does nothing else', async () => {
  const {app, press, become, header, woken} = await troubled(lost());
  press('Tab');
  expect(app.screen.focus).toBe('connection');
  become({phase: 'online'});
  expect(header()).toContain('▌●');
  const {view} = app.screen;
  press('Enter');
  expect(app.screen).toMatchObject({focus: 'main', view});
  expect(woken()).toEqual([]);
});

test('a server that asked for patience gets it', async () => {
  const {app, press, type, woken, header, toast} = await troubled(lost({answered: 'wait'}));
  expect(header()).toContain('server busy, retrying in 12 s');
  press('Tab');
  expect(app.screen.focus).not.toBe('connection');
  press('Esc', ';');
  type('reconnect');
  press('Enter');
  expect(toast()).toBe('The server asked to wait: retrying in 12 s');
  expect(woken()).toEqual([]);
});

test('whoever is signed out is led to a new key', async () => {
  const out = {phase: 'signedOut', problem: 'The key is no longer good.'} as const;
  const without = await troubled(out);
  without.press('Tab', 'Enter');
  expect(without.woken()).toEqual(['manual']);
  const {app, press, header} = await troubled(out, {canLogIn: true});
  press('Tab');
  expect(app.screen.focus).toBe('connection');
  expect(header()).toMatch(/^▌Signed out — Enter logs in again/);
});
