import {expect, test} from 'vitest';
import {openView} from '#app/navigation/navigation.ts';
import {requestFromServer} from '#app/requests/server-request.ts';
import {type MessageFixture, messageFixture, untilApp} from '#test/app/message-actions/message-fixture.ts';
import {changeFaults} from '#test/support/faults.ts';

interface Change {
  readonly method: string;
  readonly path: string;
  /** Makes the change by keys; a message of Otto is selected. */
  start(parts: MessageFixture): Promise<void> | void;
  /** Returns how many things the server has that the change made. */
  count(parts: MessageFixture, messageId: number): Promise<number>;
  readonly done: string;
  readonly notDone: string;
}

const topicOf = async ({fixture: {server, meg}}: MessageFixture, id: number): Promise<string> =>
  (await server.as(meg).get(`/messages/${id}`)).message.subject;

const changes: Readonly<Record<string, Change>> = {
  schedule: {
    method: 'POST',
    path: '/scheduled_messages',
    start: ({press, type}) => {
      press('r');
      type('later');
      press('Ctrl-X', 's', 'Enter');
    },
    count: async ({fixture: {server, meg}}) =>
      (await server.as(meg).get('/scheduled_messages')).scheduled_messages.length,
    done: 'Scheduled for',
    notDone: 'Not scheduled, saved as a draft',
  },
  reminder: {
    method: 'POST',
    path: '/reminders',
    start: ({press}) => press('B', 'Enter'),
    count: async ({fixture: {server, meg}}) => (await server.as(meg).get('/reminders')).reminders.length,
    done: 'Reminder set for',
    notDone: 'Reminder not set',
  },
  move: {
    method: 'PATCH',
    path: '/messages',
    start: async ({press, type, says}) => {
      press('m');
      await says('Move from');
      press('Ctrl-U');
      type('tea time');
      press('Enter');
      await says('Move to #general › tea time');
      press('n', '3');
    },
    count: async (parts, id) => ((await topicOf(parts, id)) === 'tea time' ? 1 : 0),
    done: 'Moved to #general › tea time',
    notDone: 'Not moved',
  },
  resolve: {
    method: 'PATCH',
    path: '/messages',
    start: ({press}) => press('T'),
    count: async (parts, id) => ((await topicOf(parts, id)) === '✔ talk' ? 1 : 0),
    done: 'Resolved ',
    notDone: 'Topic not changed',
  },
};

const cases = Object.entries(changes).flatMap(([name, change]) => changeFaults.map((one) => ({name, change, ...one})));

const unknownText = 'It is unknown whether';
const undoneText = /Unresolved again|draft again|deleted|Moved back/;

test.each(cases)('$name: after $title, the screen says what the server has', async ({change, fault, made}) => {
  const parts = await messageFixture();
  const {fixture, select, says, press, app} = parts;
  const id = await fixture.postMessage('hello');
  await select(id);
  const {method, path, done, notDone} = change;
  await fixture.hook('fault', {method, path, ...fault});
  await change.start(parts);
  // Until it is known, the screen says that it is not.
  await untilApp(app, () => [done, notDone].some((text) => app.screen.toast?.text.startsWith(text)));
  expect(await change.count(parts, id)).toBe(made);
  expect(app.screen.toast?.text).toContain(made === 1 ? done : notDone);
  if (made === 0) return;
  press('Esc', 'z');
  // Not the text of the request that is under way, such as "Moving back to…".
  await says(undoneText);
  expect(await change.count(parts, id)).toBe(0);
});

test.each(Object.entries(changes))(
  '%s: when the server cannot be asked after a lost response, the screen says that the result is unknown',
  async (_name, change) => {
    const parts = await messageFixture();
    const {fixture, select, press, says, app} = parts;
    const id = await fixture.postMessage('hello');
    await select(id);
    const {method, path} = change;
    await fixture.hook('fault', {method, path, kind: 'drop_after'});
    await fixture.hook('fault', {method: 'GET', path, kind: 'drop_before', times: 100});
    await change.start(parts);
    await untilApp(app, () => app.screen.toast?.text.includes(unknownText) === true);
    expect(app.screen.toast?.text).toMatch(/Look before you do it again.*Parley keeps looking/);
    press('Esc', 'z');
    await says('unknown whether it was done');
    await fixture.hook('clear-faults');
    await says(change.done);
    expect(await change.count(parts, id)).toBe(1);
    press('Esc', 'z');
    await says(undoneText);
    expect(await change.count(parts, id)).toBe(0);
  },
);

test('schedule: while the result is unknown, the text is not sent, and afterwards it is no draft any more', async () => {
  const {fixture, select, session, press, says, app} = await messageFixture();
  await select(await fixture.postMessage('hello'));
  await fixture.hook('fault', {method: 'POST', path: '/scheduled_messages', kind: 'drop_after'});
  await fixture.hook('fault', {method: 'GET', path: '/scheduled_messages', kind: 'drop_before', times: 10_000});
  press('r', ...'later', 'Ctrl-X', 's', 'Enter');
  await untilApp(app, () => app.screen.toast?.text.includes(unknownText) === true);
  openView(app, {kind: 'drafts', tab: 'drafts'});
  press('Enter', 'Enter');
  expect(app.screen.composer.warnings.map(({text}) => text)).toEqual([
    'This text is being scheduled: wait until it is known whether that was done.',
  ]);
  await fixture.hook('clear-faults');
  await says('Scheduled for');
  expect(session.cache.state.outbox).toEqual([]);
  expect(session.drafts.all()).toEqual([]);
});

test('schedule: a draft that was changed while the result was unknown is kept', async () => {
  const {fixture, select, session, press, says, app} = await messageFixture();
  await select(await fixture.postMessage('hello'));
  await fixture.hook('fault', {method: 'POST', path: '/scheduled_messages', kind: 'drop_after'});
  await fixture.hook('fault', {method: 'GET', path: '/scheduled_messages', kind: 'drop_before', times: 10_000});
  press('r', ...'later', 'Ctrl-X', 's', 'Enter');
  await untilApp(app, () => app.screen.toast?.text.includes(unknownText) === true);
  const [draft] = session.drafts.all();
  session.drafts.edit(draft?.id, {target: draft?.target ?? {kind: 'none', topic: ''}, content: 'much later'});
  await fixture.hook('clear-faults');
  await says('Scheduled for');
  expect(session.drafts.all().map(({content}) => content)).toEqual(['much later']);
});

test('request: a failure that leaves open whether it was carried out is never reported as not done', async () => {
  const {fixture, app, session, says} = await messageFixture();
  const id = await fixture.postMessage('hello');
  await fixture.hook('fault', {method: 'POST', path: `/messages/${id}/report`, kind: 'status', status: 500});
  requestFromServer(app, {
    progressText: 'Reporting…',
    send: () => session.context.api.reportMessage({message_id: id, report_type: 'spam'}),
    doneText: () => 'Reported',
    failureText: 'Not reported',
  });
  expect(await says(unknownText)).not.toContain('Not reported');
});
