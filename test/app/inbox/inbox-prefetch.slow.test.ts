import {expect, test} from 'vitest';
import {triageRows} from '#app/inbox/triage-rows.ts';
import {cursorRow} from '#app/lists/visible-rows.ts';
import {openView} from '#app/navigation/navigation.ts';
import {initialState} from '#state/initial-state.ts';
import {systemClock} from '#std/clock.ts';
import {sessionStage, until} from '#test/state/session-fixture.ts';
import {appStage} from '#test/support/app-fixture.ts';
import {ManualClock} from '#test/support/manual-clock.ts';

test('rows that were there before the server know how long they wait once it has answered', async () => {
  const stage = await sessionStage();
  const ids: number[] = [];
  for (let at = 0; at < 6; at++) ids.push(await stage.say(`word ${at}`, `topic ${at}`));
  // More than what is fetched of everything.
  await Promise.all(Array.from({length: 210}, (_, at) => stage.say(`noise ${at}`, 'noise')));
  const first = stage.session();
  first.start();
  const known = await until(first, ({connection, unreads}) => {
    return connection.phase === 'online' && unreads.byId.size === ids.length + 210;
  });
  // As the disk has it the next time: what is unread, and no message of it.
  const {messages, timelines, connection} = initialState;
  const session = stage.session({initial: {...known, messages, timelines, connection}});
  const {app} = appStage({session});
  openView(app, {kind: 'inbox'});
  app.update((screen) => ({...screen, inbox: {...screen.inbox, isSettled: true}}));
  app.frames.now();
  session.start();
  await until(session, ({messages}) => ids.every((id) => messages.byId.has(id)));
  app.frames.now();
  const ages = triageRows(app.frame).flatMap((row) => (row.kind === 'item' ? [row.age] : []));
  expect(ages).toHaveLength(7);
  expect(ages).not.toContain('');
});

test('rows know how long they wait also after a new registration, and at the other end of the list', async () => {
  const stage = await sessionStage();
  const ids: number[] = [];
  for (let at = 0; at < 45; at++) ids.push(await stage.say(`word ${at}`, `topic ${at}`));
  // More than what is fetched of everything.
  await Promise.all(Array.from({length: 210}, (_, at) => stage.say(`noise ${at}`, 'noise')));
  const session = stage.session();
  const {app, press} = appStage({session, size: '120x60'});
  openView(app, {kind: 'inbox'});
  app.frames.now();
  session.start();
  const blank = () => triageRows(app.frame).filter((row) => row.kind === 'item' && row.age === '');
  const areQuoted = async () => {
    while (blank().length > 0) {
      app.frames.now();
      await new Promise(setImmediate);
    }
  };
  await until(session, ({unreads}) => unreads.byId.size === ids.length + 210);
  press('G');
  await areQuoted();
  await stage.hook('expire-queues');
  await until(session, () => stage.registrations === 2);
  await areQuoted();
  expect(blank()).toEqual([]);
});

test('an alert word anywhere in what is unread is among mentions at the first start, before anybody does anything', async () => {
  const stage = await sessionStage();
  await stage.server.as(stage.meg).post('/users/me/alert_words', {alert_words: ['fire']});
  await stage.say('quiet', 'office');
  await stage.say('there is a fire', 'office');
  // More than what is fetched of everything, and further down than what is fetched because somebody may get there.
  await Promise.all(Array.from({length: 210}, (_, at) => stage.say(`noise ${at}`, `noise ${at % 6}`)));
  const clock = new ManualClock(systemClock.now());
  const session = stage.session();
  const {app} = appStage({session, clock});
  openView(app, {kind: 'inbox'});
  app.frames.now();
  session.start();
  await until(session, ({connection}) => connection.phase === 'online');
  app.frames.now();
  const rows = () => triageRows(app.frame).map((row) => (row.kind === 'item' ? row.label : row.inGroup));
  await until(session, () => rows()[0] === 'mentions');
  expect(rows().slice(0, 3)).toEqual(['mentions', '#general › office', 'channels']);
  expect(app.screen.inbox.isSettled).toBe(false);
  clock.advance(2000);
  while (!app.screen.inbox.isSettled) await new Promise(setImmediate);
  expect(cursorRow(app.frame, 'inbox')?.label).toBe('#general › office');
});

test('an alert word is still known of after a new registration', async () => {
  const stage = await sessionStage();
  await stage.server.as(stage.meg).post('/users/me/alert_words', {alert_words: ['fire']});
  await stage.say('quiet', 'office');
  await stage.say('there is a fire', 'office');
  // More than what is fetched of everything.
  await Promise.all(Array.from({length: 210}, (_, at) => stage.say(`noise ${at}`, `noise ${at % 6}`)));
  const session = stage.session();
  const {app} = appStage({session});
  openView(app, {kind: 'inbox'});
  app.frames.now();
  session.start();
  const isAlerted = () => {
    app.frames.now();
    return triageRows(app.frame).some((row) => row.kind === 'item' && row.hasAlertWord);
  };
  await until(session, isAlerted);
  await stage.hook('expire-queues');
  await until(session, () => stage.registrations === 2);
  await until(session, isAlerted);
});
