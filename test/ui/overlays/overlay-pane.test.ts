import {expect, test} from 'vitest';
import {egFrame, type FrameParts} from '#test/support/frame-fixture.ts';
import {assertLineContract} from '#test/support/line-contract.ts';
import {overlayText} from '#test/support/overlay-text.ts';
import {overlayLines} from '#test/support/part-lines.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {Card, Picker, PickerRow, PickerState} from '#ui/core/overlay.ts';
import {paintLine} from '#ui/Lines.tsx';
import {overlayCursor, overlayRect} from '#ui/overlay-position.ts';
import {pickerRowAt} from '#ui/overlays/picker-lines.ts';
import {emptyLine, setText} from '#ui/text/text-field.ts';

function picker(rows: readonly PickerRow[], more: Partial<Picker> = {}): Picker {
  return {
    id: 'test',
    title: 'Fruit',
    rows: () => rows,
    accept: () => {},
    hint: {Enter: 'choose', Esc: 'close'},
    ...more,
  };
}

function opened(shown: Picker, parts: FrameParts & Partial<PickerState> = {}): Frame {
  const {field = emptyLine, cursor = 0, top = 0, openedRows = 0, ...frame} = parts;
  const overlay: PickerState = {kind: 'picker', picker: shown, field, cursor, top, openedRows};
  return egFrame({size: '120x40', ...frame, screen: {overlays: [overlay]}});
}

const fruit: readonly PickerRow[] = [
  {key: 'a', label: 'apple', detail: 'red', right: 'a'},
  {key: 'b', label: 'banana', matched: [[0, 3]], right: 'b'},
  {key: 'c', label: 'cherry', disabled: 'Not in season.', right: 'c'},
];

test('picker: a box with title, field, rows and hint', () => {
  const frame = opened(picker(fruit, {columns: 40}), {field: setText(emptyLine, 'an'), cursor: 1});
  expect(overlayText(frame)).toEqual([
    '╭─ Fruit ──────────────────────────────╮',
    '│ › an                                 │',
    '├──────────────────────────────────────┤',
    '│ apple  red                         a │',
    '│▌banana                             b │',
    '│ cherry  Not in season.             c │',
    '╰─ Enter choose · Esc close ───────────╯',
  ]);
  expect(overlayRect(frame)).toEqual({x: 40, y: 3, columns: 40, rows: 7});
  expect(overlayCursor(frame)).toEqual({x: 40 + 1 + 5, y: 4});
});

test('picker: matches are highlighted in the label', () => {
  const frame = opened(picker(fruit));
  const lines = overlayLines(frame);
  expect(lines[4]?.spans.find(({text}) => text === 'ban')?.role).toBe('matched');
});

test('picker: uses the whole width of a medium screen, and all of a small one', () => {
  expect(overlayRect(opened(picker(fruit), {size: '80x24'}))).toMatchObject({x: 0, columns: 80, y: 3});
  const small = opened(picker(fruit), {size: '40x15'});
  expect(overlayRect(small)).toEqual({x: 0, y: 0, columns: 40, rows: 15});
  expect(overlayText(small)[0]).toBe(`─ Fruit ${'─'.repeat(32)}`);
  expect(overlayText(small)[3]).toBe('▌apple  red                           a');
});

test('picker: long lists scroll and show the position', () => {
  const many = Array.from({length: 120}, (_, at): PickerRow => ({key: String(at), label: `row ${at + 1}`}));
  const frame = opened(picker(many, {rowsShown: 5}), {cursor: 49, top: 45});
  const text = overlayText(frame);
  expect(text[0]).toContain(' 50/120 ─╮');
  expect(text.slice(3, 8).map((line) => line.slice(1, 9).trim())).toEqual([
    'row 46',
    'row 47',
    'row 48',
    'row 49',
    '▌row 50',
  ]);
  expect(pickerRowAt(frame, {x: 40, y: 3 + 3})).toBe(45);
});

test('picker: rows that are in two columns where there is room are read down, then across', () => {
  const many = Array.from({length: 120}, (_, at): PickerRow => ({key: String(at), label: `row ${at + 1}`}));
  const shown = picker(many, {rowsShown: 5, columns: 96, isTwoColumns: true});
  const frame = opened(shown, {size: '200x24', cursor: 11});
  const {x, y, rows} = overlayRect(frame) ?? {x: 0, y: 0, rows: 0};
  const bodyRows = rows - 4;
  const text = overlayText(frame).slice(3, 3 + bodyRows);
  expect(text[0]).toMatch(new RegExp(`^│ row 1 .* row ${bodyRows + 1} +│$`));
  expect(text.join('\n')).toContain('▌row 12 ');
  expect([pickerRowAt(frame, {x: x + 5, y: y + 4}), pickerRowAt(frame, {x: x + 90, y: y + 4})]).toEqual([
    1,
    bodyRows + 1,
  ]);
  expect(overlayText(opened(shown, {size: '120x24'}))[3]).toMatch(/^│▌row 1 +│$/);
});

const lines = (count: number) =>
  Array.from({length: count}, (_, at): PickerRow => ({key: `${at}`, label: `row ${at}`}));
const height = (shown: Picker, parts: Parameters<typeof opened>[1]) => overlayRect(opened(shown, parts))?.rows;

test.each(['200x50', '120x40', '80x24'])(
  'picker: uses the height of %s for what it opened with, whatever is typed',
  (size) => {
    const full = Number(size.split('x')[1]) - 4;
    for (const found of [60, 3, 0]) expect(height(picker(lines(found)), {size, openedRows: 60})).toBe(full);
    expect(height(picker(lines(20)), {size: '120x40', openedRows: 20})).toBe(24);
  },
);

test('picker: whose rows come and go keeps its height, also from few rows to many', () => {
  const heights = [8, 50, 0].map((found) =>
    height(picker(lines(found), {rowsShown: 14}), {size: '120x40', openedRows: 8}),
  );
  expect(heights).toEqual([23, 23, 23]);
});

test('picker: titles are not counted and never have the cursor', () => {
  const rows: readonly PickerRow[] = [{key: 't', label: 'Berries', isTitle: true}, ...fruit];
  const text = overlayText(opened(picker(rows, {columns: 40}), {cursor: 0}));
  expect(text[3]).toBe('│ Berries                              │');
  expect(text[4]).toContain('▌apple');
});

test('picker: a menu has no field and no cursor', () => {
  const frame = opened(picker(fruit, {isMenu: true}));
  expect(overlayText(frame)).toHaveLength(5);
  expect(overlayCursor(frame)).toBeUndefined();
});

test('picker: shows its empty text', () => {
  expect(overlayText(opened(picker([], {empty: 'No fruit.'})))[3]).toContain(' No fruit.');
});

test('picker: hints that do not fit are dropped completely', () => {
  const frame = opened(picker(fruit, {hint: {Enter: 'choose', Tab: 'look inside the thing', Esc: 'close'}}), {
    size: '34x12',
  });
  expect(overlayText(frame).at(-1)).toBe(`─ Enter choose ${'─'.repeat(19)}`);
});

test('picker: for any content and size, every line fits its width', () => {
  const odd: readonly PickerRow[] = [
    {
      key: '1',
      label: '森 海斗 wide and \u001b[31mred\u0007',
      detail: 'x\ny',
      right: '👍 12',
      matched: [[0, 1]],
    },
    {key: '2', label: 'a'.repeat(300), detail: 'b'.repeat(300), right: 'c'.repeat(300)},
    {key: '3', label: '', isTitle: true},
    {key: '4', label: 'مرحبا', disabled: 'd'.repeat(200)},
  ];
  for (const size of ['200x50', '120x40', '80x24', '60x16', '40x15', '30x8']) {
    for (const glyphs of ['unicode', 'ascii'] as const) {
      const frame = opened(picker(odd), {
        size,
        display: {glyphs},
        field: setText(emptyLine, '森'.repeat(200)),
      });
      const rect = overlayRect(frame);
      const lines = overlayLines(frame);
      expect(lines).toHaveLength(rect?.rows ?? -1);
      assertLineContract(
        lines.map((line) => paintLine(line, frame.display)),
        rect?.columns ?? 0,
      );
      const {x, y} = overlayCursor(frame) ?? {x: -1, y: -1};
      expect(x).toBeLessThan((rect?.x ?? 0) + (rect?.columns ?? 0));
      expect(y).toBeGreaterThanOrEqual(0);
    }
  }
});

test('picker: unchanged rows keep their identity, so that they are painted once', () => {
  const shown = picker(fruit);
  const [first, second] = [0, 1].map((cursor) => overlayLines(opened(shown, {cursor})));
  expect(second?.[5]).toBe(first?.[5]);
  expect(second?.[4]).not.toBe(first?.[4]);
});

test('card: uses the height of the screen', () => {
  const card: Card = {id: 'test', title: 'Poem', lines: () => new Array(90).fill({spans: [], width: 0})};
  const frame = egFrame({size: '200x50', screen: {overlays: [{kind: 'card', card, top: 0}]}});
  expect(overlayRect(frame)?.rows).toBe(46);
});

test('card: shows its lines and the position', () => {
  const card: Card = {
    id: 'test',
    title: 'Poem',
    columns: 20,
    lines: () => Array.from({length: 50}, (_, at) => ({spans: [{text: `line ${at + 1}`, role: 'text'}], width: 7})),
  };
  const frame = egFrame({size: '120x20', screen: {overlays: [{kind: 'card', card, top: 10}]}});
  const text = overlayText(frame);
  expect(text[0]).toBe('╭─ Poem ─── 24/50 ─╮');
  expect(text[1]).toBe('│ line 11          │');
  expect(overlayCursor(frame)).toBeUndefined();
});
