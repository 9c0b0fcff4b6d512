import {expect, test} from 'vitest';
import {openView} from '#app/navigation/navigation.ts';
import {initialState} from '#state/initial-state.ts';
import {systemClock} from '#std/clock.ts';
import {sessionFixture, waitForState} from '#test/state/session-fixture.ts';
import {appFixture} from '#test/support/app-fixture.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {inboxList} from '#ui/inbox/inbox-list.ts';
import {triageRows} from '#ui/inbox/triage-rows.ts';
import {cursorRow} from '#ui/lists/visible-rows.ts';

test('inbox prefetch: rows restored from disk show their ages once the server answered', async () => {
  const fixture = await sessionFixture({rateLimited: false});
  const ids: number[] = [];
  for (let at = 0; at < 6; at++) ids.push(await fixture.postMessage(`word ${at}`, `topic ${at}`));
  // More messages than the initial fetch returns.
  await Promise.all(Array.from({length: 210}, (_, at) => fixture.postMessage(`noise ${at}`, 'noise')));
  const first = fixture.session();
  first.start();
  const known = await waitForState(first, ({connection, unreads}) => {
    return connection.phase === 'online' && unreads.byId.size === ids.length + 210;
  });
  // The state as a restart finds it on disk: unread ids without messages.
  const {messages, timelines, connection} = initialState;
  const session = fixture.session({initial: {...known, messages, timelines, connection}});
  const {app} = appFixture({session});
  openView(app, {kind: 'inbox'});
  app.update((screen) => ({...screen, inbox: {...screen.inbox, isOrderFrozen: true}}));
  app.frames.paintNow();
  session.start();
  await waitForState(session, ({messages}) => ids.every((id) => messages.byId.has(id)));
  app.frames.paintNow();
  const ages = triageRows(app.frame).flatMap((row) => (row.kind === 'item' ? [row.age] : []));
  expect(ages).toHaveLength(7);
  expect(ages).not.toContain('');
});

test('inbox prefetch: rows show their ages after a new registration, also at the end of the list', async () => {
  const fixture = await sessionFixture({rateLimited: false});
  const ids: number[] = [];
  for (let at = 0; at < 45; at++) ids.push(await fixture.postMessage(`word ${at}`, `topic ${at}`));
  // More messages than the initial fetch returns.
  await Promise.all(Array.from({length: 210}, (_, at) => fixture.postMessage(`noise ${at}`, 'noise')));
  const session = fixture.session();
  const {app, press} = appFixture({session, size: '120x60'});
  openView(app, {kind: 'inbox'});
  app.frames.paintNow();
  session.start();
  const blank = () => triageRows(app.frame).filter((row) => row.kind === 'item' && row.age === '');
  const untilAgesShown = async () => {
    while (blank().length > 0) {
      app.frames.paintNow();
      await new Promise(setImmediate);
    }
  };
  await waitForState(session, ({unreads}) => unreads.byId.size === ids.length + 210);
  press('G');
  await untilAgesShown();
  await fixture.hook('expire-queues');
  await waitForState(session, () => fixture.registrations === 2);
  await untilAgesShown();
  expect(blank()).toEqual([]);
});

test('inbox prefetch: at the first start an unread alert word moves its conversation to the mentions before the order is frozen', async () => {
  const fixture = await sessionFixture({rateLimited: false});
  await fixture.server.as(fixture.meg).post('/users/me/alert_words', {alert_words: ['fire']});
  await fixture.postMessage('quiet', 'office');
  await fixture.postMessage('there is a fire', 'office');
  // More messages than the initial fetch returns, and below the rows that are fetched ahead.
  await Promise.all(Array.from({length: 210}, (_, at) => fixture.postMessage(`noise ${at}`, `noise ${at % 6}`)));
  const clock = new ManualClock(systemClock.now());
  const session = fixture.session();
  const {app} = appFixture({session, clock});
  openView(app, {kind: 'inbox'});
  app.frames.paintNow();
  session.start();
  await waitForState(session, ({connection}) => connection.phase === 'online');
  app.frames.paintNow();
  const rows = () => triageRows(app.frame).map(({label}) => label);
  await waitForState(session, () => rows()[0] === 'Mentions');
  expect(rows().slice(0, 4)).toEqual(['Mentions', '#general › office', 'Channels', '#general']);
  expect(app.screen.inbox.isOrderFrozen).toBe(false);
  clock.advance(2000);
  while (!app.screen.inbox.isOrderFrozen) await new Promise(setImmediate);
  expect(cursorRow(app.frame, inboxList)?.label).toBe('#general › office');
});

test('inbox prefetch: an alert word is still known after a new registration', async () => {
  const fixture = await sessionFixture({rateLimited: false});
  await fixture.server.as(fixture.meg).post('/users/me/alert_words', {alert_words: ['fire']});
  await fixture.postMessage('quiet', 'office');
  await fixture.postMessage('there is a fire', 'office');
  // More messages than the initial fetch returns.
  await Promise.all(Array.from({length: 210}, (_, at) => fixture.postMessage(`noise ${at}`, `noise ${at % 6}`)));
  const session = fixture.session();
  const {app} = appFixture({session});
  openView(app, {kind: 'inbox'});
  app.frames.paintNow();
  session.start();
  const isAlerted = () => {
    app.frames.paintNow();
    return triageRows(app.frame).some((row) => row.kind === 'item' && row.hasAlertWord);
  };
  await waitForState(session, isAlerted);
  await fixture.hook('expire-queues');
  await waitForState(session, () => fixture.registrations === 2);
  await waitForState(session, isAlerted);
});
