import {expect, test} from 'vitest';
import {draftPreviewLines} from '#app/drafts/draft-preview-lines.ts';
import {screenLayout} from '#app/layout/screen-layout.ts';
import {listPane} from '#app/lists/list-pane.ts';
import {openConversation} from '#app/navigation/navigation.ts';
import {openedPicker} from '#app/overlays/picker.ts';
import {createReminder, scheduleMessage} from '#state/actions/schedule.ts';
import {type Conversation, directConversation, topicConversation} from '#state/model/conversation.ts';
import {sessionFixture, waitForState} from '#test/state/session-fixture.ts';
import {appFixture} from '#test/support/app-fixture.ts';
import {egFrame, egRect, textOf} from '#test/support/frame-fixture.ts';
import {assertLineContract} from '#test/support/line-contract.ts';
import {overlayRows} from '#test/support/overlay-text.ts';
import {paintLine} from '#ui/paint-lines.ts';

const lines = listPane('drafts');

/** Meg's drafts panel, with nothing in it yet. */
async function draftsStage(size = '80x24') {
  const stage = await sessionFixture();
  const session = stage.session({random: Math.random});
  session.start();
  await session.ready();
  const app = appFixture({session, size});
  const lunch = topicConversation(stage.channelId, 'lunch');
  const otto = directConversation([stage.otto.id], stage.meg.id);
  return {
    ...app,
    stage,
    session,
    lunch,
    otto,
    draft: (target: Conversation, content: string) => session.drafts.edit(undefined, {target, content}),
    rows: () => textOf(lines(app.app.frame, screenLayout(app.app.frame).main)),
    said: () => app.app.screen.toast?.text,
    until: (holds: Parameters<typeof waitForState>[1]) => waitForState(session, holds),
  };
}

test('drafts are listed by when they were written in, with where they belong and how they begin', async () => {
  const {draft, lunch, otto, press, rows} = await draftsStage();
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

test('those of the conversation one comes from are first', async () => {
  const {draft, lunch, otto, press, rows, app} = await draftsStage();
  draft(lunch, 'soup');
  draft(otto, 'later than soup');
  openConversation(app, lunch);
  press('d');
  expect(rows()[2]).toContain('#general › lunch');
});

test('Enter goes on with a draft where it belongs', async () => {
  const {draft, lunch, press, app} = await draftsStage();
  draft(lunch, 'soup');
  press('d', 'Enter');
  expect(app.screen.view).toMatchObject({kind: 'messages', narrow: [{}, {operand: 'lunch'}]});
  expect(app.screen.focus).toBe('composer');
  expect(app.screen.composer.field.text).toBe('soup');
});

test('e goes on with it without leaving the panel, and what is written is kept', async () => {
  const {draft, lunch, press, type, app, rows, session} = await draftsStage();
  const {id} = draft(lunch, 'soup') ?? {id: ''};
  press('d', 'e');
  expect(app.screen.view.kind).toBe('drafts');
  expect(rows()[2]).toContain('being written');
  type('!');
  press('Esc');
  expect(session.drafts.get(id)?.content).toBe('soup!');
  expect(app.screen.focus).toBe('main');
});

test('S sends it, and it is a draft no longer', async () => {
  const {draft, lunch, press, rows, until: wait, said} = await draftsStage();
  draft(lunch, 'soup');
  press('d', 'S');
  expect(said()).toBe('Sent to #general › lunch');
  expect(rows()[0]).toContain('1 Drafts  2 Outbox');
  const state = await wait(({messages}) =>
    [...messages.byId.values()].some(({content}) => content === 'soup'),
  );
  expect(state.localDrafts).toEqual([]);
});

test('what would be warned about in the composer is asked about first', async () => {
  const {draft, press, app, stage} = await draftsStage();
  draft(topicConversation(stage.channelId, '✔ lunch'), 'soup');
  press('d', 'S');
  expect(openedPicker(app)?.picker.id).toBe('confirm');
  press('Esc');
  expect(app.state.outbox).toEqual([]);
  press('S', 'Down', 'Enter');
  expect(app.state.outbox).toHaveLength(1);
});

test('Backspace deletes, z brings back the same words', async () => {
  const {draft, lunch, press, rows, said, session} = await draftsStage();
  draft(lunch, 'soup');
  press('d', 'Backspace');
  expect(said()).toBe('Deleted the draft for #general › lunch · z undo');
  expect(rows().join('\n')).toContain('No drafts. What you write and do not send is kept here.');
  press('z');
  expect(session.drafts.all()).toMatchObject([{content: 'soup', target: {topic: 'lunch'}}]);
  expect(rows()[2]).toContain('#general › lunch');
});

test('several are deleted and brought back together', async () => {
  const {draft, lunch, otto, press, said, session} = await draftsStage();
  draft(lunch, 'one');
  draft(lunch, 'two');
  draft(otto, 'three');
  press('d', 'v', 'v', 'Delete');
  expect(said()).toBe('Deleted 2 drafts · z undo');
  expect(session.drafts.all()).toHaveLength(1);
  press('z');
  expect(session.drafts.all()).toHaveLength(3);
});

test('a draft for a place that is no more is marked, and Enter asks for another', async () => {
  const {draft, press, type, rows, app, session, lunch} = await draftsStage();
  draft(lunch, 'for later');
  draft(topicConversation(4711, 'gone'), 'lost words');
  press('d');
  expect(rows()[2]).toMatch(/^▌ #unknown channel › gone .*no longer there: Enter picks another {2}now$/);
  press('Enter');
  type('#general>lunch');
  expect(overlayRows(app).join('\n')).toContain('▌#general › lunch');
  press('Enter');
  expect(app.screen.composer.field.text).toBe('lost words');
  expect(session.drafts.all()).toMatchObject([{target: {topic: 'lunch'}}, {target: {topic: 'lunch'}}]);
});

test('a draft that another client writes appears, and goes when it is deleted there', async () => {
  const {press, rows, stage, until: wait} = await draftsStage();
  press('d');
  const drafts = [{type: 'stream', to: [stage.channelId], topic: 'far', content: 'from afar', timestamp: 1}];
  const {ids} = await stage.server.as(stage.meg).post('/drafts', {drafts});
  await wait(({localDrafts}) => localDrafts.length === 1);
  expect(rows().slice(2, 4).join('\n')).toMatch(/#general › far.*from afar/s);
  await stage.server.as(stage.meg).delete(`/drafts/${ids[0]}`);
  await wait(({localDrafts}) => localDrafts.length === 0);
  expect(rows().join('\n')).toContain('No drafts.');
});

test('d and Esc close the panel', async () => {
  const {press, app, lunch} = await draftsStage();
  openConversation(app, lunch);
  press('d', 'd');
  expect(app.screen.view).toMatchObject({kind: 'messages'});
  press('d', 'Esc');
  expect(app.screen.view.kind).not.toBe('drafts');
});

test('a message that was refused can be sent again, changed or thrown away, and comes back as a draft', async () => {
  const {press, rows, session, said, until: wait} = await draftsStage();
  const refused = topicConversation(4711, 'nowhere');
  session.outbox.send({conversation: refused, content: 'doomed'});
  await wait(({outbox}) => outbox[0]?.status === 'failed');
  press('d', '2');
  expect(rows()[0]).toContain('2 Outbox 1');
  expect(rows()[2]).toContain('not sent: Enter tries again');
  press('Enter');
  expect(said()).toBe('Sending again');
  await wait(({outbox}) => outbox[0]?.status === 'failed');
  press('Backspace');
  expect(session.cache.state.outbox).toEqual([]);
  press('z');
  expect(session.drafts.all()).toMatchObject([{content: 'doomed'}]);
});

test('a scheduled message is taken back into a draft, and deleted and scheduled again', async () => {
  const {press, rows, session, lunch, app, until: wait} = await draftsStage();
  const at = Math.floor(Date.now() / 1000) + 86_400;
  await scheduleMessage(session.context, {conversation: lunch, content: 'tomorrow', at});
  await wait(({scheduled}) => scheduled.size === 1);
  press('d', '3');
  expect(rows()[2]).toMatch(/^▌ #general › lunch .*tomorrow, \d+:\d\d .M$/);
  press('Backspace');
  await wait(({scheduled}) => scheduled.size === 0);
  press('z');
  await wait(({scheduled}) => scheduled.size === 1);
  press('Enter');
  await wait(({scheduled}) => scheduled.size === 0);
  await expect.poll(() => app.screen.composer.field.text).toBe('tomorrow');
  expect(session.drafts.all()).toMatchObject([{content: 'tomorrow'}]);
});

test('a scheduled message is sent now, or at another time', async () => {
  const {press, type, session, lunch, app, until: wait} = await draftsStage();
  const at = Math.floor(Date.now() / 1000) + 86_400;
  await scheduleMessage(session.context, {conversation: lunch, content: 'now then', at});
  await wait(({scheduled}) => scheduled.size === 1);
  press('d', '3', 'e');
  type('in 3 days');
  press('Enter');
  await wait(({scheduled}) => ([...scheduled.values()][0]?.scheduledDeliveryTimestamp ?? 0) > at + 86_400);
  press('S');
  await wait(({messages}) => [...messages.byId.values()].some(({content}) => content === 'now then'));
  expect(app.state.localDrafts).toEqual([]);
  expect(app.state.scheduled.size).toBe(0);
});

test('a reminder leads to its message, and can be deleted and asked for again', async () => {
  const {press, rows, session, stage, app, until: wait} = await draftsStage();
  const messageId = await stage.say('remember me', 'lunch');
  await createReminder(session.context, {
    messageId,
    at: Math.floor(Date.now() / 1000) + 86_400,
    note: 'think of it',
  });
  await wait(({reminders, messages}) => reminders.size === 1 && messages.byId.has(messageId));
  press('d', '4');
  expect(rows().slice(2, 4).join('\n')).toMatch(/#general › lunch.*think of it/s);
  press('Backspace');
  await wait(({reminders}) => reminders.size === 0);
  press('z');
  await wait(({reminders}) => reminders.size === 1);
  press('Enter');
  expect(app.screen.view).toMatchObject({kind: 'messages', narrow: [{}, {operand: 'lunch'}]});
});

test('a read-only session changes nothing and says so', async () => {
  const stage = await sessionFixture();
  const session = stage.session();
  const {press, app} = appFixture({session, info: {isReadOnly: true}});
  session.drafts.edit(undefined, {target: topicConversation(stage.channelId, 'lunch'), content: 'soup'});
  press('d', 'Backspace');
  expect(session.drafts.all()).toHaveLength(1);
  expect(app.screen.toast?.text).toContain('read-only');
});

test('a preview is two lines at most and says when there is more', () => {
  expect(draftPreviewLines('one', 20)).toEqual(['one']);
  expect(draftPreviewLines('one\n\n\ntwo\nthree', 20)).toEqual(['one', 'two …']);
  expect(draftPreviewLines('a few words that go on and on', 12)).toEqual(['a few words', 'that go on …']);
});

test('every line keeps to its width', () => {
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
