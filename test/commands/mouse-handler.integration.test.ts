import {expect, test} from 'vitest';
import type {App} from '#app/core/app.ts';
import {openConversation, openView} from '#app/navigation/navigation.ts';
import {topicConversation, topicConversationKey} from '#state/model/conversation.ts';
import {topicNarrow} from '#state/model/narrow.ts';
import {timelineOf} from '#state/selectors/timeline.ts';
import type {KeyEvent} from '#terminal/input/input-events.ts';
import {sessionFixture, waitForState} from '#test/state/session-fixture.ts';
import {appFixture} from '#test/support/app-fixture.ts';
import {textOf} from '#test/support/frame-fixture.ts';
import {listPane} from '#test/support/part-lines.ts';
import * as eg from '#test/support/state-builders.ts';
import {backend, listFixture, noonMs} from '#test/ui/lists/list-fixture.ts';
import {channelList} from '#ui/channel-list/channel-list.ts';
import {completionMenuRect} from '#ui/completion-menu/completion-menu.ts';
import {inboxList} from '#ui/inbox/inbox-list.ts';
import {inboxTabsLine} from '#ui/inbox/inbox-tabs.ts';
import {inboxLayout} from '#ui/layout/layout.ts';
import {type ListSource, listBodyRect} from '#ui/lists/list-source.ts';
import {cursorRow} from '#ui/lists/visible-rows.ts';
import {mainTimelineNow, selectedRow} from '#ui/message-pane/selected-message.ts';
import {recentList} from '#ui/recent/recent-list.ts';
import {screenLayout} from '#ui/screen-layout.ts';
import {topicList} from '#ui/topic-list/topic-list.ts';

async function messagesFixture(count = 60, topics: readonly string[] = []) {
  const fixture = await sessionFixture();
  for (const topic of topics) await fixture.postMessage('hello', topic);
  for (let nth = 1; nth <= count; nth++) await fixture.postMessage(`message ${nth}`);
  const session = fixture.session();
  session.start();
  await session.ready();
  const app = appFixture({session, size: '120x24'});
  openConversation(app.app, topicConversation(fixture.channelId, 'talk'), {anchor: 'newest'});
  const narrow = topicNarrow(fixture.channelId, 'talk');
  await waitForState(session, (state) => timelineOf(state, narrow)?.ids.size === count);
  app.press('G');
  const layout = () => screenLayout(app.app.frame);
  const turnWheel = (direction: 'up' | 'down', x: number, y: number) =>
    app.take({kind: 'mouse', action: 'wheel', button: 'none', wheel: direction, x, y});
  /** Returns a cell of the list row that contains a text. */
  const cellOfRow = (list: ListSource, rowText: string): [number, number] => {
    const rect = listBodyRect(app.app.frame, list, screenLayout(app.app.frame)) ?? {x: 0, y: 0, columns: 1, rows: 1};
    const index = textOf(listPane(list)(app.app.frame, rect)).findIndex((line) => line.includes(rowText));
    return [rect.x + 4, rect.y + index];
  };
  const click = (x: number, y: number) => app.take({kind: 'mouse', action: 'press', button: 'left', x, y});
  return {...app, fixture, session, layout, click, turnWheel, cellOfRow};
}

function listText(app: App, list: ListSource): string {
  const rect = listBodyRect(app.frame, list, screenLayout(app.frame));
  return rect === undefined ? '' : textOf(listPane(list)(app.frame, rect)).join('\n');
}

const wheelKey = (name: 'Up' | 'Down'): KeyEvent => ({kind: 'key', key: {name}, isWheel: true});

test('wheel as arrow keys: scrolls the messages from the composer too, and never edits a message', async () => {
  const {press, take, app} = await messagesFixture();
  const top = () => mainTimelineNow(app.frame)?.window?.start;
  press('r');
  const before = top();
  take(wheelKey('Up'), wheelKey('Up'), wheelKey('Up'));
  expect(top()).not.toEqual(before);
  expect(app.screen.composer).toMatchObject({editing: undefined, isOpen: true});
  expect(app.screen.focus).toBe('composer');
  take(wheelKey('Down'), wheelKey('Down'), wheelKey('Down'));
  expect(top()).toEqual(before);
});

test('click: on a message selects it and focuses the messages', async () => {
  const {click, layout, app, press} = await messagesFixture();
  press('Tab');
  const row = mainTimelineNow(app.frame)?.window?.rows.at(-4);
  const {main} = layout();
  click(main.x + 5, main.y + (row?.first ?? 0));
  expect(app.screen.focus).toBe('main');
  expect(row).toBeDefined();
  expect(selectedRow(app)).toBe(row?.key);
});

test('click: on a row of the sidebar opens it', async () => {
  const {click, app, cellOfRow} = await messagesFixture(1);
  click(...cellOfRow(channelList, 'Recent'));
  expect(app.screen.view.kind).toBe('recent');
});

test('click: in the list of the main pane moves the cursor to the row, and a second click opens it', async () => {
  const {click, app, press, cellOfRow} = await messagesFixture(1);
  press('t');
  press('Tab');
  click(...cellOfRow(recentList, 'talk'));
  expect(app.screen).toMatchObject({focus: 'main', view: {kind: 'recent'}});
  expect(cursorRow(app.frame, recentList)?.label).toContain('talk');
  click(...cellOfRow(recentList, 'talk'));
  expect(app.screen.view.kind).toBe('messages');
});

test('double click: the second click does nothing when the first one changed the view', async () => {
  const {click, app, press} = await messagesFixture();
  press('Ctrl-G');
  press('Esc');
  press('i');
  const {overlays} = app.screen;
  expect(overlays).toHaveLength(1);
  const selected = selectedRow(app);
  click(0, 0);
  expect(app.screen.overlays).toHaveLength(0);
  const {main} = screenLayout(app.frame);
  press('i');
  // The first line shows the date.
  const y = main.y + 1;
  click(main.x, y);
  click(main.x, y);
  expect(selectedRow(app)).toBe(selected);
  click(main.x, y);
  expect(selectedRow(app)).not.toBe(selected);
});

test('click: on the title of a group folds and unfolds it', async () => {
  const {click, app, cellOfRow} = await messagesFixture(1);
  const title = cellOfRow(channelList, 'CHANNELS');
  click(...title);
  expect(listText(app, channelList)).not.toContain('#general');
  click(...title);
  expect(listText(app, channelList)).toContain('#general');
});

test('wheel: scrolls the pane under the mouse and keeps the focus', async () => {
  const {app, press, turnWheel, layout} = await messagesFixture();
  press('r');
  const before = listText(app, channelList);
  const {channels, main} = layout();
  const top = () => mainTimelineNow(app.frame)?.window?.start;
  const start = top();
  turnWheel('down', (channels?.x ?? 0) + 3, (channels?.y ?? 0) + 3);
  expect(top()).toEqual(start);
  turnWheel('up', main.x + 3, main.y + 3);
  expect(top()).not.toEqual(start);
  expect(app.screen.focus).toBe('composer');
  expect(listText(app, channelList)).toBe(before);
});

test('click: opens a closed composer, and moves the text cursor in an open one', async () => {
  const {app, click, layout, press, type} = await messagesFixture(3);
  const closed = layout().composer;
  click((closed?.x ?? 0) + 4, closed?.y ?? 0);
  expect(app.screen).toMatchObject({focus: 'composer', composer: {isOpen: true}});
  type('we leave at three');
  press('Ctrl-J');
  type('会議 then');
  const rect = layout().composer;
  const [x, y] = [rect?.x ?? 0, (rect?.y ?? 0) + (rect?.rows ?? 0)];
  click(x + 2 + 3, y - 2);
  expect(app.screen.composer.field.cursor).toBe(3);
  // The second column of a wide character belongs to it.
  click(x + 2 + 3, y - 1);
  expect(app.screen.composer.field.cursor).toBe('we leave at three\n会'.length);
  click(x + 60, y - 1);
  expect(app.screen.composer.field.cursor).toBe(app.screen.composer.field.text.length);
  click(x + 60, layout().main.y);
  expect(app.screen.focus).toBe('main');
  expect(app.screen.composer.field.text).toBe('we leave at three\n会議 then');
});

test('click: on a completion inserts it', async () => {
  const {app, click, press, type} = await messagesFixture(1);
  press('r');
  type(':tad');
  const rect = completionMenuRect(app.frame) ?? {x: 0, y: 0};
  click(rect.x + 3, rect.y + 1);
  expect(app.screen.composer.field.text).toMatch(/^:tada: /);
  expect(app.screen.focus).toBe('composer');
});

test('click: on the number or the name of a tab switches to it', async () => {
  const {app, click, press, layout} = await messagesFixture(1);
  press('t');
  const {main} = layout();
  const head = listText(app, recentList).split('\n')[0] ?? '';
  click(main.x + head.indexOf('DM'), main.y);
  expect(app.screen.lists.recent.split).toBe('directs');
  click(main.x + head.indexOf('1 All'), main.y);
  expect(app.screen.lists.recent.split).toBe('all');
  press('I');
  const {tabs} = inboxLayout(app.frame, layout().main);
  expect(tabs.x).toBeGreaterThan(0);
  const inboxHead = textOf([inboxTabsLine(app.frame, tabs)])[0] ?? '';
  click(tabs.x + inboxHead.indexOf('DM'), tabs.y);
  expect(app.screen.lists.inbox.split).toBe('directs');
});

test('drag: over text shows how to select it', async () => {
  const {app, click, layout, take} = await messagesFixture(3);
  const {main} = layout();
  click(main.x + 4, main.y + 2);
  take({kind: 'mouse', action: 'drag', button: 'left', x: main.x + 5, y: main.y + 2});
  expect(app.screen.toast?.text).not.toMatch(/Shift/);
  take({kind: 'mouse', action: 'drag', button: 'left', x: main.x + 9, y: main.y + 3});
  expect(app.screen.toast?.text).toMatch(/^Hold Shift and drag to select text/);
});

test('click: on a conversation heading opens it, and on a link of the selected message opens the link', async () => {
  const {app, click, layout, press, session, fixture} = await messagesFixture(2);
  await fixture.postMessage('see https://example.com/tides there');
  await waitForState(session, ({messages}) => [...messages.byId.values()].some(({content}) => content.includes('see')));
  press('a');
  const {view} = app.screen;
  const narrow = view.kind === 'messages' ? view.narrow : [];
  await waitForState(session, (state) => timelineOf(state, narrow)?.hasNewest === true);
  press('G');
  const {main} = layout();
  const lines = () => textOf(mainTimelineNow(app.frame)?.lines ?? []);
  const at = lines().findIndex((line) => line.includes('example.com'));
  const column = (lines()[at] ?? '').indexOf('example.com');
  press('k');
  click(main.x + column, main.y + at);
  expect(app.screen.toast?.text ?? '').not.toContain('example.com');
  click(main.x + column, main.y + at);
  await expect.poll(() => app.screen.toast?.text).toContain('https://example.com/tides');
  const heading = lines().findIndex((line) => line.includes('› talk'));
  click(main.x + 2, main.y + heading);
  expect(app.screen.view).toMatchObject({narrow: topicNarrow(fixture.channelId, 'talk')});
});

test('click: near the edge of a list does not scroll it', async () => {
  const topics = Array.from({length: 40}, (_, nth) => `topic ${nth}`);
  const {app, click, press, layout} = await messagesFixture(1, topics);
  press('t');
  const {main} = layout();
  const last = main.y + main.rows - 1;
  const before = listText(app, recentList);
  click(main.x + 4, last);
  const bare = (lines: string) => lines.replaceAll('▌', ' ');
  expect(bare(listText(app, recentList))).toBe(bare(before));
  click(main.x + 4, last);
  expect(app.screen.view.kind).toBe('messages');
});

test('wheel: an unfocused list scrolls away from the open conversation and returns when a row is opened', async () => {
  const topics = Array.from({length: 40}, (_, nth) => `topic ${nth}`);
  const {app, click, turnWheel, cellOfRow, layout, session} = await messagesFixture(1, topics);
  await waitForState(session, () => listText(app, topicList).includes('topic 39'));
  const {topics: rect} = layout();
  const [x, y] = [(rect?.x ?? 0) + 3, (rect?.y ?? 0) + 5];
  const before = listText(app, topicList);
  expect(before).toContain('▐ talk');
  for (let nth = 0; nth < 5; nth++) turnWheel('down', x, y);
  expect(listText(app, topicList)).not.toContain('▐ talk');
  expect(app.screen.focus).toBe('main');
  for (let nth = 0; nth < 20; nth++) turnWheel('up', x, y);
  expect(listText(app, topicList)).toBe(before);
  for (let nth = 0; nth < 5; nth++) turnWheel('down', x, y);
  const shown = listText(app, topicList).match(/topic \d+/)?.[0] ?? '';
  click(...cellOfRow(topicList, shown));
  expect(app.screen.view).toMatchObject({narrow: topicNarrow(expect.any(Number), shown)});
  expect(listText(app, topicList)).toContain(`▐ ${shown}`);
});

test('click: refers to the painted row when a message arrives between paint and click', () => {
  const {app, take, session, press} = listFixture({view: {kind: 'recent'}});
  press('j');
  const rect = listBodyRect(app.frame, recentList, screenLayout(app.frame)) ?? {x: 0, y: 0};
  const y =
    rect.y +
    listText(app, recentList)
      .split('\n')
      .findIndex((line) => line.includes('#web › css'));
  const late = eg.message({id: 90, channelId: backend, topic: 'logs', timestamp: noonMs / 1000});
  session.cache.apply({
    type: 'messages_fetched',
    messages: [late],
    unreadIds: [],
    since: undefined,
    page: undefined,
  });
  expect(listText(app, recentList).split('\n')[y - rect.y]).not.toContain('#web › css');
  take({kind: 'mouse', action: 'press', button: 'left', x: rect.x + 4, y});
  expect(cursorRow(app.frame, recentList)?.label).toBe('#web › css');
});

test('click: a key in the same read applies to the clicked row', async () => {
  const {app, take, cellOfRow, fixture, session} = await messagesFixture(1, ['one', 'two', 'three']);
  openView(app, {kind: 'inbox'});
  app.frames.paintNow();
  const before = [...app.state.unreads.conversations.keys()];
  const clicked = topicConversationKey(fixture.channelId, 'one');
  expect(cursorRow(app.frame, inboxList)?.key).not.toBe(clicked);
  const [x, y] = cellOfRow(inboxList, ' one');
  take({kind: 'mouse', action: 'press', button: 'left', x, y}, {kind: 'key', key: {name: 'e'}});
  await session.pendingChanges.idle();
  expect([...app.state.unreads.conversations.keys()]).toEqual(before.filter((key) => key !== clicked));
});
