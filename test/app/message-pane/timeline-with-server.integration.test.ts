import {expect, test} from 'vitest';
import {widgetIn} from '#app/message-actions/vote-picker.ts';
import {openMessageLink, selectRow} from '#app/message-pane/selection.ts';
import {openNarrow} from '#app/navigation/navigation.ts';
import {undoLatest} from '#app/undo/undo.ts';
import {combinedFeedNarrow, topicNarrow} from '#state/model/narrow.ts';
import type {AccountState} from '#state/state.ts';
import {type SessionFixture, sessionFixture, waitForState} from '#test/state/session-fixture.ts';
import {appFixture} from '#test/support/app-fixture.ts';
import {textOf} from '#test/support/frame-fixture.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {overlayText} from '#test/support/overlay-text.ts';
import {messagePaneLines} from '#test/support/part-lines.ts';
import {messageUrl, selectedMessage, selectedOutboxEntry, selectedRow} from '#ui/message-pane/selected-message.ts';
import {screenLayout} from '#ui/screen-layout.ts';

/** Whether something is loaded and nothing is loading. */
const isIdle = ({timelines}: AccountState) =>
  timelines.size > 0 && [...timelines.values()].every(({loading, ids}) => loading === undefined && ids.size > 0);

async function serverFixture(prepare: (fixture: SessionFixture) => Promise<void> = async () => {}) {
  const fixture = await sessionFixture();
  await prepare(fixture);
  const session = fixture.session();
  session.start();
  await session.ready();
  const parts = appFixture({session, size: '80x24'});
  const narrow = topicNarrow(fixture.channelId, 'talk');
  openNarrow(parts.app, narrow);
  await waitForState(session, isIdle);
  parts.app.frames.paintNow();
  return {...parts, ...fixture, session, narrow};
}

test('stars and reactions: show at once, reach the server, and can be undone', async () => {
  const {press, app, session} = await serverFixture(async ({postMessage: say}) => void (await say('hello')));
  press('S');
  press('+');
  expect(selectedMessage(app)?.reactions).toHaveLength(1);
  expect(app.state.starred.size).toBe(1);
  await waitForState(session, () => session.pendingChanges.pendingActions().length === 0);
  undoLatest(app);
  expect(app.screen.toast?.text).toMatch(/^Undone: Reacted with .* · #/);
  expect(selectedMessage(app)?.reactions).toHaveLength(0);
  press('=');
  expect(app.screen.toast?.text).toBe('No reactions yet');
});

test('timeline: newer messages are fetched while paging', async () => {
  const {press, app, session} = await serverFixture(async ({postMessage: say}) => {
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

test('go to a date: from the inbox it opens the combined feed there, in a conversation it stays in it, and says what is no date', async () => {
  const clock = new ManualClock(Date.UTC(2026, 2, 10, 12));
  const fixture = await sessionFixture({clock});
  for (const [topic, content] of [
    ['talk', 'first'],
    ['other', 'second'],
    ['talk', 'third'],
  ] as const) {
    await fixture.postMessage(content, topic);
    clock.advance(86_400_000);
  }
  const session = fixture.session();
  session.start();
  await session.ready();
  const {app, press, type} = appFixture({session, size: '80x24', clock});
  const goTo = async (text: string) => {
    press('g', 'D');
    type(text);
    press('Enter');
    await waitForState(session, isIdle);
    app.frames.paintNow();
  };
  press('g', 'D');
  type('soonish');
  expect(overlayText(app.frame).join(' ')).toContain('Not a date. Try: yesterday');
  press('Enter');
  expect(app.screen.toast?.text).toContain('Not a date');
  press('Esc');
  await goTo('2026-03-11 9:00');
  expect(app.screen.view).toMatchObject({kind: 'messages', narrow: combinedFeedNarrow});
  expect(selectedMessage(app)?.content).toBe('second');
  openNarrow(app, topicNarrow(fixture.channelId, 'talk'));
  await waitForState(session, isIdle);
  await goTo('2 days ago');
  expect(selectedMessage(app)?.content).toBe('third');
  await goTo('last week');
  expect(selectedMessage(app)?.content).toBe('first');
});

test('unread separator: it moves to the next unread message when the first one is moved away, and ends with the last', async () => {
  const ids: number[] = [];
  const {app, session, server, otto} = await serverFixture(async ({postMessage: say, server: {as}, meg, channelId}) => {
    for (const text of ['one', 'two', 'three']) ids.push(await say(text));
    await as(meg).post('/messages', {type: 'stream', to: channelId, topic: 'talk', content: 'mine'});
  });
  const rows = () => {
    app.frames.paintNow();
    const frame = app.frames.paintedFrame;
    return textOf(messagePaneLines(frame, screenLayout(frame).main)).flatMap((row) =>
      /unread ─/.test(row) ? row : (/^. (\w+)$/.exec(row)?.[1] ?? []),
    );
  };
  const removed = async (id: number) => {
    await server.as(otto).patch(`/messages/${id}`, {topic: 'elsewhere', propagate_mode: 'change_one'});
    await waitForState(session, ({messages}) => messages.byId.get(id)?.conversationKey.endsWith('elsewhere') === true);
  };
  expect(rows()).toEqual([expect.stringContaining('3 unread'), 'one', 'two', 'three', 'mine']);
  await removed(ids[0] ?? 0);
  expect(rows()).toEqual([expect.stringContaining('2 unread'), 'two', 'three', 'mine']);
  await removed(ids[1] ?? 0);
  await removed(ids[2] ?? 0);
  expect(rows()).toEqual(['mine']);
});

test('poll: Enter votes and removes the vote', async () => {
  const {press, app, session} = await serverFixture(
    async ({postMessage: say}) => void (await say('/poll Lunch?\nSoup\nBread')),
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

test('unsent message: a refused message stays selected, is sent again only after a question, and can be saved as a draft', async () => {
  const {press, app, session, channelId} = await serverFixture(async ({postMessage: say}) => void (await say('hello')));
  const conversation = {kind: 'topic', channelId, topic: 'talk'} as const;
  // The server refuses messages without text.
  session.outbox.send({conversation, content: '   '});
  await waitForState(session, ({outbox}) => outbox.some(({status}) => status === 'failed'));
  press('G');
  expect(selectedOutboxEntry(app)).toMatchObject({content: '   ', status: 'failed'});
  press('!', 'Enter');
  expect(app.state.outbox).toMatchObject([{status: 'failed'}]);
  press('!');
  expect(overlayText(app.frame).join('\n')).toContain('Try to send this message again?');
  press('y');
  expect(app.screen.toast?.text).toBe('Sending again');
  await waitForState(session, ({outbox}) => outbox.some(({status}) => status === 'failed'));
  press('Delete');
  expect(app.screen.toast?.text).toBe('Saved as a draft · d drafts');
  expect(app.state.localDrafts.map(({content}) => content)).toEqual(['   ']);
});

test('message link: opens the message', async () => {
  let first = 0;
  const {app, session} = await serverFixture(async ({postMessage: say}) => {
    first = await say('the first');
    for (let at = 0; at < 30; at++) await say(`message ${at}`);
  });
  const message = app.state.messages.byId.get(first);
  if (message === undefined) throw new Error('The message is not loaded');
  const url = messageUrl(app.state, message);
  expect(url).toMatch(/#narrow\/channel\/\d+-general\/topic\/talk\/near\/\d+$/);
  expect(openMessageLink(app, url)).toBeUndefined();
  await waitForState(session, () => true);
  expect(selectedRow(app)).toBe(first);
  selectRow(app, [...app.state.messages.byId.keys()].at(-1) ?? 0);
  expect(selectedMessage(app)?.content).toBe('message 29');
});

test('link: one that names a conversation by a message opens that conversation, where the message is', async () => {
  let moved = 0;
  const {app, channelId} = await serverFixture(async ({postMessage}) => {
    await postMessage('low at nine');
    await postMessage('unread', 'new name');
    moved = await postMessage('the one', 'new name');
  });
  openNarrow(app, [...topicNarrow(channelId, 'old name'), {operator: 'with', operand: moved, negated: false}]);
  await expect.poll(() => selectedMessage(app)?.id).toBe(moved);
  expect(app.screen.view).toMatchObject({narrow: topicNarrow(channelId, 'new name')});
});

test('copy: text first, then Markdown; links are copied and opened', async () => {
  const {press, deviceCalls, app} = await serverFixture(
    async ({postMessage: say}) => void (await say('**bold** text')),
  );
  expect(selectedMessage(app)).toBeDefined();
  press('C', 'C', 'l', 'O');
  expect(deviceCalls.map(([name, text]) => [name, String(text).replace(/.*near.*/, 'link')])).toEqual([
    ['copy', 'bold text'],
    ['copy', '**bold** text'],
    ['copy', 'link'],
    ['open', 'link'],
  ]);
});
