import {expect, test} from 'vitest';
import {widgetIn} from '#app/message-actions/vote-picker.ts';
import {openNarrow} from '#app/navigation/navigation.ts';
import {openMessageLink} from '#app/timeline/go-to-message.ts';
import {messageUrl} from '#app/timeline/message-url.ts';
import {selectedMessage, selectedOutboxEntry, selectedRow, selectRow} from '#app/timeline/selection.ts';
import {topicNarrow} from '#state/model/narrow.ts';
import type {AccountState} from '#state/state.ts';
import {type SessionFixture, sessionFixture, waitForState} from '#test/state/session-fixture.ts';
import {appFixture} from '#test/support/app-fixture.ts';

/** Something is loaded, and nothing is under way. */
const isIdle = ({timelines}: AccountState) =>
  timelines.size > 0 &&
  [...timelines.values()].every(({loading, ids}) => loading === undefined && ids.size > 0);

async function liveStage(prepare: (stage: SessionFixture) => Promise<void> = async () => {}) {
  const stage = await sessionFixture();
  await prepare(stage);
  const session = stage.session();
  session.start();
  await session.ready();
  const made = appFixture({session, size: '80x24'});
  const narrow = topicNarrow(stage.channelId, 'talk');
  openNarrow(made.app, narrow);
  await waitForState(session, isIdle);
  made.app.frames.paintNow();
  return {...made, ...stage, session, narrow};
}

test('stars and reactions show at once, reach the server, and are taken back', async () => {
  const {press, app, session} = await liveStage(async ({say}) => void (await say('hello')));
  press('S');
  press('+');
  expect(selectedMessage(app)?.reactions).toHaveLength(1);
  expect(app.state.starred.size).toBe(1);
  await waitForState(session, () => session.pendingChanges.pendingActions().length === 0);
  expect(app.undoStack.undo()).toMatch(/^Undone: Reacted with/);
  expect(selectedMessage(app)?.reactions).toHaveLength(0);
  press('=');
  expect(app.screen.toast?.text).toBe('No reactions yet');
});

test('what comes next is fetched as one goes there', async () => {
  const {press, app, session} = await liveStage(async ({say}) => {
    for (let at = 0; at < 130; at++) await say(`message ${at}`);
  });
  const timeline = () => [...app.state.timelines.values()][0];
  expect(timeline()).toMatchObject({hasOldest: true, hasNewest: false});
  while (timeline()?.hasNewest !== true) {
    press('J');
    await waitForState(session, isIdle);
  }
  press('Home');
  expect(selectedMessage(app)?.content).toBe('message 0');
});

test('a vote is given and taken back from the keyboard', async () => {
  const {press, app, session} = await liveStage(
    async ({say}) => void (await say('/poll Lunch?\nSoup\nBread')),
  );
  const voters = () => {
    const message = selectedMessage(app);
    const widget = message === undefined ? undefined : widgetIn(message);
    return widget?.kind === 'poll' ? widget.poll.options.map(({voters: all}) => all.length) : [];
  };
  expect(voters()).toEqual([0, 0]);
  const {commandTable} = await import('#commands/command-table.ts');
  commandTable.get('msg.vote')?.run(app, undefined, undefined as never);
  press('Down', 'Enter');
  await waitForState(session, () => voters()[1] === 1);
  press('Enter');
  await waitForState(session, () => voters()[1] === 0);
});

test('a message that is refused says so and waits; its keys are about sending it', async () => {
  const {press, app, session, channelId} = await liveStage(async ({say}) => void (await say('hello')));
  const conversation = {kind: 'topic', channelId, topic: 'talk'} as const;
  // The server takes no message without words.
  session.outbox.send({conversation, content: '   '});
  await waitForState(session, ({outbox}) => outbox.some(({status}) => status === 'failed'));
  press('G');
  expect(selectedOutboxEntry(app)).toMatchObject({content: '   ', status: 'failed'});
  press('Enter');
  await waitForState(session, ({outbox}) => outbox.some(({status}) => status === 'failed'));
  press('Delete');
  expect(app.screen.toast?.text).toBe('Kept as a draft · d');
  expect(app.state.localDrafts.map(({content}) => content)).toEqual(['   ']);
});

test('links to messages lead to them', async () => {
  let first = 0;
  const {app, session} = await liveStage(async ({say}) => {
    first = await say('the first');
    for (let at = 0; at < 30; at++) await say(`message ${at}`);
  });
  const message = app.state.messages.byId.get(first);
  if (message === undefined) throw new Error('It is not loaded');
  const url = messageUrl(app.state, message);
  expect(url).toMatch(/#narrow\/channel\/\d+-general\/topic\/talk\/near\/\d+$/);
  expect(openMessageLink(app, url)).toBe(true);
  await waitForState(session, () => true);
  expect(selectedRow(app)).toBe(first);
  selectRow(app, [...app.state.messages.byId.keys()].at(-1) ?? 0);
  expect(selectedMessage(app)?.content).toBe('message 29');
});

test('texts and links are copied; the same message again as it was written', async () => {
  const {press, deviceCalls, app} = await liveStage(async ({say}) => void (await say('**bold** text')));
  expect(selectedMessage(app)).toBeDefined();
  press('C', 'C', 'l', 'O');
  expect(deviceCalls.map(([name, text]) => [name, String(text).replace(/.*near.*/, 'link')])).toEqual([
    ['copy', 'bold text'],
    ['copy', '**bold** text'],
    ['copy', 'link'],
    ['open', 'link'],
  ]);
});
