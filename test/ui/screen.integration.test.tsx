import {expect, test} from 'vitest';
import {commandTable} from '#commands/command-table.ts';
import {makeKeyGuide} from '#commands/key-guide.ts';
import {defaultKeymap} from '#commands/keymap.ts';
import {egFrame, type FrameParts} from '#test/support/frame-fixture.ts';
import {type RenderedFrames, renderWithFrame} from '#test/support/render-ink.tsx';
import * as eg from '#test/support/state-builders.ts';
import type {Frame, Organization} from '#ui/core/frame.ts';
import type {PickerState} from '#ui/core/overlay.ts';
import type {OtherPane} from '#ui/other-pane/other-pane-state.ts';
import {Screen} from '#ui/Screen.tsx';
import {emptyLine} from '#ui/text/text-field.ts';

const account = eg.state({
  connection: {phase: 'online'},
  channels: eg.byId(eg.channel({id: 1, name: 'garden'})),
  subscriptions: eg.subscribed(eg.subscription({channelId: 1})),
});

/** A frame without styles, so that rows are text. */
function plainFrame(parts: FrameParts): Frame {
  const frame = egFrame({account, ...parts});
  const {theme} = frame.display;
  const plainTheme = {...theme, styleSheet: () => theme.styleSheet('never')};
  return {...frame, display: {...frame.display, theme: plainTheme}};
}

function renderScreen(parts: FrameParts): RenderedFrames {
  return renderWithFrame(<Screen />, plainFrame(parts));
}

const fruitPicker: PickerState = {
  kind: 'picker',
  picker: {
    id: 'test',
    title: 'Fruit',
    rows: () => [{key: 'a', label: 'apple'}],
    accept: () => {},
    columns: 40,
    isMenu: true,
  },
  field: emptyLine,
  cursor: 0,
  top: 0,
  openedRows: 1,
};

test('Screen: shows header, sidebar, main pane and status line, in as many rows as the terminal has', () => {
  const rows = renderScreen({size: '100x16', screen: {toast: {id: 1, text: 'Saved', tone: 'plain'}}}).rows();
  expect(rows).toHaveLength(16);
  expect(rows[0]).toMatch(/^ acme · .* Inbox .* 12:00 PM$/);
  expect(rows[1]).toMatch(/^.{24}│ {2}1 All {2}2 @/);
  expect(rows.slice(1, 15).every((row) => row[24] === '│')).toBe(true);
  expect(rows.join('\n')).toContain('garden');
  expect(rows[15]).toBe('  Saved');
});

test.each(['30x8', '40x15', '40x24', '50x18', '80x24', '120x40'])('Screen: at %s no overlay covers a toast', (size) => {
  const toast = {id: 1, text: 'Fruit was saved', tone: 'plain'} as const;
  const picker = renderScreen({size, screen: {overlays: [fruitPicker], toast}}).rows();
  const card = {id: 'trees', title: 'Trees', isFullScreen: true, lines: () => []} as const;
  const cardRows = renderScreen({size, screen: {overlays: [{kind: 'card', card, top: 0}], toast}}).rows();
  for (const rows of [picker, cardRows]) {
    expect(rows).toHaveLength(Number(size.split('x')[1]));
    expect(rows.filter((row) => row.includes('Fruit was saved'))).toHaveLength(1);
  }
});

test('Screen: draws rules between panes in ASCII where the terminal has no line glyphs', () => {
  const rows = renderScreen({size: '100x16', display: {glyphs: 'ascii'}}).rows();
  expect(rows.slice(1, 15).every((row) => row[24] === '|')).toBe(true);
});

test('Screen: a narrow terminal has no sidebar until it is focused, then it covers the main pane', async () => {
  const {rows, paint} = renderScreen({size: '80x16'});
  expect(rows()[1]).toMatch(/^ {2}1 All {2}2 @/);
  await paint(plainFrame({size: '80x16', screen: {focus: 'channels'}}));
  expect(rows()[1]).toMatch(/^▌ Inbox {25}│/);
  expect(
    rows()
      .slice(1, 15)
      .every((row) => row[32] === '│'),
  ).toBe(true);
  expect(
    rows()
      .map((row) => row.slice(0, 32))
      .join('\n'),
  ).not.toContain('1 All');
  await paint(plainFrame({size: '80x16'}));
  expect(rows()[1]).toMatch(/^ {2}1 All {2}2 @/);
});

test('Screen: an overlay covers the panes beneath it, and closing it shows them again', async () => {
  const {rows, paint} = renderScreen({size: '100x16'});
  const before = rows();
  await paint(plainFrame({size: '100x16', screen: {overlays: [fruitPicker]}}));
  const overlaid = rows().map((row) => row.slice(30, 70));
  const top = overlaid.findIndex((row) => row.startsWith('╭─ Fruit ─'));
  expect(overlaid.slice(top, top + 3)).toEqual([
    `╭─ Fruit ${'─'.repeat(30)}╮`,
    `│▌apple${' '.repeat(32)}│`,
    `╰${'─'.repeat(38)}╯`,
  ]);
  expect(rows().map((row) => row.slice(0, 25))).toEqual(before.map((row) => row.slice(0, 25)));
  await paint(plainFrame({size: '100x16'}));
  expect(rows()).toEqual(before);
});

test('Screen: the keys that may follow a prefix cover the rows above the status line', () => {
  const rows = renderScreen({
    size: '100x24',
    info: {keys: makeKeyGuide(defaultKeymap, commandTable)},
    screen: {prefix: ['g'], isPrefixShown: true},
  }).rows();
  const title = rows.findIndex((row) => /^─+ g … ─+$/.test(row));
  expect(title).toBeGreaterThan(1);
  expect(rows.slice(title, 23).some((row) => row.includes('│'))).toBe(false);
  expect(rows.slice(title).join('\n')).toMatch(/ i {3}Inbox/);
});

test('Screen: a terminal without room for a status line shows toasts over its first row', () => {
  const rows = renderScreen({size: '80x14', screen: {toast: {id: 1, text: 'Saved', tone: 'plain'}}}).rows();
  expect(rows[0]).toBe('  Saved');
});

test.each(['29x24', '80x7', '10x1'])('Screen: a terminal of %s is too small and says so', (size) => {
  const rows = renderScreen({size}).rows();
  expect(rows).toHaveLength(Number(size.split('x')[1]));
  expect(rows[0]).toBe('Too small');
  expect(rows.join('')).not.toContain('Inbox');
});

test('Screen: a frame that shows the same writes nothing, and a change writes once', async () => {
  const frame = plainFrame({size: '140x24'});
  const {rows, outputCount, paint} = renderWithFrame(<Screen />, frame);
  expect(outputCount()).toBe(1);
  await paint({...frame, screen: {...frame.screen, hasWindowFocus: false}});
  expect(outputCount()).toBe(1);
  await paint({...frame, minute: frame.minute + 60_000});
  expect(outputCount()).toBe(2);
  expect(rows()[0]).toContain('12:01 PM');
});

test('Screen: another view replaces the content of the main pane', async () => {
  const {rows, paint} = renderScreen({size: '100x16'});
  await paint(plainFrame({size: '100x16', view: {kind: 'channels'}}));
  expect(rows()[0]).toMatch(/acme · Person 10 +Channels /);
  expect(rows()[1]).not.toContain('2 @');
  await paint(plainFrame({size: '100x16', view: {kind: 'inbox'}}));
  expect(rows()[1]).toContain('2 @');
});

test('Screen: a second pane of an account that is not open says so, then why it could not be opened, then shows it', async () => {
  const otherPane: OtherPane = {
    ...{view: {kind: 'recent'}, back: [], forward: [], focus: 'main', timeline: undefined, newestKnown: 0},
    ...{composer: undefined, direction: 'beside', isFirst: false, isZoomed: false, organization: 1},
  };
  const shown = {index: 0, name: 'acme', mark: 'ac', isShown: true, frame: undefined, problem: undefined};
  const frame = plainFrame({size: '200x40', screen: {otherPane}});
  const withOther = (more: Partial<Organization>): Frame => {
    const other = {...shown, index: 1, name: 'rowing', mark: 'ro', isShown: false, ...more};
    return {...frame, organizations: {arrangement: 'grouped', all: [shown, other]}};
  };
  const {rows, paint} = renderWithFrame(<Screen />, withOther({}));
  const text = () => rows().join('\n');
  expect(text()).toContain('Opening rowing…');
  await paint(withOther({problem: 'its server cannot be reached.'}));
  expect(text()).toContain('rowing could not be opened: its server cannot be reached.');
  await paint(withOther({frame: plainFrame({size: '200x40', screen: {}})}));
  expect(text()).not.toContain('rowing could not be opened');
  expect(text()).toContain('Recent conversations');
  await paint(frame);
  expect(text()).toContain('shown separately now.');
});
