import {expect, test} from 'vitest';
import {lineToText} from '#content/styled-text/ansi.ts';
import {egDisplay} from '#test/support/frame-fixture.ts';
import {missingPaneLines, paneHeadLine} from '#ui/other-pane/other-pane-frame.ts';

const head = {
  organization: undefined,
  title: '#web › css',
  color: undefined,
  unreads: undefined,
  isFocused: false,
};
const unreads = {count: 3, mentions: 0, isQuiet: false};
const textAt = (columns: number, more: Partial<Parameters<typeof paneHeadLine>[0]> = {}, glyphs = egDisplay.glyphs) =>
  lineToText(paneHeadLine({...head, ...more}, {columns}, {...egDisplay, glyphs}));

test('pane head: the title is in a line that fills the pane, and the focused pane has a bar and another line', () => {
  expect(textAt(24)).toBe('─ #web › css ───────────');
  expect(textAt(24, {isFocused: true})).toBe('▌#web › css ━━━━━━━━━━━━');
  expect(textAt(24, {}, 'ascii')).toBe('- #web > css -----------');
  const rolesOf = (isFocused: boolean) =>
    paneHeadLine({...head, isFocused}, {columns: 24}, egDisplay).spans.map(({role}) => role);
  expect(rolesOf(true)).toContain('cursor_bar');
  expect(rolesOf(true)).toContain('header_title');
  expect(rolesOf(true)).not.toContain('separator');
  expect(rolesOf(false)).toContain('separator');
  expect(rolesOf(false)).not.toContain('cursor_bar');
});

test('pane head: what is unread is at the end, and the organization before the title', () => {
  expect(textAt(30, {unreads})).toBe('─ #web › css ──────── 3 unread');
  expect(textAt(30, {organization: 'acme', unreads})).toBe('─ acme  #web › css ── 3 unread');
});

test('pane head: a long title is cut, and two columns of the line are left before what is unread', () => {
  expect(textAt(20, {unreads})).toBe('─ #web ›…── 3 unread');
  expect(textAt(12)).toBe('─ #web ›…───');
});

test('missing pane: its text is wrapped below an empty head, and has no more rows than the pane', () => {
  const area = {columns: 14, rows: 4};
  const lines = missingPaneLines('beta could not be opened: offline', area, egDisplay);
  expect(lines.map(lineToText)).toEqual(['─'.repeat(14), ' beta could', ' not be', ' opened:']);
  expect(lines.map(({spans}) => spans.at(-1)?.role)).toEqual(['separator', 'dim', 'dim', 'dim']);
});
