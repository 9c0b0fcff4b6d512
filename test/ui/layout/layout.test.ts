import fc from 'fast-check';
import {expect, test} from 'vitest';
import {directNarrow, narrowIs, topicNarrow} from '#state/model/narrow.ts';
import {messagesView, type View} from '#ui/core/frame.ts';
import type {Focus, ScreenState} from '#ui/core/screen-state.ts';
import {inboxLayout, type Layout, layoutOf, type Rect} from '#ui/layout/layout.ts';
import {newScreen} from '#ui/new-screen.ts';
import type {OtherPane, PaneDirection} from '#ui/other-pane/other-pane-state.ts';

const talk = messagesView(topicNarrow(1, 'talk'));

function layout(size: string, fields: Partial<ScreenState> = {}, composerRows = 1): Layout {
  const [columns = 80, rows = 24] = size.split('x').map(Number);
  return layoutOf({...newScreen({columns, rows}, fields.view ?? talk), ...fields}, composerRows);
}

const widths = ({channels, topics, main, people}: Layout) =>
  [channels, topics, main, people].map((rect) => rect?.columns);

test.each([
  ['300x80', [36, 52, 176, 32]],
  ['240x60', [34, 46, 126, 30]],
  ['200x50', [28, 36, 104, 28]],
  ['160x40', [28, 32, 97, undefined]],
  ['140x40', [24, 26, 87, undefined]],
  ['120x40', [24, 26, 67, undefined]],
  ['100x30', [24, undefined, 74, undefined]],
  ['80x24', [undefined, undefined, 80, undefined]],
  ['40x15', [undefined, undefined, 40, undefined]],
] as const)('layout: pane widths at %s', (size, columns) => {
  expect(widths(layout(size))).toEqual(columns);
});

test.each([
  ['200x50', [28, undefined, 141, 28]],
  ['140x40', [24, undefined, 114, undefined]],
  ['120x40', [24, undefined, 94, undefined]],
] as const)('layout: messages that are not of one channel get the width of the topics at %s', (size, columns) => {
  for (const narrow of [directNarrow([5]), narrowIs('starred')]) {
    expect(widths(layout(size, {view: messagesView(narrow)}))).toEqual(columns);
  }
});

test('layout: a blank column is between the lists and messages', () => {
  const {rules, main} = layout('120x40');
  expect(rules.map(({x, columns}) => [x, columns])).toEqual([
    [24, 1],
    [51, 2],
  ]);
  expect(main.x).toBe(53);
});

test('layout: list views have no topics and no people pane', () => {
  expect(widths(layout('200x50', {view: {kind: 'recent'}}))).toEqual([28, undefined, 171, undefined]);
});

test('layout: the people pane can be shown on wide screens only', () => {
  const panes = {sidebar: 'auto', people: 'shown', isBare: false} as const;
  expect(layout('140x40', {panes}).people?.columns).toBe(24);
  expect(layout('100x30', {panes}).people).toBeUndefined();
});

test.each(['channels', 'topics'] as const)('layout: on a small screen the %s list lies over the messages', (focus) => {
  const {isDrawer, main, ...panes} = layout('80x24', {focus});
  expect(isDrawer).toBe(true);
  expect(panes[focus]).toEqual({x: 0, y: 1, columns: 32, rows: 22});
  expect(main.columns).toBe(80);
  expect(layout('40x15', {focus})[focus]?.columns).toBe(40);
});

test.each(['40x15', '80x24', '120x40', '200x50'])('layout: triage uses the whole width at %s', (size) => {
  const {main, channels, people, rules} = layout(size, {view: {kind: 'triage'}, focus: 'main'});
  expect([channels, people, rules]).toEqual([undefined, undefined, []]);
  expect(main).toMatchObject({x: 0, columns: Number(size.split('x')[0])});
});

test('layout: few rows hide the status line first, then the header; a toast covers the first row', () => {
  const toast = {text: 'Done', tone: 'plain', id: 1} as const;
  expect(layout('80x16').status?.y).toBe(15);
  expect(layout('80x15').status).toBeUndefined();
  expect(layout('80x15').header?.rows).toBe(1);
  expect(layout('80x11').header).toBeUndefined();
  expect(layout('80x15', {toast}).toast).toEqual({x: 0, y: 0, columns: 80, rows: 1});
  expect(layout('80x16', {toast}).toast).toBeUndefined();
});

/** A conversation beside or below the focused one. */
function divided(direction: PaneDirection, fields: Partial<OtherPane> = {}): OtherPane {
  const view = messagesView(directNarrow([5]));
  const own = {back: [], forward: [], focus: 'main', timeline: undefined, newestKnown: 0, composer: undefined} as const;
  return {view, ...own, direction, isFirst: true, isZoomed: false, ...fields};
}

const twoPanes = ({channels, topics, people, other, main, head}: Layout) => ({
  lists: [channels, topics, people].map((rect) => rect?.columns),
  other: other && `${other.columns}x${other.rows}`,
  main: `${main.columns}x${main.rows}`,
  heads: head?.rows ?? 0,
});
const noLists = [undefined, undefined, undefined];

test.each([
  ['beside', '200x50', {lists: [28, undefined, undefined], other: '84x48', main: '84x46', heads: 1}],
  ['beside', '156x40', {lists: [24, undefined, undefined], other: '64x38', main: '64x36', heads: 1}],
  ['beside', '155x40', {lists: noLists, other: '76x38', main: '77x36', heads: 1}],
  ['beside', '120x30', {lists: noLists, other: '59x28', main: '59x26', heads: 1}],
  ['beside', '120x8', {lists: noLists, other: '59x8', main: '59x6', heads: 1}],
  ['below', '200x50', {lists: [28, undefined, undefined], other: '170x24', main: '170x22', heads: 1}],
  ['below', '80x40', {lists: noLists, other: '80x19', main: '80x17', heads: 1}],
  ['below', '40x40', {lists: noLists, other: '40x19', main: '40x17', heads: 1}],
] as const)('layout: two panes, %s, at %s', (direction, size, expected) => {
  expect(twoPanes(layout(size, {otherPane: divided(direction)}))).toEqual(expected);
});

test.each([
  ['beside', '119x50'],
  ['below', '200x39'],
  ['beside', '40x15'],
  ['below', '40x15'],
  ['below', '29x60'],
] as const)('layout: a second pane %s the first is hidden at %s', (direction, size) => {
  expect(layout(size, {otherPane: divided(direction)})).toEqual(layout(size));
});

test('layout: a zoomed pane has the whole area', () => {
  expect(layout('200x50', {otherPane: divided('beside', {isZoomed: true})})).toEqual(layout('200x50'));
});

test.each(['beside', 'below'] as const)('layout: moving the focus moves no pane that is %s another', (direction) => {
  const before = layout('200x50', {otherPane: divided(direction)});
  const after = layout('200x50', {
    view: messagesView(directNarrow([5])),
    otherPane: divided(direction, {view: talk, isFirst: false}),
  });
  const whole = ({head, main, composer}: Layout) => ({...head, rows: 1 + main.rows + (composer?.rows ?? 0)});
  expect([after.other, whole(after)]).toEqual([whole(before), before.other]);
  expect(after.rules).toEqual(before.rules);
});

test('layout: the frame of the other pane has only its head, its view and its composer', () => {
  const area = {x: 30, y: 1, columns: 59, rows: 28};
  const {head, main, composer, header, status, channels, rules, other} = layout('120x30', {area, focus: 'other'});
  expect([header, status, channels, other, rules]).toEqual([undefined, undefined, undefined, undefined, []]);
  expect([head, main, composer]).toEqual([
    {...area, rows: 1},
    {...area, y: 2, rows: 26},
    {...area, y: 28, rows: 1},
  ]);
});

test('layout: for any size, panes are inside the screen, do not overlap, and fill it', () => {
  const views: readonly View[] = [talk, {kind: 'inbox'}, {kind: 'triage'}, {kind: 'people'}];
  const focuses: readonly Focus[] = ['main', 'channels', 'topics', 'people', 'composer'];
  fc.assert(
    fc.property(
      fc.integer({min: 30, max: 330}),
      fc.integer({min: 8, max: 70}),
      fc.constantFrom(...views),
      fc.constantFrom(...focuses),
      fc.integer({min: 0, max: 12}),
      fc.constantFrom(undefined, divided('beside'), divided('below'), divided('beside', {isFirst: false})),
      (columns, rows, view, focus, composerRows, otherPane) => {
        const {channels, topics, main, people, composer, header, status, rules, isDrawer, head, other} = layout(
          `${columns}x${rows}`,
          {view, focus, otherPane},
          composerRows,
        );
        const [_drawerRule, ...paneRules] = rules;
        const beside = isDrawer ? paneRules : [channels, topics, ...rules];
        const rects = [...beside, main, people, composer, header, status, head, other].filter(
          (rect) => rect !== undefined,
        );
        for (const rect of rects) expect(isInside(rect, columns, rows), JSON.stringify(rect)).toBe(true);
        expect(rects.reduce((sum, rect) => sum + rect.columns * rect.rows, 0)).toBe(columns * rows);
      },
    ),
  );
});

test('layout: the inbox has its tabs, a rule, and the list with the messages beside or below it', () => {
  const inbox = (columns: number) => {
    const screen = newScreen({columns, rows: 30}, {kind: 'inbox'});
    return inboxLayout({screen}, {x: 0, y: 0, columns: 80, rows: 28});
  };
  const line = {x: 0, y: 0, columns: 80, rows: 1};
  const [beside, below] = [inbox(120), inbox(80)];
  for (const {tabs, rule, body} of [beside, below])
    expect([tabs, rule, body]).toEqual([line, {...line, y: 1}, {...line, y: 2, rows: 26}]);
  expect(beside).toMatchObject({
    list: {x: 0, y: 2, columns: 34, rows: 26},
    divider: {x: 34, y: 2, columns: 1, rows: 26},
    heading: {x: 36, y: 2, columns: 44, rows: 1},
    preview: {x: 36, y: 3, columns: 44, rows: 25},
  });
  expect(below).toMatchObject({
    list: {...line, y: 2, rows: 11},
    divider: undefined,
    heading: {...line, y: 13},
    preview: {...line, y: 14, rows: 14},
  });
});

function isInside({x, y, columns: wide, rows: high}: Rect, columns: number, rows: number): boolean {
  return x >= 0 && y >= 0 && wide > 0 && high > 0 && x + wide <= columns && y + high <= rows;
}

test('layout: a banner above the messages leaves them at least four rows', () => {
  const rows = (height: number, wanted: number) => {
    const {banner, main} = layoutOf(newScreen({columns: 80, rows: height}, talk), 1, wanted);
    return [banner?.rows, main.rows];
  };
  expect(rows(24, 3)).toEqual([3, 18]);
  expect([rows(8, 3), rows(7, 3), rows(6, 3), rows(5, 3)]).toEqual([
    [3, 4],
    [2, 4],
    [1, 4],
    [undefined, 4],
  ]);
});
