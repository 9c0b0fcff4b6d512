import {expect, test} from 'vitest';
import {triageRows} from '#app/inbox/triage-rows.ts';
import {cursorRow} from '#app/lists/visible-rows.ts';
import {openView} from '#app/navigation/navigation.ts';
import {initialState} from '#state/initial-state.ts';
import {systemClock} from '#std/clock.ts';
import {sessionFixture, waitForState} from '#test/state/session-fixture.ts';
import {appFixture} from '#test/support/app-fixture.ts';
import {ManualClock} from '#test/support/manual-clock.ts';

test('rows that were there before the server know how long they wait once it has answered', async () => {
  const stage = await sessionFixture();
  const ids: number[] = [];
  for (let at = 0; at < 6; at++) ids.push(await stage.say(`word ${at}`, `topic ${at}`));
  // More than what is fetched of everything.
  await Promise.all(Array.from({length: 210}, (_, at) => stage.say(`noise ${at}`, 'noise')));
  const first = stage.session();
  first.start();
  const known = await waitForState(first, ({connection, unreads}) => {
    return connection.phase === 'online' && unreads.byId.size === ids.length + 210;
  });
  // As the disk has it the next time: what is unread, and no message of it.
  const {messages, timelines, connection} = initialState;
  const session = stage.session({initial: {...known, messages, timelines, connection}});
  const {app} = appFixture({session});
  openView(app, {kind: 'inbox'});
  app.update((screen) => ({...screen, inbox: {...screen.inbox, isOrderSettled: true}}));
  app.frames.paintNow();
  session.start();
  await waitForState(session, ({messages}) => ids.every((id) => messages.byId.has(id)));
  app.frames.paintNow();
  const ages = triageRows(app.frame).flatMap((row) => (row.kind === 'item' ? [row.age] : []));
  expect(ages).toHaveLength(7);
  expect(ages).not.toContain('');
});

test('rows know how long they wait also after a new registration, and at the other end of the list', async () => {
  const stage = await sessionFixture();
  const ids: number[] = [];
  for (let at = 0; at < 45; at++) ids.push(await stage.say(`word ${at}`, `topic ${at}`));
  // More than what is fetched of everything.
  await Promise.all(Array.from({length: 210}, (_, at) => stage.say(`noise ${at}`, 'noise')));
  const session = stage.session();
  const {app, press} = appFixture({session, size: '120x60'});
  openView(app, {kind: 'inbox'});
  app.frames.paintNow();
  session.start();
  const blank = () => triageRows(app.frame).filter((row) => row.kind === 'item' && row.age === '');
  const areQuoted = async () => {
    while (blank().length > 0) {
      app.frames.paintNow();
      await new Promise(setImmediate);
    }
  };
  await waitForState(session, ({unreads}) => unreads.byId.size === ids.length + 210);
  press('G');
  await areQuoted();
  await stage.hook('expire-queues');
  await waitForState(session, () => stage.registrations === 2);
  await areQuoted();
  expect(blank()).toEqual([]);
});

test('an alert word anywhere in what is unread is among mentions at the first start, before anybody does anything', async () => {
  const stage = await sessionFixture();
  await stage.server.as(stage.meg).post('/users/me/alert_words', {alert_words: ['fire']});
  await stage.say('quiet', 'office');
  await stage.say('there is a fire', 'office');
  // More than what is fetched of everything, and further down than what is fetched because somebody may get there.
  await Promise.all(Array.from({length: 210}, (_, at) => stage.say(`noise ${at}`, `noise ${at % 6}`)));
  const clock = new ManualClock(systemClock.now());
  const session = stage.session();
  const {app} = appFixture({session, clock});
  openView(app, {kind: 'inbox'});
  app.frames.paintNow();
  session.start();
  await waitForState(session, ({connection}) => connection.phase === 'online');
  app.frames.paintNow();
  const rows = () => triageRows(app.frame).map((row) => (row.kind === 'item' ? row.label : row.inboxGroup));
  await waitForState(session, () => rows()[0] === 'mentions');
  expect(rows().slice(0, 3)).toEqual(['mentions', '#general › office', 'channels']);
  expect(app.screen.inbox.isOrderSettled).toBe(false);
  clock.advance(2000);
  while (!app.screen.inbox.isOrderSettled) await new Promise(setImmediate);
  expect(cursorRow(app.frame, 'inbox')?.label).toBe('#general › office');
});

test('an alert word is still known of after a new registration', async () => {
  const stage = await sessionFixture();
  await stage.server.as(stage.meg).post('/users/me/alert_words', {alert_words: ['fire']});
  await stage.say('quiet', 'office');
  await stage.say('there is a fire', 'office');
  // More than what is fetched of everything.
  await Promise.all(Array.from({length: 210}, (_, at) => stage.say(`noise ${at}`, `noise ${at % 6}`)));
  const session = stage.session();
  const {app} = appFixture({session});
  openView(app, {kind: 'inbox'});
  app.frames.paintNow();
  session.start();
  const isAlerted = () => {
    app.frames.paintNow();
    return triageRows(app.frame).some((row) => row.kind === 'item' && row.hasAlertWord);
  };
  await waitForState(session, isAlerted);
  await stage.hook('expire-queues');
  await waitForState(session, () => stage.registrations === 2);
  await waitForState(session, isAlerted);
});
