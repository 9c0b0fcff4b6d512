import {expect, test} from 'vitest';
import {createReminder, scheduleMessage} from '#state/actions/messages.ts';
import {topicConversation} from '#state/model/conversation.ts';
import {draftsList} from '#ui/drafts-panel/panel-rows.ts';
import {organizationsNote} from '#ui/lists/list-source.ts';
import {cursorRow, visibleRowsOf} from '#ui/lists/visible-rows.ts';
import {twoServers} from './two-servers-fixture.ts';

const dayS = 86_400;

/** Two servers, and what is written on each: in acme for the next day, in beta for the day after it. */
async function writtenFixture() {
  const {all, shown} = await twoServers();
  const [acme, beta] = all;
  if (acme === undefined || beta === undefined) throw new Error('The fixture has two servers');
  const now = Math.floor(Date.now() / 1000);
  const press = (...keys: readonly string[]) => {
    for (const key of keys) (shown() === acme.app ? acme : beta).press(key);
  };
  // The list shows what another account has painted.
  const paint = () => {
    for (const {app} of [acme, beta]) app.frames.paintNow();
  };
  const rows = () => {
    shown().frames.paintNow();
    return visibleRowsOf(shown().frame, draftsList).rows.flatMap(({kind, mark, label}) =>
      kind === 'item' ? [`${mark} ${label}`] : [],
    );
  };
  return {
    acme,
    beta,
    press,
    rows,
    shown,
    schedule: async () => {
      for (const [at, {app, channelId}] of [acme, beta].entries()) {
        const conversation = topicConversation(channelId, 'tides');
        await scheduleMessage(app.session.context, {conversation, content: 'later', at: now + (at + 1) * dayS});
      }
      await expect.poll(() => [acme, beta].map(({app}) => app.state.scheduled.size)).toEqual([1, 1]);
      paint();
    },
    remind: async () => {
      for (const [at, {app, postMessage}] of [acme, beta].entries()) {
        const messageId = await postMessage('the tide', 'tides');
        await createReminder(app.session.context, {messageId, at: now + (at + 1) * dayS, note: ''});
      }
      await expect.poll(() => [acme, beta].map(({app}) => app.state.reminders.size)).toEqual([1, 1]);
      paint();
    },
    /** Makes the server of beta close every connection. */
    disconnect: async () => {
      await beta.hook('fault', {kind: 'drop_before', times: 100_000});
      await beta.hook('heartbeat');
    },
    at: () => [shown().info.accountName, cursorRow(shown().frame, draftsList)?.label],
    note: () => {
      shown().frames.paintNow();
      return organizationsNote(shown().frame)?.text;
    },
  };
}

test('organizations: a scheduled message of another organization is unscheduled there, and undo schedules it again', async () => {
  const {schedule, press, rows, at, acme, beta} = await writtenFixture();
  await schedule();
  press('d', '3');
  expect(rows()).toEqual(['ac #general › tides', 'be #general › tides']);
  press('j');
  expect(at()).toEqual(['beta', '#general › tides']);
  press('Delete');
  await expect.poll(rows).toEqual(['ac #general › tides']);
  expect([acme.app.state.scheduled.size, beta.app.state.scheduled.size]).toEqual([1, 0]);
  await expect.poll(() => beta.app.undoStack.canUndo).toBe(true);
  press('z');
  await expect.poll(rows).toEqual(['ac #general › tides', 'be #general › tides']);
});

test('organizations: a scheduled message of an organization that is not connected is unscheduled once it is', async () => {
  const {schedule, press, rows, shown, note, disconnect, beta} = await writtenFixture();
  await schedule();
  await disconnect();
  await expect.poll(note).toContain('beta: not connected');
  press('d', '3', 'j', 'Delete');
  expect([shown().info.accountName, shown().screen.toast?.text]).toEqual(['beta', 'Unscheduling…']);
  expect(rows()).toEqual(['ac #general › tides', 'be #general › tides']);
  await beta.hook('clear-faults');
  await expect.poll(rows, {timeout: 60_000}).toEqual(['ac #general › tides']);
});

test('organizations: selected reminders of all are deleted by one key and set again by one undo', async () => {
  const {remind, press, acme, beta, rows, shown} = await writtenFixture();
  await remind();
  press('d', '4');
  expect(rows()).toEqual(['ac #general › tides', 'be #general › tides']);
  press('v', 'j', 'v', 'Delete');
  expect(shown().screen.toast?.text).toBe('beta: Deleting…; acme: Deleting…');
  await expect.poll(rows).toEqual([]);
  const {app} = acme;
  await expect.poll(() => [app, beta.app].map(({undoStack}) => undoStack.canUndo)).toEqual([true, true]);
  press('z');
  await expect.poll(rows).toEqual(['ac #general › tides', 'be #general › tides']);
});

test('organizations: unsent messages of an organization that is not connected are counted until they are sent', async () => {
  const {acme, beta, note, shown, disconnect} = await writtenFixture();
  expect([shown(), note()]).toEqual([acme.app, undefined]);
  await disconnect();
  await expect.poll(note).toMatch(/^beta: not connected since [^,]+ \(Alt-2\)$/);
  const conversation = topicConversation(beta.channelId, 'tides');
  for (const content of ['one', 'two']) beta.app.session.outbox.send({conversation, content});
  // The states of the messages are for the failure's text.
  const outbox = () => beta.app.state.outbox.map(({content, status}) => `${content} ${status}`);
  const text = expect.stringMatching(/^beta: not connected since .+, 2 unsent \(Alt-2\)$/);
  await expect.poll(() => ({note: note(), outbox: outbox()})).toMatchObject({note: text});
  await beta.hook('clear-faults');
  await expect.poll(note, {timeout: 60_000}).toBeUndefined();
  const texts = () => [...beta.app.state.messages.byId.values()].map(({content}) => content);
  await expect.poll(texts).toEqual(['one', 'two']);
});

test('organizations: unsent messages of an organization that is logged out are counted', async () => {
  const {beta, note} = await writtenFixture();
  await beta.server.as(beta.meg).post('/users/me/api_key/regenerate', {});
  await beta.hook('heartbeat');
  await expect.poll(note).toBe('beta: logged out (Alt-2)');
  beta.app.session.outbox.send({conversation: topicConversation(beta.channelId, 'tides'), content: 'one'});
  await expect.poll(note).toBe('beta: logged out, 1 unsent (Alt-2)');
});

test('organizations: a message that the server of another organization refused is counted as unsent', async () => {
  const {beta, note} = await writtenFixture();
  await beta.hook('fault', {method: 'POST', path: '/messages', kind: 'status', status: 400, times: 1});
  const {id} = beta.app.session.outbox.send({conversation: topicConversation(beta.channelId, 'tides'), content: 'one'});
  await expect.poll(note).toBe('beta: 1 unsent (Alt-2)');
  beta.app.session.outbox.resend(id);
  await expect.poll(note).toBeUndefined();
});
