import {expect, test} from 'vitest';
import {setComposer} from '#app/composer/change-composer.ts';
import {openComposer} from '#app/composer/open-composer.ts';
import {sendComposedMessage} from '#app/composer/send-message.ts';
import {openReminderForm} from '#app/message-actions/reminders.ts';
import {scheduleMessage} from '#state/actions/messages.ts';
import {topicConversation} from '#state/model/conversation.ts';
import {canDeleteMessage} from '#state/selectors/permissions/message-permissions.ts';
import {messageFixture, untilApp} from '#test/app/message-actions/message-fixture.ts';
import {waitForState} from '#test/state/session-fixture.ts';
import {setText} from '#ui/text/text-field.ts';

/** Meg in a topic with her own message `draft one` and Otto's `hello`. */
async function undoFixture() {
  const parts = await messageFixture();
  const {fixture, app, session, press} = parts;
  const {server, meg, channelId} = fixture;
  const args = {type: 'stream', to: channelId, topic: 'talk', content: 'draft one'};
  const {id: own} = await server.as(meg).post('/messages', args);
  const other = await fixture.postMessage('hello');
  const content = async (id: number) =>
    (await server.as(meg).get(`/messages/${id}`, {apply_markdown: false})).message.content;
  const isStarred = (id: number) => app.state.starred.has(id);
  const write = (text: string) => {
    const {composer} = app.screen;
    setComposer(app, {field: setText(composer.field, text)});
    sendComposedMessage(app);
  };
  /** Sends a message and waits until the server has it. */
  const send = async (text: string) => {
    openComposer(app, {target: topicConversation(channelId, 'talk')});
    write(text);
    press('Esc');
    const {messages} = await waitForState(session, (state) =>
      [...state.messages.byId.values()].some((message) => message.content === text),
    );
    return [...messages.byId.values()].find((message) => message.content === text)?.id ?? 0;
  };
  return {...parts, own, other, content, isStarred, write, send};
}

test('undo: an edit gets the earlier text back, and says so with the place', async () => {
  const {press, select, says, own, content, write} = await undoFixture();
  await select(own);
  press('E');
  write('draft two ');
  await says('Edited · z undo');
  expect(await content(own)).toBe('draft two');
  press('z');
  await says('Undone: Edited your message · #general › talk · Z redo');
  expect(await content(own)).toBe('draft one');
});

test('redo: an edit gets its text again, can be undone once more, and is tried again when the server refuses it', async () => {
  const {press, select, says, own, content, write, fixture} = await undoFixture();
  await select(own);
  press('E');
  write('draft two');
  await says('Edited · z undo');
  press('z');
  await says('· Z redo');
  await fixture.hook('fault', {method: 'PATCH', path: '/messages/', kind: 'status', status: 400, code: 'BAD_REQUEST'});
  press('Z');
  await says('Not redone: ');
  press('Z');
  await says('Redone: Edited your message · #general › talk · z undo');
  expect(await content(own)).toBe('draft two');
  press('z');
  await says('· Z redo');
  expect(await content(own)).toBe('draft one');
});

test('redo: a message that was edited since the undo stays as it is', async () => {
  const {press, select, says, own, content, write, fixture, session} = await undoFixture();
  await select(own);
  press('E');
  write('draft two');
  await says('Edited · z undo');
  press('z');
  await says('· Z redo');
  await fixture.server.as(fixture.meg).patch(`/messages/${own}`, {content: 'draft three'});
  await waitForState(session, ({messages}) => messages.byId.get(own)?.content === 'draft three');
  for (const key of ['Z', 'Z']) {
    press(key);
    await says('Not redone: the message was edited again since.');
  }
  expect(await content(own)).toBe('draft three');
});

test('redo: a message whose sending was undone is sent after a question, and only once', async () => {
  const {press, says, send, session, app} = await undoFixture();
  const id = await send('by mistake');
  const sent = () => [...app.state.messages.byId.values()].filter(({content}) => content === 'by mistake');
  press('z', 'y');
  await waitForState(session, ({messages}) => !messages.byId.has(id));
  await says('Undone: Sent to #general › talk');
  press('Z');
  expect(await says('Send to #general › talk after all?')).toContain('by mistake');
  press('n');
  // The answer of the first sending may still be on its way.
  expect(app.state.outbox.filter(({messageId}) => messageId !== id)).toEqual([]);
  press('Z', 'y');
  await waitForState(session, () => sent().length === 1);
  press('Z');
  await says('Nothing to redo.');
  press('z');
  await says('Sent to #general › talk already. Delete your message?');
});

test('redo: a draft that was to be sent is not sent when its text was changed since', async () => {
  const {press, says, app, fixture} = await undoFixture();
  app.changeSettings({undoSendSeconds: 30});
  openComposer(app, {target: topicConversation(fixture.channelId, 'talk')});
  setComposer(app, {field: setText(app.screen.composer.field, 'not yet')});
  sendComposedMessage(app);
  press('Ctrl-X', 'u');
  await says('Not sent');
  expect(app.screen.composer.field.text).toBe('not yet');
  press('!', 'Ctrl-X', 'U');
  await says('Not redone: the draft was changed or sent since.');
  press('Backspace', 'Ctrl-X', 'U');
  await says('Send to #general › talk after all?');
  press('y');
  expect(app.screen.composer.delayedSend).toMatchObject({content: 'not yet'});
});

test('redo: a message is scheduled again, from the composer or as a draft, unless its text was changed', async () => {
  const {press, type, says, app, session, fixture} = await undoFixture();
  openComposer(app, {target: topicConversation(fixture.channelId, 'talk')});
  type('later');
  press('Ctrl-X', 's', 'Enter');
  await says('Scheduled for');
  press('Ctrl-X', 'u');
  await says('Unscheduled: the message to #general › talk is a draft again');
  expect(app.screen.composer.field.text).toBe('later');
  press('!', 'Ctrl-X', 'U');
  await says('Not redone: the draft was changed or sent since.');
  press('Backspace', 'Ctrl-X', 'U');
  await waitForState(session, ({scheduled}) => scheduled.size === 1);
  await says('Scheduled for');
  expect([app.screen.composer.field.text, session.drafts.all()]).toEqual(['', []]);
  press('Esc', 'z');
  await says('Unscheduled: the message to #general › talk is a draft again');
  expect(app.screen.focus).toBe('main');
  press('Z');
  await waitForState(session, ({scheduled}) => scheduled.size === 1);
  await says('Scheduled for');
  expect(session.drafts.all()).toEqual([]);
});

const tomorrow = () => Math.floor(Date.now() / 1000) + 86_400;

type UndoFixture = Awaited<ReturnType<typeof undoFixture>>;

const startsWith =
  (text: string) =>
  ({app}: UndoFixture): boolean =>
    app.screen.toast?.text.startsWith(text) === true;

test.each<{
  readonly change: string;
  readonly start: (fixture: UndoFixture) => Promise<void>;
  readonly isDone: (fixture: UndoFixture) => boolean;
  readonly undo?: readonly string[];
  readonly undone: string;
}>([
  {
    change: 'an edit',
    start: async ({select, own, press, write}) => {
      await select(own);
      press('E');
      write('draft two');
    },
    isDone: startsWith('Edited'),
    undone: 'Undone: Edited your message',
  },
  {
    change: 'scheduling',
    start: async ({app, fixture, press, type}) => {
      openComposer(app, {target: topicConversation(fixture.channelId, 'talk')});
      type('later');
      press('Ctrl-X', 's', 'Enter', 'Esc');
    },
    isDone: startsWith('Scheduled for'),
    undone: 'Unscheduled: ',
  },
  {
    change: 'unscheduling',
    start: async ({session, fixture, press}) => {
      const conversation = topicConversation(fixture.channelId, 'talk');
      await scheduleMessage(session.context, {conversation, content: 'later', at: tomorrow()});
      await waitForState(session, ({scheduled}) => scheduled.size === 1);
      press('g', 's', 'Enter');
    },
    isDone: ({app}) => app.screen.focus === 'composer',
    undo: ['Ctrl-X', 'u'],
    undone: 'It is a draft now',
  },
  {
    change: 'a form',
    start: async ({app, own, press}) => {
      openReminderForm(app, {messageId: own, at: tomorrow()});
      press('Ctrl-D', 'Esc');
    },
    isDone: startsWith('Reminder set'),
    undone: 'Reminder deleted',
  },
])(
  'undo: right after $change nothing older is undone; once it is answered, that is meant',
  async ({start, isDone, undo = ['z'], undone}) => {
    const fixture = await undoFixture();
    const {app, press, select, other, isStarred} = fixture;
    await select(other);
    press('S');
    await start(fixture);
    press('z');
    expect(app.screen.toast?.text).toContain('Undo works once the server has answered the latest change');
    await untilApp(app, () => isDone(fixture));
    press(...undo);
    await untilApp(app, () => startsWith(undone)(fixture));
    expect(isStarred(other)).toBe(true);
  },
);

test('undo: an edit that was changed again is not overwritten, and nothing older is undone', async () => {
  const {press, select, says, own, other, content, isStarred, write, fixture, session} = await undoFixture();
  await select(other);
  press('S');
  await says('Starred');
  await select(own);
  press('E');
  write('draft two');
  await says('Edited · z undo');
  await fixture.server.as(fixture.meg).patch(`/messages/${own}`, {content: 'draft three'});
  await waitForState(session, ({messages}) => messages.byId.get(own)?.content === 'draft three');
  press('z');
  await says('Not undone: the message was edited again since. · g Z lists older actions');
  press('z');
  expect([await content(own), isStarred(other)]).toEqual(['draft three', true]);
});

test('undo: a sent message is deleted after a question; the answer no keeps it the latest', async () => {
  const {press, says, send, session, app} = await undoFixture();
  const id = await send('by mistake');
  press('z');
  expect(await says('Sent to #general › talk already. Delete your message?')).toContain('by mistake');
  press('n');
  expect(app.screen.overlays).toEqual([]);
  press('z', 'y');
  await waitForState(session, ({messages}) => !messages.byId.has(id));
  await says('Undone: Sent to #general › talk. Its text is a draft again · d drafts');
  expect(session.drafts.all()).toMatchObject([{content: 'by mistake', target: {topic: 'talk'}}]);
  press('z');
  expect(app.screen.toast?.text).toBe('Nothing to undo.');
});

test('undo: a sent message that may not be deleted any more says why, and nothing older is undone', async () => {
  const {app, press, says, send, select, other, isStarred, fixture, session} = await undoFixture();
  await select(other);
  press('S');
  await says('Starred');
  const id = await send('by mistake');
  const nobody = [...app.state.groups.values()].find(({name}) => name === 'role:nobody')?.id;
  const setting = {can_delete_own_message_group: {new: nobody}};
  await fixture.server.as(fixture.server.people.owner()).patch('/realm', setting);
  await waitForState(session, (state) => {
    const message = state.messages.byId.get(id);
    return message !== undefined && !canDeleteMessage(state, message, app.clock.now()).ok;
  });
  press('z');
  await says('Not undone: You do not have permission to delete messages.');
  expect(isStarred(other)).toBe(true);
});

test('undo: the text of an own deleted message is a draft, and the keys stay where they are', async () => {
  const {app, press, type, says, select, own, session} = await undoFixture();
  await select(own);
  press('Delete', 'y');
  await says('Deleted the message · z keeps its text as a draft');
  await waitForState(session, ({messages}) => !messages.byId.has(own));
  press('z');
  await says('The deleted text is a draft');
  expect(app.screen.focus).toBe('main');
  press('r');
  expect(app.screen).toMatchObject({focus: 'composer', composer: {isOpen: true, field: {text: 'draft one'}}});
  type(' again');
  press('Enter');
  await waitForState(session, ({messages}) =>
    [...messages.byId.values()].some(({content}) => content === 'draft one again'),
  );
});

test('undo: deleting another’s message cannot be undone, says so and stops; the history still undoes what was before', async () => {
  const {app, press, says, select, own, other, isStarred, session, overlay, fixture} = await undoFixture();
  const members = [...app.state.groups.values()].find(({name}) => name === 'role:members')?.id;
  const setting = {can_delete_any_message_group: {new: members}};
  await fixture.server.as(fixture.server.people.owner()).patch('/realm', setting);
  await waitForState(session, (state) => {
    const message = state.messages.byId.get(other);
    return message !== undefined && canDeleteMessage(state, message, app.clock.now()).ok;
  });
  await select(own);
  press('S');
  await says('Starred');
  await select(other);
  press('Delete', 'y');
  await waitForState(session, ({messages}) => !messages.byId.has(other));
  await says('Deleted the message');
  for (const key of ['z', 'z']) {
    press(key);
    await says('Deleting a message cannot be undone · g Z lists older actions');
  }
  expect(isStarred(own)).toBe(true);
  press('g', 'Z');
  expect(overlay()).toMatch(/Deleted the message +Deleting a message cannot.*Starred +#general › talk/s);
  press('Down', 'Enter');
  await says('Undone: Starred · #general › talk');
  expect(isStarred(own)).toBe(false);
});

test('undo: an undo that the server refuses goes back into the history', async () => {
  const {press, says, select, own, content, write, fixture, app} = await undoFixture();
  await select(own);
  press('E');
  write('draft two');
  await says('Edited · z undo');
  const refusal = {method: 'PATCH', path: '/messages/', kind: 'status', status: 400, code: 'BAD_REQUEST'};
  await fixture.hook('fault', refusal);
  press('z');
  await says('Not undone: ');
  expect(app.undoStack.latest()?.label).toBe('Edited your message');
  press('z');
  await says('Undone: Edited your message');
  expect(await content(own)).toBe('draft one');
});

test('undo: a vote is taken back', async () => {
  const {press, type, says, select, fixture, app} = await undoFixture();
  const id = await fixture.postMessage('/poll Where?\nHarbor\nMarket');
  await select(id);
  press(';');
  type('vote in');
  press('Enter');
  await says('[ ] Harbor');
  press('Enter');
  await says('[✓] Harbor');
  await says('Voted for “Harbor”');
  press('Esc', 'z');
  await says('Undone: Voted for “Harbor” · #general › talk');
  await untilApp(app, () => app.state.messages.byId.get(id)?.submessages.length === 3);
  press('Z');
  await says('Redone: Voted for “Harbor” · #general › talk');
  await untilApp(app, () => app.state.messages.byId.get(id)?.submessages.length === 4);
});

test('undo: of one moved message, only this one goes back', async () => {
  const {press, type, says, select, other, fixture} = await undoFixture();
  await select(other);
  press('m', 'Ctrl-U');
  type('tea');
  press('Enter', '1');
  await says('Moved to #general › tea · z undo');
  const reply = await fixture.postMessage('a reply', 'tea');
  press('z');
  await says('Moved back to #general › talk');
  const topic = async (id: number) => (await fixture.server.as(fixture.meg).get(`/messages/${id}`)).message.subject;
  expect([await topic(other), await topic(reply)]).toEqual(['talk', 'tea']);
  press('Z');
  await says('Moved to #general › tea again · z undo');
  expect(await topic(other)).toBe('tea');
  press('z');
  await says('Moved back to #general › talk');
  expect(await topic(other)).toBe('talk');
});

test('undo: of a message and the later ones, the notice about the move does not stay alone in the new topic', async () => {
  const {press, type, says, select, other, fixture} = await undoFixture();
  const later = await fixture.postMessage('a later one');
  await select(other);
  press('m', 'Ctrl-U');
  type('tea');
  press('Enter', '2');
  await says('Moved to #general › tea · z undo');
  const otto = fixture.server.as(fixture.otto);
  const inTopic = async (topic: string) => {
    const narrow = [
      {operator: 'channel', operand: fixture.channelId},
      {operator: 'topic', operand: topic},
    ];
    const {messages} = await otto.get('/messages', {narrow, anchor: 'newest', num_before: 50, num_after: 0});
    return messages.map(({id}: {id: number}) => id);
  };
  const moved = await inTopic('tea');
  press('z');
  await says('Moved back to #general › talk');
  expect(moved).toEqual([other, later, expect.any(Number)]);
  expect(await inTopic('talk')).toEqual(expect.arrayContaining([other, later]));
  expect(await inTopic('tea')).toEqual([]);
});
