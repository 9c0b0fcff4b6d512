import {expect, test} from 'vitest';
import {selectRow} from '#app/message-pane/selection.ts';
import {changeTimeline, timelineState} from '#app/navigation/navigation.ts';
import * as eg from '#test/support/state-builders.ts';
import {noon, several} from '#test/ui/message-pane/timeline-frame.ts';
import {selectedRow} from '#ui/message-pane/selected-message.ts';
import {timelineFixture} from './timeline-fixture.ts';

const later = (from: number, count: number) =>
  several(count, (at) => ({id: from + at, content: `message ${from + at}`, timestamp: noon + 60 * at}));

test('timeline: a conversation without unread messages opens at its end', () => {
  const {app, lines} = timelineFixture({messages: several(100)});
  expect(selectedRow(app)).toBe(100);
  expect(lines().join('\n')).toContain('▌ message 100');
});

test('timeline: j and k move the selection and scroll the pane', () => {
  const {app, press, lines} = timelineFixture({messages: several(100)});
  press('k', 'k', 'j');
  expect(selectedRow(app)).toBe(99);
  for (let i = 0; i < 30; i++) press('k');
  expect(selectedRow(app)).toBe(69);
  // The date is above it.
  expect(lines()[2]).toBe('▌ message 69');
  press('j');
  expect(lines()[4]).toBe('▌ message 70');
});

test('timeline: pages overlap, and the selection goes where reading continues', () => {
  const {app, press, lines} = timelineFixture({messages: several(100), state: {openAt: 'oldest'}});
  const before = lines();
  press('J');
  const after = lines();
  const unmarked = after.map((line) => line.replace('▌', ' '));
  // The date covers the first of the two.
  expect(unmarked[1]).toBe(before.at(-2));
  expect(lines()).toContain(`▌ message ${selectedRow(app)}`);
  press('K');
  expect(lines()[0]).toBe(before[0]);
});

test('timeline: the date of the first line stands at the top of the pane, whichever way one gets there', () => {
  const messages = several(60, (at) => ({content: `message ${at + 1}`, timestamp: noon - 86_400 * 2 + at * 3600}));
  const {app, press, lines} = timelineFixture({messages, state: {openAt: 'oldest'}});
  const days = ['Tue 30 Dec 2025', 'yesterday', 'today'];
  const dates = () => lines().flatMap((line) => days.find((day) => line.startsWith(`── ${day} ─`)) ?? []);
  const dayOfMessage = (id: number) => days[[13, 37].filter((first) => id >= first).length];
  expect(lines()[0]).toMatch(/^── beginning/);
  for (const key of [
    'j',
    'J',
    'Ctrl-E',
    'Ctrl-E',
    'Ctrl-D',
    'Ctrl-E',
    'k',
    'k',
    'K',
    'Ctrl-Y',
    'J',
    'J',
    'G',
    'k',
    'K',
    'Ctrl-Y',
  ]) {
    const before = lines();
    press(key);
    const now = lines();
    const shown = now.flatMap((line) => /message (\d+)/.exec(line)?.[1] ?? []).map(Number);
    if (!now[0]?.startsWith('── beginning')) {
      expect(now[0], key).toMatch(/^── (?:Tue 30 Dec 2025|yesterday|today) ─/);
      expect([dayOfMessage((shown[0] ?? 0) - 1), dayOfMessage(shown[0] ?? 0)]).toContain(dates()[0]);
    }
    expect(now.slice(1).join('\n'), key).toContain(`▌ message ${selectedRow(app)}`);
    // Scrolling by a line moves everything below the date by one line.
    const unmarked = (all: readonly string[]) => all.map((line) => line.replace('▌', ' '));
    if (key === 'Ctrl-E') expect(unmarked(now).slice(1, -2)).toEqual(unmarked(before).slice(2, -1));
  }
});

test('timeline: a low pane has no line for the date', () => {
  const {lines} = timelineFixture({messages: several(60), size: '80x9'});
  expect(lines().join('')).not.toContain('today');
});

test('timeline: near its end, a pane that grows shows no blank rows below the newest message', () => {
  const {app, press, lines} = timelineFixture({messages: several(100), size: '80x24'});
  const rowsBelow = () => lines().length - lines().findIndex((line) => line.endsWith(' message 100'));
  const atEnd = rowsBelow();
  press('Ctrl-Y', 'Ctrl-E', 'Ctrl-E', 'Ctrl-Y');
  app.set({size: {columns: 80, rows: 27}});
  app.frames.paintNow();
  expect([lines().join().includes('message 100'), rowsBelow()]).toEqual([true, atEnd]);
});

test('timeline: scrolling by lines keeps the selection while it is visible', () => {
  const {app, press} = timelineFixture({messages: several(100)});
  press('k');
  press('Ctrl-Y', 'Ctrl-Y');
  expect(selectedRow(app)).toBe(99);
  press('Ctrl-Y', 'Ctrl-Y');
  expect(selectedRow(app)).toBe(98);
});

test('timeline: Home and G go to the first and last message', () => {
  const {app, press, lines} = timelineFixture({messages: several(100)});
  press('Home');
  expect(selectedRow(app)).toBe(1);
  expect(lines()[0]).toMatch(/^── beginning/);
  press('G');
  expect(selectedRow(app)).toBe(100);
});

test('timeline: a message taller than the pane scrolls before the selection moves on', () => {
  const tall = eg.message({
    id: 2,
    content: Array.from({length: 60}, (_, at) => `line ${at + 1}`).join('\n'),
    timestamp: noon,
  });
  const messages = [...several(1), tall, ...later(3, 2)];
  const {app, press, lines} = timelineFixture({messages, state: {openAt: 'oldest'}});
  press('j');
  press('-');
  expect(selectedRow(app)).toBe(2);
  const seen = new Set(lines());
  while (selectedRow(app) === 2) {
    press('j');
    for (const line of lines()) seen.add(line);
  }
  for (let at = 1; at <= 60; at++) expect(seen).toContain(`▌ line ${at}`);
  expect(selectedRow(app)).toBe(3);
  press('k');
  expect(selectedRow(app)).toBe(2);
  expect(lines()).toContain('▌ line 60');
});

test('timeline: arriving messages are followed while the selection stays visible', () => {
  const {app, join, lines, press} = timelineFixture({messages: several(100)});
  join('newer', later(101, 2));
  expect(selectedRow(app)).toBe(100);
  expect(lines()).toContain('  message 102');
  join('newer', later(103, 40));
  expect(selectedRow(app)).toBe(100);
  expect(lines()[2]).toBe('▌ message 100');
  expect(lines().at(-2)).not.toContain('message 142');
  press('G');
  expect(lines()).toContain('▌ message 142');
});

test('timeline: arriving messages do not move a reader further up', () => {
  const {join, lines, press} = timelineFixture({messages: several(100)});
  for (let i = 0; i < 3; i++) press('K');
  const before = lines();
  join('newer', later(101, 5));
  expect(lines()).toEqual(before);
});

test('timeline: older messages load above without moving the pane', () => {
  const messages = several(40, (at) => ({id: at + 1000, timestamp: noon + 60 * at}));
  const {join, lines, press, app} = timelineFixture({
    messages,
    timeline: {hasOldest: false},
    state: {openAt: 'oldest'},
  });
  press('j', 'j');
  const before = lines();
  join(
    'older',
    several(50, () => ({timestamp: noon - 60})),
  );
  expect(lines().slice(1)).toEqual(before.slice(1));
  expect(selectedRow(app)).toBe(1002);
});

test('timeline: resizing keeps the first visible message and the selection', () => {
  const content = 'some words that wrap differently in a pane of another width '.repeat(3);
  const {press, resize, shown, app} = timelineFixture({
    messages: several(100, () => ({content})),
    size: '120x50',
  });
  for (let i = 0; i < 4; i++) press('K');
  const top = shown()?.window?.rows[0]?.key;
  for (const [columns, rows] of [
    [80, 24],
    [40, 15],
    [30, 8],
    [29, 7],
    [200, 60],
    [120, 50],
  ] as const) {
    resize(columns, rows);
    const selected = selectedRow(app);
    if (columns >= 30) expect(shown()?.window?.rows.some(({key}) => key === selected)).toBe(true);
  }
  expect(shown()?.window?.rows[0]?.key).toBe(top);
});

test('timeline: deleting the selected message selects the next one', () => {
  const {app, session, press} = timelineFixture({messages: several(10)});
  press('k', 'k');
  session.cache.apply({type: 'delete_message', id: 1, message_type: 'stream', message_ids: [8]});
  expect(selectedRow(app)).toBe(9);
  press('k');
  expect(selectedRow(app)).toBe(7);
});

test('timeline: opens at a requested message', () => {
  const {app, lines, show, view} = timelineFixture({messages: several(100)});
  changeTimeline(app, view, (state) => ({...state, openAt: 20, selected: 20, anchor: undefined}));
  show();
  expect(lines()).toContain('▌ message 20');
  expect(timelineState(app)).toMatchObject({selected: 20, openAt: undefined});
  selectRow(app, 90);
  expect(lines()).toContain('▌ message 90');
});

/** Messages before the loaded ones. */
const older = (count: number) =>
  several(count, (at) => ({id: at + 1, content: `older ${at + 1}`, timestamp: noon - 90_000 + 60 * at}));
const shownFrom = (from: number) =>
  several(20, (at) => ({id: from + at, content: `message ${from + at}`, timestamp: noon - 3600 + 60 * at}));

test('timeline: a page up while older messages load happens when they arrive', () => {
  const {app, press, join, lines} = timelineFixture({
    messages: shownFrom(101),
    timeline: {hasOldest: false, loading: 'older'},
  });
  press('K', 'K', 'K', 'K');
  expect(lines()[0]).toMatch(/^── loading older/);
  expect(selectedRow(app)).toBe(101);
  join('older', older(60));
  expect(lines().join('\n')).toContain('older 60');
  expect(lines().join('\n')).not.toContain('message 105');
  expect(timelineState(app).pendingMotion).toBeUndefined();
  const selected = selectedRow(app);
  join('older', []);
  expect(selectedRow(app)).toBe(selected);
});

test('timeline: a step up is remembered too, unless the user moves elsewhere meanwhile', () => {
  const parts = {messages: shownFrom(101), timeline: {hasOldest: false, loading: 'older'}} as const;
  const one = timelineFixture(parts);
  one.press('K', 'K', 'K', 'k');
  one.join('older', older(60));
  expect(selectedRow(one.app)).toBe(60);
  const other = timelineFixture(parts);
  other.press('K', 'K', 'K', 'K', 'j');
  other.join('older', older(60));
  expect(selectedRow(other.app)).toBe(102);
});

test('timeline: a page up at the very beginning is not remembered', () => {
  const {app, press} = timelineFixture({messages: several(30)});
  press('K', 'K', 'K', 'K', 'K');
  expect(timelineState(app).pendingMotion).toBeUndefined();
  expect(selectedRow(app)).toBe(1);
});
