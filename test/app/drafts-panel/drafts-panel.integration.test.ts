import {expect, test, vi} from 'vitest';
import {openConversation} from '#app/navigation/navigation.ts';
import {createReminder, scheduleMessage} from '#state/actions/messages.ts';
import {type Conversation, directConversation, topicConversation} from '#state/model/conversation.ts';
import {sessionFixture, waitForState} from '#test/state/session-fixture.ts';
import {appFixture} from '#test/support/app-fixture.ts';
import {egFrame, egRect, textOf} from '#test/support/frame-fixture.ts';
import {assertLineContract} from '#test/support/line-contract.ts';
import {overlayRows, overlayText} from '#test/support/overlay-text.ts';
import {listPane, overlayLines} from '#test/support/part-lines.ts';
import * as eg from '#test/support/state-builders.ts';
import {draftPreviewLines, draftsList, reminderNote} from '#ui/drafts-panel/panel-rows.ts';
import {paintLine} from '#ui/Lines.tsx';
import {selectedOutboxEntry} from '#ui/message-pane/selected-message.ts';
import {openedPicker, pickerRows} from '#ui/overlays/picker-rows.ts';
import {screenLayout} from '#ui/screen-layout.ts';

const lines = listPane(draftsList);

/** Meg's drafts panel, empty. */
async function draftsFixture(size = '80x24') {
  const fixture = await sessionFixture();
  const session = fixture.session({random: Math.random});
  session.start();
  await session.ready();
  const app = appFixture({session, size});
  const lunch = topicConversation(fixture.channelId, 'lunch');
  const otto = directConversation([fixture.otto.id], fixture.meg.id);
  return {
    ...app,
    fixture,
    session,
    lunch,
    otto,
    draft: (target: Conversation, content: string) => session.drafts.edit(undefined, {target, content}),
    rows: () => textOf(lines(app.app.frame, screenLayout(app.app.frame).main)),
    toast: () => app.app.screen.toast?.text,
    until: (holds: Parameters<typeof waitForState>[1]) => waitForState(session, holds),
  };
}

/** Two scheduled messages, which are being unscheduled together. */
async function twoUnscheduled() {
  const fixture = await draftsFixture();
  const {press, session, lunch, otto, until} = fixture;
  const at = Math.floor(Date.now() / 1000) + 86_400;
  for (const conversation of [lunch, otto])
    await scheduleMessage(session.context, {conversation, content: 'tomorrow', at});
  await until(({scheduled}) => scheduled.size === 2);
  press('d', '3', 'v', 'j', 'v', 'Backspace');
  return fixture;
}

test('drafts panel: lists drafts by last edit, with destination and first lines', async () => {
  const {draft, lunch, otto, press, rows} = await draftsFixture();
  draft(otto, 'about the board');
  draft(lunch, 'soup?\n\nor salad');
  press('d');
  const shown = rows();
  expect(shown[0]).toBe('  1 Drafts 2  2 Outbox  3 Scheduled  4 Reminders');
  expect(shown[2]).toMatch(/^▌ #general › lunch .*now$/);
  expect(shown.slice(3, 5)).toEqual(['    soup?', '    or salad']);
  expect(shown[5]).toMatch(/^ {2}Otto .*now$/);
  expect(shown[6]).toBe('    about the board');
});

test('drafts panel: drafts of the previous conversation come first', async () => {
  const {draft, lunch, otto, press, rows, app} = await draftsFixture();
  draft(lunch, 'soup');
  draft(otto, 'later than soup');
  openConversation(app, lunch);
  press('d');
  expect(rows()[2]).toContain('#general › lunch');
});

test('drafts panel: Enter opens a draft in its conversation', async () => {
  const {draft, lunch, press, app} = await draftsFixture();
  draft(lunch, 'soup');
  press('d', 'Enter');
  expect(app.screen.view).toMatchObject({kind: 'messages', narrow: [{}, {operand: 'lunch'}]});
  expect(app.screen.focus).toBe('composer');
  expect(app.screen.composer.field.text).toBe('soup');
});

test('drafts panel: e edits a draft without leaving the panel, and the text is saved', async () => {
  const {draft, lunch, press, type, app, rows, session} = await draftsFixture();
  const {id} = draft(lunch, 'soup') ?? {id: ''};
  press('d', 'E');
  expect(app.screen.view.kind).toBe('drafts');
  expect(rows()[2]).toContain('open in the composer');
  type('!');
  press('Esc');
  expect(session.drafts.get(id)?.content).toBe('soup!');
  expect(app.screen.focus).toBe('main');
});

test('drafts panel: S asks with the destination and the text, then sends the draft and removes it', async () => {
  const {app, draft, lunch, press, rows, until, toast} = await draftsFixture();
  draft(lunch, 'soup');
  press('d', 'S');
  const question = openedPicker(app);
  expect(question?.picker.title).toBe('Send to #general › lunch?');
  expect(question && pickerRows(app.frame, question).map(({label, detail}) => [label, detail])).toContainEqual([
    'Send',
    'soup',
  ]);
  press('Enter');
  expect(app.state.outbox).toEqual([]);
  press('S', 'y');
  expect(toast()).toBe('Sent to #general › lunch');
  expect(rows()[0]).toContain('1 Drafts  2 Outbox');
  const state = await until(({messages}) => [...messages.byId.values()].some(({content}) => content === 'soup'));
  expect(state.localDrafts).toEqual([]);
});

test('drafts panel: S asks for confirmation when the composer would warn', async () => {
  const {draft, press, app, fixture} = await draftsFixture();
  draft(topicConversation(fixture.channelId, '✔ lunch'), 'soup');
  press('d', 'S');
  expect(openedPicker(app)?.picker.id).toBe('confirm');
  press('Esc');
  expect(app.state.outbox).toEqual([]);
  press('S', 'Down', 'Enter');
  expect(app.state.outbox).toHaveLength(1);
});

test('drafts panel: S sends no draft that may be scheduled already, until that is known', async () => {
  const {draft, lunch, press, session, toast, app} = await draftsFixture();
  const release = session.drafts.hold(draft(lunch, 'soup?')?.id ?? '');
  press('d', 'S');
  expect(toast()).toBe('This text is being scheduled: wait until it is known whether that was done.');
  expect(app.screen.overlays).toEqual([]);
  release();
  press('S');
  expect(app.screen.overlays).toHaveLength(1);
});

test('drafts panel: Backspace deletes a draft, z restores it', async () => {
  const {draft, lunch, press, rows, toast, session} = await draftsFixture();
  draft(lunch, 'soup');
  press('d', 'Backspace');
  expect(toast()).toBe('Deleted the draft for #general › lunch · z undo');
  expect(rows().join('\n')).toContain('No drafts. Unsent text is saved here.');
  press('z');
  expect(session.drafts.all()).toMatchObject([{content: 'soup', target: {topic: 'lunch'}}]);
  expect(rows()[2]).toContain('#general › lunch');
  press('Z');
  expect([toast(), session.drafts.all()]).toEqual(['Deleted the draft for #general › lunch · z undo', []]);
  press('z');
  expect(session.drafts.all()).toMatchObject([{content: 'soup'}]);
});

test('drafts panel: e marks nothing read, and redo does not delete a draft that was changed since', async () => {
  const {draft, lunch, press, toast, session} = await draftsFixture();
  const id = draft(lunch, 'soup')?.id;
  press('d', 'e');
  expect(toast()).toBe('There is nothing to mark read in this list');
  press('Backspace', 'z');
  session.drafts.edit(id, {target: lunch, content: 'soup and bread'});
  press('Z');
  expect(toast()).toBe('Not redone: the draft was changed or sent since.');
  expect(session.drafts.all()).toMatchObject([{content: 'soup and bread'}]);
});

test('drafts panel: several drafts are deleted and restored together', async () => {
  const {draft, lunch, otto, press, toast, session} = await draftsFixture();
  draft(lunch, 'one');
  draft(lunch, 'two');
  draft(otto, 'three');
  press('d', 'v', 'j', 'v', 'j', 'Delete');
  expect(toast()).toBe('Deleted 2 drafts · z undo');
  expect(session.drafts.all()).toHaveLength(1);
  press('z');
  expect(session.drafts.all()).toHaveLength(3);
});

test('drafts panel: after several were deleted nothing is selected, and another tab begins without a selection', async () => {
  const {draft, lunch, otto, press, app} = await draftsFixture();
  for (const content of ['one', 'two', 'three']) draft(lunch, content);
  draft(otto, 'four');
  const selected = () => [...app.screen.lists.drafts.selected];
  press('d', 'v', 'j', 'v');
  expect(selected()).toHaveLength(2);
  press('Delete');
  expect(selected()).toEqual([]);
  press('z', 'v');
  expect(selected()).toHaveLength(1);
  press('2', '1');
  expect(selected()).toEqual([]);
});

test('drafts panel: a draft without a destination can be opened nowhere, and says so', async () => {
  const {press, session, toast, app} = await draftsFixture();
  session.drafts.edit(undefined, {target: {kind: 'none', topic: 'half a topic'}, content: 'for whom?'});
  press('d', 'o');
  expect(app.screen.view.kind).toBe('drafts');
  expect(toast()).toBe('This draft has no destination yet.');
});

test('drafts panel: the picker of a destination offers a topic that exists once, whatever is typed', async () => {
  const {draft, press, type, app, fixture, until} = await draftsFixture();
  const id = await fixture.postMessage('soup', 'lunch');
  await until(({messages}) => messages.byId.has(id));
  draft(topicConversation(4711, 'gone'), 'lost words');
  press('d', 'Enter');
  expect(overlayRows(app)[0]).toContain('#channel>topic, or a name');
  type('#general>lunch');
  const offered = () => overlayRows(app).filter((row) => row.includes('#general › lunch'));
  await expect.poll(offered).toHaveLength(1);
  expect(offered()[0]).not.toContain('new topic');
});

test('drafts panel: the picker of a destination marks what was found, and says that a topic is new', async () => {
  const {draft, press, type, app, fixture, until} = await draftsFixture();
  const ids = [await fixture.postMessage('soup', 'lunch'), await fixture.postMessage('nuts', 'brunch')];
  await until(({messages}) => ids.every((id) => messages.byId.has(id)));
  draft(topicConversation(4711, 'gone'), 'lost words');
  press('d', 'Enter');
  type('unch');
  const matched = () =>
    overlayLines(app.frame).flatMap(({spans}) => spans.filter(({role}) => role === 'matched').map(({text}) => text));
  await expect.poll(matched).toEqual(['unch', 'unch']);
  press('Down');
  expect(overlayRows(app).filter((row) => row.startsWith('▌'))).toHaveLength(1);
  press('Ctrl-U');
  // The keys of “lunch” in a Russian layout.
  type('дгтср');
  expect(overlayRows(app)[1]).toMatch(/^▌#general › lunch/);
  press('Ctrl-U');
  type('#general>tea');
  expect(overlayRows(app)[1]).toMatch(/^▌#general › tea +new topic/);
});

test('drafts panel: a draft whose destination is gone is marked, and Enter asks for another', async () => {
  const {draft, press, type, rows, app, session, lunch} = await draftsFixture();
  draft(lunch, 'for later');
  draft(topicConversation(4711, 'gone'), 'lost words');
  press('d');
  expect(rows()[2]).toMatch(/^▌ #unknown channel › gone .*no longer exists: Enter picks another {2}now$/);
  press('Enter');
  type('#general>lunch');
  expect(overlayRows(app).join('\n')).toContain('▌#general › lunch');
  press('Enter');
  expect(app.screen.composer.field.text).toBe('lost words');
  expect(session.drafts.all()).toMatchObject([{target: {topic: 'lunch'}}, {target: {topic: 'lunch'}}]);
});

test('drafts panel: a draft from another client appears, and disappears when deleted there', async () => {
  const {press, rows, fixture, until} = await draftsFixture();
  press('d');
  const drafts = [{type: 'stream', to: [fixture.channelId], topic: 'far', content: 'from afar', timestamp: 1}];
  const {ids} = await fixture.server.as(fixture.meg).post('/drafts', {drafts});
  await until(({localDrafts}) => localDrafts.length === 1);
  expect(rows().slice(2, 4).join('\n')).toMatch(/#general › far.*from afar/s);
  await fixture.server.as(fixture.meg).delete(`/drafts/${ids[0]}`);
  await until(({localDrafts}) => localDrafts.length === 0);
  expect(rows().join('\n')).toContain('No drafts.');
});

test('drafts panel: d and Esc close it', async () => {
  const {press, app, lunch} = await draftsFixture();
  openConversation(app, lunch);
  press('d', 'd');
  expect(app.screen.view).toMatchObject({kind: 'messages'});
  press('d', 'Esc');
  expect(app.screen.view.kind).not.toBe('drafts');
});

test('outbox: what may not arrive is in another color than what is on its way', async () => {
  const {press, session, app} = await draftsFixture();
  const notes = {queued: 'queued', sending: 'sending', unconfirmed: 'may have arrived', failed: 'not sent'};
  const outbox = Object.keys(notes).map((status, order) =>
    eg.outboxEntry({id: status, status: status as keyof typeof notes, order}),
  );
  session.cache.apply({type: 'outbox_changed', outbox});
  press('d', '2');
  const spans = lines(app.frame, screenLayout(app.frame).main).flatMap((line) => line.spans);
  const roles = Object.values(notes).map((note) => spans.find(({text}) => text === `${note}  `)?.role);
  expect(roles).toEqual(['pending', 'pending', 'warning', 'failed']);
});

test('outbox: a failed message can be retried and discarded, and undo restores it as a draft', async () => {
  const {press, rows, session, toast, until} = await draftsFixture();
  const refused = topicConversation(4711, 'nowhere');
  session.outbox.send({conversation: refused, content: 'doomed'});
  await until(({outbox}) => outbox[0]?.status === 'failed');
  press('d', '2');
  expect(rows()[0]).toContain('2 Outbox 1');
  expect(rows()[2]).toMatch(/not sent {2}/);
  press('S', 'y');
  expect(toast()).toBe('Sending again');
  await until(({outbox}) => outbox[0]?.status === 'failed');
  press('Backspace');
  expect(session.cache.state.outbox).toEqual([]);
  press('z');
  expect(session.drafts.all()).toMatchObject([{content: 'doomed'}]);
  press('Z');
  expect([session.drafts.all(), session.cache.state.outbox]).toEqual([[], []]);
});

test('outbox: several discarded messages are restored as drafts by one undo; those on their way are not discarded', async () => {
  const {press, session, toast, until, lunch} = await draftsFixture();
  for (const content of ['one', 'two']) {
    session.outbox.send({conversation: topicConversation(4711, 'nowhere'), content});
    await until(({outbox}) => outbox.every(({status}) => status === 'failed'));
  }
  press('d', '2', 'v', 'j', 'v', 'Backspace');
  expect([toast(), session.cache.state.outbox]).toEqual(['Not sent: 2 messages · z undo', []]);
  press('z');
  expect(session.drafts.all().map(({content}) => content)).toEqual(['one', 'two']);
  press('Z');
  expect(session.drafts.all()).toEqual([]);
  const {outbox} = session.context.store;
  const {id} = outbox.add({id: 'a', conversation: lunch, content: 'on its way', createdAt: 0, draftId: undefined});
  outbox.claim(id, {sentAt: Date.now(), afterMessageId: 0});
  session.cache.apply({type: 'outbox_changed', outbox: outbox.all()});
  press('Backspace');
  expect(toast()).toBe('Already being sent');
  expect(outbox.all()).toMatchObject([{content: 'on its way', status: 'sending'}]);
});

test('outbox: a message that was not sent becomes a draft by name; a draft has nothing to cancel', async () => {
  const {app, draft, otto, press, type, rows, session, toast, until} = await draftsFixture();
  const cancel = () => {
    press(';');
    type('cancel sending; keep');
  };
  draft(otto, 'about the board');
  press('d');
  cancel();
  expect(overlayText(app.frame).join('\n')).toContain('Only for messages in the outbox');
  press('Esc');
  session.outbox.send({conversation: topicConversation(4711, 'nowhere'), content: 'doomed'});
  await until(({outbox}) => outbox[0]?.status === 'failed');
  press('2');
  cancel();
  press('Enter');
  expect(toast()).toBe('Saved as a draft · d drafts');
  expect(session.cache.state.outbox).toEqual([]);
  expect(session.drafts.all().map(({content}) => content)).toContain('doomed');
  press('1');
  expect(rows().join('\n')).toContain('doomed');
});

test('outbox: an unconfirmed message shows its text; Enter opens it in its conversation, and S asks before sending', async () => {
  const {press, rows, session, app, lunch, until} = await draftsFixture();
  const {outbox} = session.context.store;
  const {id} = outbox.add({id: 'a', conversation: lunch, content: 'perhaps sent', createdAt: 0, draftId: undefined});
  outbox.update(id, ['queued'], {status: 'unconfirmed', problem: 'The connection was lost while sending.'});
  session.cache.apply({type: 'outbox_changed', outbox: outbox.all()});
  press('g', 'o');
  expect(rows()[2]).toMatch(/#general › lunch.*may have arrived/);
  expect(rows()[3]).toContain('perhaps sent');
  expect(rows()[4]).toContain('! The connection was lost while sending');
  press('S');
  expect(overlayText(app.frame).join('\n')).toContain('Send again? It may have arrived already');
  press('Esc', 'Enter');
  await until(({timelines}) => [...timelines.values()].some(({hasNewest}) => hasNewest));
  app.frames.paintNow();
  expect(selectedOutboxEntry(app)).toMatchObject({content: 'perhaps sent', status: 'unconfirmed'});
  expect(outbox.all()).toMatchObject([{status: 'unconfirmed'}]);
});

test('outbox: Enter selects the unsent message, also when a later one follows it', async () => {
  const {press, session, app, lunch, fixture, until} = await draftsFixture();
  const {outbox} = session.context.store;
  await fixture.postMessage('soup', 'lunch');
  for (const content of ['first', 'second']) {
    const {id} = outbox.add({id: content, conversation: lunch, content, createdAt: 0, draftId: undefined});
    outbox.update(id, ['queued'], {status: 'unconfirmed'});
  }
  session.cache.apply({type: 'outbox_changed', outbox: outbox.all()});
  press('g', 'o');
  const opened = [];
  for (const key of ['Home', 'End']) {
    press(key, 'Enter');
    await until(({timelines}) => [...timelines.values()].some(({hasNewest}) => hasNewest));
    app.frames.paintNow();
    opened.push(selectedOutboxEntry(app)?.content);
    press('g', 'o');
  }
  expect(opened.toSorted()).toEqual(['first', 'second']);
});

test('scheduled: deleting can be undone, and Enter turns the message into a draft', async () => {
  const {press, rows, session, lunch, app, until, toast} = await draftsFixture();
  const at = Math.floor(Date.now() / 1000) + 86_400;
  await scheduleMessage(session.context, {conversation: lunch, content: 'tomorrow', at});
  await until(({scheduled}) => scheduled.size === 1);
  press('d', '3');
  expect(rows()[2]).toMatch(/^▌ #general › lunch .*tomorrow, \d+:\d\d .M$/);
  press('Backspace');
  await until(({scheduled}) => scheduled.size === 0);
  await expect.poll(toast).toBe('Unscheduled: #general › lunch · z undo');
  press('z');
  await until(({scheduled}) => scheduled.size === 1);
  await expect.poll(toast).toMatch(/^Scheduled again: /);
  press('Z');
  await until(({scheduled}) => scheduled.size === 0);
  await expect.poll(toast).toBe('Unscheduled: #general › lunch · z undo');
  press('z');
  await until(({scheduled}) => scheduled.size === 1);
  await expect.poll(toast).toMatch(/^Scheduled again: /);
  press('Enter');
  await until(({scheduled}) => scheduled.size === 0);
  await expect.poll(() => app.screen.composer.field.text).toBe('tomorrow');
  expect(session.drafts.all()).toMatchObject([{content: 'tomorrow'}]);
});

test('scheduled: a message can be rescheduled and sent now', async () => {
  const {press, type, session, lunch, app, until} = await draftsFixture();
  const at = Math.floor(Date.now() / 1000) + 86_400;
  await scheduleMessage(session.context, {conversation: lunch, content: 'now then', at});
  await until(({scheduled}) => scheduled.size === 1);
  press('d', '3', 'E', 'Shift-Tab', 'Shift-Tab', 'Ctrl-U');
  type('in 3 days');
  press('Ctrl-D');
  await until(({scheduled}) => ([...scheduled.values()][0]?.scheduledDeliveryTimestamp ?? 0) > at + 86_400);
  await expect.poll(() => app.screen.overlays).toEqual([]);
  press('S', 'y');
  await until(({messages}) => [...messages.byId.values()].some(({content}) => content === 'now then'));
  expect(app.state.localDrafts).toEqual([]);
  expect(app.state.scheduled.size).toBe(0);
});

test('scheduled: several are unscheduled together, scheduled again by one undo, and unscheduled again by redo', async () => {
  const {press, until, toast} = await twoUnscheduled();
  await until(({scheduled}) => scheduled.size === 0);
  await expect.poll(toast).toBe('Unscheduled: 2 messages · z undo');
  press('z');
  await until(({scheduled}) => scheduled.size === 2);
  await expect.poll(toast).toMatch(/^Scheduled again: /);
  press('Z');
  await until(({scheduled}) => scheduled.size === 0);
});

test('scheduled: several that an undo schedules again are not redone before the server has answered for each', async () => {
  const {press, until, toast} = await twoUnscheduled();
  await expect.poll(toast).toBe('Unscheduled: 2 messages · z undo');
  press('z', 'Z');
  expect(toast()).toBe('Still being undone: Unscheduled: 2 messages');
  await expect.poll(toast).toBe('Scheduled again: 2 messages · Z redo');
  press('Z');
  await until(({scheduled}) => scheduled.size === 0);
  await expect.poll(toast).toBe('Unscheduled: 2 messages · z undo');
});

test('scheduled: those that were unscheduled can be scheduled again although the server did not unschedule another one', async () => {
  const {press, session, lunch, otto, until, toast, fixture} = await draftsFixture();
  const at = Math.floor(Date.now() / 1000) + 86_400;
  await scheduleMessage(session.context, {conversation: lunch, content: 'for lunch', at});
  const refused = await scheduleMessage(session.context, {conversation: otto, content: 'for Otto', at});
  await until(({scheduled}) => scheduled.size === 2);
  const path = `/scheduled_messages/${refused}`;
  await fixture.hook('fault', {path, method: 'DELETE', kind: 'status', status: 400, code: 'BAD_REQUEST'});
  press('d', '3', 'v', 'j', 'v', 'Backspace');
  await expect.poll(toast).toMatch(/^Still scheduled \(1 of 2\): /);
  const contents = () => [...session.cache.state.scheduled.values()].map(({content}) => content).sort();
  expect(contents()).toEqual(['for Otto']);
  press('z');
  await expect.poll(toast).toBe('Scheduled again: #general › lunch · Z redo');
  expect(contents()).toEqual(['for Otto', 'for lunch']);
  press('Z');
  await expect.poll(toast).toBe('Unscheduled: #general › lunch · z undo');
  expect(contents()).toEqual(['for Otto']);
});

test('scheduled: one that the server does not schedule again becomes a draft, and what was not scheduled again is not redone', async () => {
  const {press, session, until, toast, fixture} = await twoUnscheduled();
  await until(({scheduled}) => scheduled.size === 0);
  await expect.poll(toast).toBe('Unscheduled: 2 messages · z undo');
  await fixture.hook('fault', {
    path: '/scheduled_messages',
    method: 'POST',
    kind: 'status',
    status: 400,
    code: 'BAD_REQUEST',
  });
  press('z');
  await until(({scheduled, localDrafts}) => scheduled.size === 1 && localDrafts.length === 1);
  expect(session.drafts.all()).toMatchObject([{content: 'tomorrow'}]);
  // Until both are answered, a redo says that they are still being undone.
  const redo = () => {
    press('Z');
    return toast();
  };
  await expect.poll(redo).toBe('Not redone: not all was restored: some of it is a draft now.');
  expect(session.cache.state.scheduled.size).toBe(1);
});

test('scheduled: one that may be unscheduled although nothing was answered stays as a draft; one that stays scheduled does not', async () => {
  const {press, session, lunch, until, toast, fixture} = await draftsFixture();
  const at = Math.floor(Date.now() / 1000) + 86_400;
  await scheduleMessage(session.context, {conversation: lunch, content: 'tomorrow', at});
  await until(({scheduled}) => scheduled.size === 1);
  press('d', '3');
  const fault = {path: '/scheduled_messages', method: 'DELETE'};
  await fixture.hook('fault', {...fault, kind: 'status', status: 400, code: 'BAD_REQUEST'});
  press('Enter');
  await expect.poll(toast).toMatch(/^Still scheduled/);
  expect([session.drafts.all(), session.cache.state.scheduled.size]).toEqual([[], 1]);
  await fixture.hook('fault', {...fault, kind: 'drop_after'});
  press('Enter');
  await until(({scheduled}) => scheduled.size === 0);
  expect(session.drafts.all()).toMatchObject([{content: 'tomorrow'}]);
});

test('scheduled: one of which the server does not say whether it is unscheduled is a draft, so that its text is not lost', async () => {
  const {press, session, lunch, until, toast, fixture} = await draftsFixture();
  const at = Math.floor(Date.now() / 1000) + 86_400;
  await scheduleMessage(session.context, {conversation: lunch, content: 'tomorrow', at});
  await until(({scheduled}) => scheduled.size === 1);
  press('d', '3');
  const path = '/scheduled_messages';
  await fixture.hook('fault', {path, method: 'DELETE', kind: 'drop_after'});
  await fixture.hook('fault', {path, method: 'GET', kind: 'status', status: 400, code: 'BAD_REQUEST', times: 10});
  press('Enter');
  await expect.poll(toast).toMatch(/saved as a draft: It is unknown/);
  expect(session.drafts.all()).toMatchObject([{content: 'tomorrow'}]);
});

test('reminders: several are deleted together and set again by one undo', async () => {
  const {press, session, fixture, until, toast} = await draftsFixture();
  const at = Math.floor(Date.now() / 1000) + 86_400;
  for (const note of ['one', 'two']) {
    const messageId = await fixture.postMessage('remember me', note);
    await createReminder(session.context, {messageId, at, note});
  }
  await until(({reminders}) => reminders.size === 2);
  press('d', '4', 'v', 'j', 'v', 'Backspace');
  await until(({reminders}) => reminders.size === 0);
  await expect.poll(toast).toBe('Deleted 2 reminders · z undo');
  press('z');
  const state = await until(({reminders}) => reminders.size === 2);
  expect([...state.reminders.values()].map(reminderNote).sort()).toEqual(['one', 'two']);
});

test('reminders: an undo sets each again once, also when the server refuses one at first', async () => {
  const {press, session, fixture, until, toast} = await draftsFixture();
  const at = Math.floor(Date.now() / 1000) + 86_400;
  const ids: number[] = [];
  for (const note of ['one', 'two', 'three']) {
    const messageId = await fixture.postMessage('remember me', note);
    ids.push(await createReminder(session.context, {messageId, at, note}));
  }
  await until(({reminders}) => reminders.size === 3);
  const notes = () => [...session.cache.state.reminders.values()].map(reminderNote).sort();
  const refusal = {kind: 'status', status: 400, code: 'BAD_REQUEST'};
  await fixture.hook('fault', {path: `/reminders/${ids[2]}`, method: 'DELETE', ...refusal});
  press('d', '4', 'v', 'j', 'v', 'j', 'v', 'Backspace');
  await expect.poll(toast).toMatch(/^Not deleted \(1 of 3\): /);
  expect(notes()).toEqual(['three']);
  await fixture.hook('fault', {path: '/reminders', method: 'POST', ...refusal});
  press('z');
  await expect.poll(toast).toMatch(/^Not restored: /);
  await until(({reminders}) => reminders.size === 2);
  press('z');
  await expect.poll(toast).toBe('2 reminders set again · Z redo');
  expect(notes()).toEqual(['one', 'three', 'two']);
  press('Z');
  await expect.poll(toast).toBe('Deleted 2 reminders · z undo');
  expect(notes()).toEqual(['three']);
});

test('reminders: when one was refused and of another it is unknown whether it was deleted, the unknown one is reported', async () => {
  const {press, session, fixture, until, toast} = await draftsFixture();
  const at = Math.floor(Date.now() / 1000) + 86_400;
  const ids: number[] = [];
  for (const note of ['one', 'two', 'three']) {
    const messageId = await fixture.postMessage('remember me', note);
    ids.push(await createReminder(session.context, {messageId, at, note}));
  }
  await until(({reminders}) => reminders.size === 3);
  const refusal = {kind: 'status', status: 400, code: 'BAD_REQUEST'};
  await fixture.hook('fault', {path: `/reminders/${ids[0]}`, method: 'DELETE', ...refusal});
  await fixture.hook('fault', {path: `/reminders/${ids[1]}`, method: 'DELETE', kind: 'drop_after'});
  await fixture.hook('fault', {path: '/reminders', method: 'GET', ...refusal, times: 10});
  press('d', '4', 'v', 'j', 'v', 'j', 'v', 'Backspace');
  await expect.poll(toast).toMatch(/^Deleting: It is unknown whether this was done/);
});

test('reminders: deleting can be undone, and Enter opens the message', async () => {
  const {press, rows, session, fixture, app, until, toast} = await draftsFixture();
  const messageId = await fixture.postMessage('remember me', 'lunch');
  await createReminder(session.context, {
    messageId,
    at: Math.floor(Date.now() / 1000) + 86_400,
    note: 'think of it',
  });
  await until(({reminders, messages}) => reminders.size === 1 && messages.byId.has(messageId));
  press('d', '4');
  expect(rows().slice(2, 4).join('\n')).toMatch(/#general › lunch.*think of it/s);
  press('Backspace');
  await until(({reminders}) => reminders.size === 0);
  await expect.poll(toast).toBe('Deleted the reminder · z undo');
  press('z');
  await until(({reminders}) => reminders.size === 1);
  await expect.poll(toast).toBe('Reminder set again · Z redo');
  press('Z');
  await until(({reminders}) => reminders.size === 0);
  await expect.poll(toast).toBe('Deleted the reminder · z undo');
  press('z');
  await until(({reminders}) => reminders.size === 1);
  press('Enter');
  expect(app.screen.view).toMatchObject({kind: 'messages', narrow: [{}, {operand: 'lunch'}]});
});

test('reminders: Enter opens a message that is not loaded', async () => {
  const {press, fixture, app, until} = await draftsFixture();
  const {server, meg, otto} = fixture;
  const channelId = server.people.channel('harbour', [otto]);
  const args = {type: 'stream', to: channelId, topic: 'tides', content: 'low at nine'};
  const {id} = await server.as(otto).post('/messages', args);
  await server.as(meg).post('/reminders', {message_id: id, scheduled_delivery_timestamp: 2 ** 32});
  await until(({reminders}) => reminders.size === 1);
  press('d', '4', 'Enter');
  expect(app.screen.view.kind).toBe('drafts');
  await expect.poll(() => app.screen.view).toMatchObject({narrow: [{operand: channelId}, {operand: 'tides'}]});
});

test('reminders: a message that arrives after the user has gone elsewhere is not opened', async () => {
  const {press, fixture, app, session, until} = await draftsFixture();
  const {server, meg, otto} = fixture;
  const args = {type: 'stream', to: server.people.channel('harbour', [otto]), topic: 'tides', content: 'low at nine'};
  const {id} = await server.as(otto).post('/messages', args);
  await server.as(meg).post('/reminders', {message_id: id, scheduled_delivery_timestamp: 2 ** 32});
  await until(({reminders}) => reminders.size === 1);
  const fetched = vi.spyOn(session, 'fetchMessage');
  press('d', '4', 'Enter', 'I');
  await fetched.mock.results[0]?.value;
  expect(app.screen.view.kind).toBe('inbox');
});

test('drafts panel: a read-only session changes nothing and says so', async () => {
  const fixture = await sessionFixture();
  const session = fixture.session();
  const {press, app} = appFixture({session, info: {isReadOnly: true}});
  session.drafts.edit(undefined, {target: topicConversation(fixture.channelId, 'lunch'), content: 'soup'});
  press('d', 'Backspace');
  expect(session.drafts.all()).toHaveLength(1);
  expect(app.screen.toast?.text).toContain('read-only');
});

test('draftPreviewLines: at most two lines, with an ellipsis when there is more', () => {
  expect(draftPreviewLines('one', 20)).toEqual(['one']);
  expect(draftPreviewLines('one\n\n\ntwo\nthree', 20)).toEqual(['one', 'two …']);
  expect(draftPreviewLines('a few words that go on and on', 12)).toEqual(['a few words', 'that go on …']);
});

test('drafts panel: every line fits into its width', () => {
  const {screen} = egFrame();
  for (const size of ['200x50', '80x24', '40x15', '30x8']) {
    const frame = egFrame({size, view: {kind: 'drafts', tab: 'drafts'}, screen: {lists: screen.lists}});
    const rect = egRect(size);
    assertLineContract(
      lines(frame, rect).map((line) => paintLine(line, frame.display)),
      rect.columns,
    );
  }
});
