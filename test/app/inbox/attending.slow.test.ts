import {expect, test} from 'vitest';
import {triageRows} from '#app/inbox/triage-rows.ts';
import {openView} from '#app/navigation.ts';
import {initialState} from '#state/initial.ts';
import {sessionStage, until} from '#test/state/session-stage.ts';
import {appStage} from '#test/support/app-stage.ts';

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
