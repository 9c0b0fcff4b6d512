import {expect, test} from 'vitest';
import {openView} from '#app/navigation/navigation.ts';
import {createReminder, scheduleMessage} from '#state/actions/messages.ts';
import {topicConversation} from '#state/model/conversation.ts';
import {messageFixture} from '#test/app/message-actions/message-fixture.ts';
import {waitForState} from '#test/state/session-fixture.ts';
import {reminderNote} from '#ui/drafts-panel/panel-rows.ts';

const daySeconds = 86_400;
const inDays = (days: number) => Math.floor(Date.now() / 1000) + days * daySeconds;

async function scheduledFixture() {
  const parts = await messageFixture();
  const {session, fixture, app} = parts;
  const conversation = topicConversation(fixture.channelId, 'lunch');
  const id = await scheduleMessage(session.context, {conversation, content: 'soup', at: inDays(1)});
  await waitForState(session, ({scheduled}) => scheduled.has(id));
  openView(app, {kind: 'drafts', tab: 'scheduled'});
  return {...parts, id, scheduled: () => session.cache.state.scheduled.get(id)};
}

test('scheduled form: destination, text and time change together, and undo restores all', async () => {
  const {fixture, session, press, type, says, scheduled} = await scheduledFixture();
  const {server, meg, otto} = fixture;
  const queue = await server.as(meg).listen({event_types: ['scheduled_messages']});
  press('E');
  expect(await says('Scheduled message')).toMatch(/Topic +lunch/);
  press('Right', 'Tab');
  type('otto');
  press('Enter', 'Esc', 'Tab');
  type(' and bread');
  press('Tab', 'Ctrl-U');
  type('in 3 days');
  press('Ctrl-D');
  await waitForState(session, () => scheduled()?.content === 'soup and bread');
  expect(scheduled()?.conversation).toEqual({kind: 'direct', userIds: [otto.id]});
  expect(scheduled()?.scheduledDeliveryTimestamp).toBeGreaterThan(inDays(2));
  expect(await queue.next()).toMatchObject([{op: 'update', scheduled_message: {type: 'private'}}]);
  await says('Changed:');
  press('z');
  await waitForState(session, () => scheduled()?.content === 'soup' && scheduled()?.conversation.kind === 'topic');
  await says('The scheduled message is as before · Z redo');
  press('Z');
  await waitForState(session, () => scheduled()?.content === 'soup and bread');
  expect(scheduled()?.conversation).toEqual({kind: 'direct', userIds: [otto.id]});
});

test('scheduled form: a past time is refused while typing, and one channel is needed', async () => {
  const {press, type, overlay, scheduled} = await scheduledFixture();
  press('E', 'Tab', 'Backspace', 'Ctrl-D');
  expect(overlay()).toContain('Choose one channel');
  press('Shift-Tab', 'Shift-Tab', 'Shift-Tab', 'Shift-Tab', 'Ctrl-U');
  type('2020-01-01 10:00');
  expect(overlay()).toMatch(/in the future|Write a time/);
  expect(scheduled()?.content).toBe('soup');
});

test('scheduled form: an archived channel is not offered', async () => {
  const {fixture, session, press, type, says} = await scheduledFixture();
  const {server, channelId} = fixture;
  await server.as(server.people.owner()).delete(`/streams/${channelId}`);
  await waitForState(session, ({channels}) => channels.get(channelId)?.isArchived === true);
  press('E', 'Tab');
  type('general');
  await says('No matches');
});

test('scheduled form: what another client changes shows, and a message that is gone is not saved', async () => {
  const {fixture, id, press, type, says, app} = await scheduledFixture();
  const client = fixture.server.as(fixture.meg);
  press('E');
  await client.patch(`/scheduled_messages/${id}`, {topic: 'dinner'});
  await says(/Topic +dinner/);
  press('Tab', 'Tab', 'Tab');
  type('!');
  await fixture.hook('fault', {path: '/scheduled_messages', kind: 'status', status: 404, code: 'BAD_REQUEST'});
  press('Ctrl-D');
  expect(await says('Not saved')).toContain('soup!');
  expect(app.screen.overlays).toHaveLength(1);
});

test('reminder: set with a note, edited in a form, and undone', async () => {
  const {fixture, session, app, select, press, type, says} = await messageFixture();
  const reminders = () => [...session.cache.state.reminders.values()];
  const notes = () => reminders().map(reminderNote);
  await select(await fixture.postMessage('remember'));
  press('B');
  type('in 2 hours');
  press('Up', 'Enter');
  await says(/When/);
  press('Tab');
  type('ask Otto');
  press('Ctrl-D');
  await waitForState(session, () => reminders().length === 1);
  expect(notes()).toEqual(['ask Otto']);
  await says('Reminder set for');
  openView(app, {kind: 'drafts', tab: 'reminders'});
  press('E', 'Ctrl-U');
  type('in 5 days');
  press('Tab');
  type(' again');
  press('Ctrl-D');
  await waitForState(session, () => notes().join() === 'ask Otto again');
  expect(reminders()[0]?.scheduledDeliveryTimestamp).toBeGreaterThan(inDays(4));
  await says('z undo');
  press('z');
  await waitForState(session, () => notes().join() === 'ask Otto');
  await says('The reminder is as before · Z redo');
  press('Z');
  await waitForState(session, () => notes().join() === 'ask Otto again');
  await says('z undo');
  press('z');
  await waitForState(session, () => notes().join() === 'ask Otto');
});

test('reminder: the note has a limit, and a refusal of the server keeps the form', async () => {
  const {fixture, session, app, press, type, overlay, says} = await messageFixture();
  const messageId = await fixture.postMessage('remember');
  await createReminder(session.context, {messageId, at: inDays(1), note: 'n'.repeat(1000)});
  await waitForState(session, ({reminders}) => reminders.size === 1);
  openView(app, {kind: 'drafts', tab: 'reminders'});
  press('E', 'Tab');
  type('x');
  expect(overlay()).toContain('1 character too long');
  press('Backspace', 'Shift-Tab', 'Ctrl-U');
  type('in 2 days');
  await fixture.hook('fault', {path: '/reminders', kind: 'status', status: 400, code: 'BAD_REQUEST'});
  press('Ctrl-D');
  await says('Not saved');
  expect(session.cache.state.reminders.size).toBe(1);
});

test('reminderNote: found in the texts of servers that do not send it separately', () => {
  const reminder = {id: 1, scheduledDeliveryTimestamp: 0, reminderTargetMessageId: 2, failed: false, note: ''};
  const noteIn = (content: string) => reminderNote({...reminder, content});
  const said = '@_**Otto|9** [said](http://x/#narrow/near/2):\n```quote\nhello\n```';
  expect(noteIn(`You requested a reminder for the following message.\n\n${said}`)).toBe('');
  expect(noteIn(`You requested a reminder for the following message. Note:\n > a\n\nb\n\n${said}`)).toBe('a\n\nb');
  expect(noteIn(`call them\n\nYou asked to be reminded of [this message](x).\n\n${said}`)).toBe('call them');
});
