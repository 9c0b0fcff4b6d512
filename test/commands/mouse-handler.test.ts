import {expect, test} from 'vitest';
import {completionMenuRect} from '#app/compose/pane/completion-menu-pane.ts';
import type {App} from '#app/core/app.ts';
import type {ListId} from '#app/core/screen-state.ts';
import {screenLayout} from '#app/layout/screen-layout.ts';
import {listBodyRect} from '#app/lists/list-body-rect.ts';
import {listPane} from '#app/lists/list-pane.ts';
import {cursorRow} from '#app/lists/visible-rows.ts';
import {openConversation, openView} from '#app/navigation/navigation.ts';
import {mainTimelineNow, selectedRow} from '#app/timeline/selection.ts';
import {topicConversation, topicConversationKey} from '#state/model/conversation.ts';
import {topicNarrow} from '#state/model/narrow.ts';
import {timelineOf} from '#state/selectors/timeline.ts';
import type {KeyEvent} from '#terminal/input/input-events.ts';
import {backend, listFixture, noonMs} from '#test/app/lists/list-fixture.ts';
import {sessionFixture, waitForState} from '#test/state/session-fixture.ts';
import {appFixture} from '#test/support/app-fixture.ts';
import {textOf} from '#test/support/frame-fixture.ts';
import * as eg from '#test/support/state-builders.ts';

async function staged(count = 60, topics: readonly string[] = []) {
  const stage = await sessionFixture();
  for (const topic of topics) await stage.say('hello', topic);
  for (let nth = 1; nth <= count; nth++) await stage.say(`message ${nth}`);
  const session = stage.session();
  session.start();
  await session.ready();
  const app = appFixture({session, size: '120x24'});
  openConversation(app.app, topicConversation(stage.channelId, 'talk'), {anchor: 'newest'});
  const narrow = topicNarrow(stage.channelId, 'talk');
  await waitForState(session, (state) => timelineOf(state, narrow)?.ids.size === count);
  app.press('G');
  const layout = () => screenLayout(app.app.frame);
  const turn = (way: 'up' | 'down', x: number, y: number) =>
    app.take({kind: 'mouse', action: 'wheel', button: 'none', wheel: way, x, y});
  /** Where a row of a list is. */
  const rowOf = (id: ListId, words: string): [number, number] => {
    const rect = listBodyRect(app.app.frame, id) ?? {x: 0, y: 0, columns: 1, rows: 1};
    const at = textOf(listPane(id)(app.app.frame, rect)).findIndex((line) => line.includes(words));
    return [rect.x + 4, rect.y + at];
  };
  const click = (x: number, y: number) => app.take({kind: 'mouse', action: 'press', button: 'left', x, y});
  return {...app, stage, session, layout, click, turn, rowOf};
}

function text(app: App, id: ListId): string {
  const rect = listBodyRect(app.frame, id);
  return rect === undefined ? '' : textOf(listPane(id)(app.frame, rect)).join('\n');
}

const wheel = (name: 'Up' | 'Down'): KeyEvent => ({kind: 'key', key: {name}, isWheel: true});

test('arrows of a wheel scroll the messages, also while somebody writes, and never edit', async () => {
  const {press, take, app} = await staged();
  const top = () => mainTimelineNow(app.frame)?.window?.start;
  press('r');
  const before = top();
  take(wheel('Up'), wheel('Up'), wheel('Up'));
  expect(top()).not.toEqual(before);
  expect(app.screen.composer).toMatchObject({editing: undefined, isOpen: true});
  expect(app.screen.focus).toBe('composer');
  take(wheel('Down'), wheel('Down'), wheel('Down'));
  expect(top()).toEqual(before);
});

test('a click on a message selects it and gives it the keys', async () => {
  const {click, layout, app, press} = await staged();
  press('Tab');
  const row = mainTimelineNow(app.frame)?.window?.rows.at(-4);
  const {main} = layout();
  click(main.x + 5, main.y + (row?.first ?? 0));
  expect(app.screen.focus).toBe('main');
  expect(row).toBeDefined();
  expect(selectedRow(app)).toBe(row?.key);
});

test('a click on what stands beside the messages opens it', async () => {
  const {click, app, rowOf} = await staged(1);
  click(...rowOf('channels', 'Recent'));
  expect(app.screen.view.kind).toBe('recent');
});

test('in a list with the whole pane a click puts the cursor on a row, and a second one opens it', async () => {
  const {click, app, press, rowOf} = await staged(1);
  press('t');
  press('Tab');
  click(...rowOf('recent', 'talk'));
  expect(app.screen).toMatchObject({focus: 'main', view: {kind: 'recent'}});
  expect(cursorRow(app.frame, 'recent')?.label).toContain('talk');
  click(...rowOf('recent', 'talk'));
  expect(app.screen.view.kind).toBe('messages');
});

test('the second of a double click does nothing to what the first one opened', async () => {
  const {click, app, press} = await staged();
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
  click(main.x, main.y);
  click(main.x, main.y);
  expect(selectedRow(app)).toBe(selected);
  click(main.x, main.y);
  expect(selectedRow(app)).not.toBe(selected);
});

test('the title of a group folds it and shows it again', async () => {
  const {click, app, rowOf} = await staged(1);
  const title = rowOf('channels', 'CHANNELS');
  click(...title);
  expect(text(app, 'channels')).not.toContain('#general');
  click(...title);
  expect(text(app, 'channels')).toContain('#general');
});

test('the wheel scrolls what it is over, and the keys stay where they are', async () => {
  const {app, press, turn, layout} = await staged();
  press('r');
  const before = text(app, 'channels');
  const {channels, main} = layout();
  const top = () => mainTimelineNow(app.frame)?.window?.start;
  const start = top();
  turn('down', (channels?.x ?? 0) + 3, (channels?.y ?? 0) + 3);
  expect(top()).toEqual(start);
  turn('up', main.x + 3, main.y + 3);
  expect(top()).not.toEqual(start);
  expect(app.screen.focus).toBe('composer');
  expect(text(app, 'channels')).toBe(before);
});

test('a click in the text puts the cursor there, and one below the messages begins to write', async () => {
  const {app, click, layout, press, type} = await staged(3);
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

test('a click on what completes takes it', async () => {
  const {app, click, press, type} = await staged(1);
  press('r');
  type(':tad');
  const rect = completionMenuRect(app.frame) ?? {x: 0, y: 0};
  click(rect.x + 3, rect.y + 1);
  expect(app.screen.composer.field.text).toMatch(/^:tada: /);
  expect(app.screen.focus).toBe('composer');
});

test('a tab is chosen by a click on its number or its name', async () => {
  const {app, click, press, layout} = await staged(1);
  press('t');
  const {main} = layout();
  const head = text(app, 'recent').split('\n')[0] ?? '';
  click(main.x + head.indexOf('DM'), main.y);
  expect(app.screen.lists.recent.split).toBe('directs');
  click(main.x + head.indexOf('1 All'), main.y);
  expect(app.screen.lists.recent.split).toBe('all');
});

test('whoever draws the mouse along text is told how to select it', async () => {
  const {app, click, layout, take} = await staged(3);
  const {main} = layout();
  click(main.x + 4, main.y + 2);
  take({kind: 'mouse', action: 'drag', button: 'left', x: main.x + 5, y: main.y + 2});
  expect(app.screen.toast?.text).not.toMatch(/^Shift/);
  take({kind: 'mouse', action: 'drag', button: 'left', x: main.x + 9, y: main.y + 3});
  expect(app.screen.toast?.text).toMatch(/^Shift and the mouse select text/);
});

test('the heading of a conversation opens it, and a link in the selected message is followed', async () => {
  const {app, click, layout, press, session, stage} = await staged(2);
  await stage.say('see https://example.com/tides there');
  await waitForState(session, ({messages}) =>
    [...messages.byId.values()].some(({content}) => content.includes('see')),
  );
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
  expect(app.screen.view).toMatchObject({narrow: topicNarrow(stage.channelId, 'talk')});
});

test('a list does not move under the hand that clicks near its edge', async () => {
  const topics = Array.from({length: 40}, (_, nth) => `topic ${nth}`);
  const {app, click, press, layout} = await staged(1, topics);
  press('t');
  const {main} = layout();
  const last = main.y + main.rows - 1;
  const before = text(app, 'recent');
  click(main.x + 4, last);
  const bare = (lines: string) => lines.replaceAll('▌', ' ');
  expect(bare(text(app, 'recent'))).toBe(bare(before));
  click(main.x + 4, last);
  expect(app.screen.view.kind).toBe('messages');
});

test('a list without the keys scrolls away from what is shown, and comes back to what is opened', async () => {
  const topics = Array.from({length: 40}, (_, nth) => `topic ${nth}`);
  const {app, click, turn, rowOf, layout, session} = await staged(1, topics);
  await waitForState(session, () => text(app, 'topics').includes('topic 39'));
  const {topics: rect} = layout();
  const [x, y] = [(rect?.x ?? 0) + 3, (rect?.y ?? 0) + 5];
  const before = text(app, 'topics');
  expect(before).toContain('▏ talk');
  for (let nth = 0; nth < 5; nth++) turn('down', x, y);
  expect(text(app, 'topics')).not.toContain('▏ talk');
  expect(app.screen.focus).toBe('main');
  for (let nth = 0; nth < 20; nth++) turn('up', x, y);
  expect(text(app, 'topics')).toBe(before);
  for (let nth = 0; nth < 5; nth++) turn('down', x, y);
  const shown = text(app, 'topics').match(/topic \d+/)?.[0] ?? '';
  click(...rowOf('topics', shown));
  expect(app.screen.view).toMatchObject({narrow: topicNarrow(expect.any(Number), shown)});
  expect(text(app, 'topics')).toContain(`▏ ${shown}`);
});

test('a click means what was painted, though something has arrived since', () => {
  const {app, take, session, press} = listFixture({view: {kind: 'recent'}});
  press('j');
  const rect = listBodyRect(app.frame, 'recent') ?? {x: 0, y: 0};
  const y =
    rect.y +
    text(app, 'recent')
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
  expect(text(app, 'recent').split('\n')[y - rect.y]).not.toContain('#web › css');
  take({kind: 'mouse', action: 'press', button: 'left', x: rect.x + 4, y});
  expect(cursorRow(app.frame, 'recent')?.label).toBe('#web › css');
});

test('a key in one read with a click is about the row that was clicked', async () => {
  const {app, take, rowOf, stage, session} = await staged(1, ['one', 'two', 'three']);
  openView(app, {kind: 'inbox'});
  app.frames.paintNow();
  const before = [...app.state.unreads.conversations.keys()];
  const clicked = topicConversationKey(stage.channelId, 'one');
  expect(cursorRow(app.frame, 'inbox')?.key).not.toBe(clicked);
  const [x, y] = rowOf('inbox', '› one');
  take({kind: 'mouse', action: 'press', button: 'left', x, y}, {kind: 'key', key: {name: 'e'}});
  await session.pendingChanges.idle();
  expect([...app.state.unreads.conversations.keys()]).toEqual(before.filter((key) => key !== clicked));
});
