import {expect, test} from 'vitest';
import {listPane} from '#app/lists/list-pane.ts';
import {cursorRow} from '#app/lists/listing.ts';
import {openConversation} from '#app/navigation.ts';
import {screenLayout} from '#app/screen-layout.ts';
import {selectedRow, timelineNow} from '#app/timeline/selection.ts';
import {topicConversation} from '#state/model/conversation.ts';
import {topicNarrow} from '#state/model/narrow.ts';
import {timelineOf} from '#state/selectors/timeline.ts';
import type {KeyEvent} from '#terminal/input/events.ts';
import {sessionStage, until} from '#test/state/session-stage.ts';
import {appStage} from '#test/support/app-stage.ts';
import {textOf} from '#test/support/frame.ts';

async function staged(count = 60) {
  const stage = await sessionStage();
  for (let nth = 1; nth <= count; nth++) await stage.say(`message ${nth}`);
  const session = stage.session();
  session.start();
  await session.ready();
  const app = appStage({session, size: '120x24'});
  openConversation(app.app, topicConversation(stage.channelId, 'talk'), {anchor: 'newest'});
  const narrow = topicNarrow(stage.channelId, 'talk');
  await until(session, (state) => timelineOf(state, narrow)?.ids.size === count);
  app.press('G');
  const layout = () => screenLayout(app.app.frame);
  const click = (x: number, y: number) => app.take({kind: 'mouse', action: 'press', button: 'left', x, y});
  return {...app, layout, click};
}

const wheel = (name: 'Up' | 'Down'): KeyEvent => ({kind: 'key', key: {name}, isWheel: true});

test('arrows of a wheel scroll the messages, also while somebody writes, and never edit', async () => {
  const {press, take, app} = await staged();
  const top = () => timelineNow(app.frame)?.window?.start;
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
  const row = timelineNow(app.frame)?.window?.rows.at(-4);
  const {main} = layout();
  click(main.x + 5, main.y + (row?.first ?? 0));
  expect(app.screen.focus).toBe('main');
  expect(row).toBeDefined();
  expect(selectedRow(app)).toBe(row?.key);
});

test('a click on a row of a list puts the cursor there, and a second one opens it', async () => {
  const {click, layout, app} = await staged(1);
  const {channels} = layout();
  const rect = channels ?? {x: 0, y: 0, columns: 1, rows: 1};
  const at = textOf(listPane('channels')(app.frame, rect)).findIndex((line) => line.includes('Recent'));
  click(rect.x + 4, rect.y + at);
  expect(app.screen.focus).toBe('channels');
  expect(cursorRow(app.frame, 'channels')?.label).toBe('Recent');
  expect(app.screen.view.kind).toBe('messages');
  click(rect.x + 4, rect.y + at);
  expect(app.screen.view.kind).toBe('recent');
});
