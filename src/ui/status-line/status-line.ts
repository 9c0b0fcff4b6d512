import {textColumns} from '#content/styled-text/text-width.ts';
import {spansColumns, wrapSpans} from '#content/styled-text/wrap.ts';
import type {UiRole} from '#theme/roles.ts';
import type {DisplayOptions, Frame, KeyHint, PaneLine} from '#ui/core/frame.ts';
import type {Toast} from '#ui/core/screen-state.ts';
import {type Rect, shownOtherPane} from '#ui/layout/layout.ts';
import {
  columnsLine,
  fitText,
  fittedLine,
  type LineColumn,
  leftRightLine,
  rule,
  type UiSpan,
} from '#ui/layout/ui-line.ts';
import {selectedCount} from '#ui/list-table.ts';
import {screenLayout} from '#ui/screen-layout.ts';
import {dueText} from '#wording/moment-text.ts';
import {plainGlyphText, ruleGlyph, uiGlyphs} from '#wording/ui-glyphs.ts';

/** What the status line begins with. */
type StatusHead = ReturnType<typeof statusHead>;
type StatusContent = ReturnType<typeof statusContent>;

/** Selects the key hints; a toast replaces them for a while. */
export function statusContent(frame: Frame) {
  const {toast} = frame.screen;
  // Hints change with the selection, and what changes is spoken.
  const hasHints = toast === undefined && frame.display.glyphs !== 'words';
  const hints = hasHints ? hintsNow(frame) : [];
  const moreHints = hasHints ? (frame.info.keys?.moreHints(frame) ?? []) : [];
  return {head: statusHead(frame), toast, hints, moreHints};
}

export function statusHead(frame: Frame) {
  const {screen, info} = frame;
  const mode = frame.display.glyphs === 'words' ? undefined : info.keys?.mode(screen);
  const {isMouseOn} = screen;
  return {mode, isMouseOn, selected: selectedCount(frame), pane: hiddenPaneText(frame), quiet: quietText(frame)};
}

/** Says that notifications are held back, and until when. */
function quietText(frame: Frame): string {
  const {quietUntil = 0} = frame.screen;
  if (quietUntil <= frame.minute) return '';
  return Number.isFinite(quietUntil) ? `quiet until ${dueText(frame, quietUntil)}` : 'quiet';
}

/** Says that there is a second pane, while it is not on the screen. */
function hiddenPaneText({screen}: Frame): string {
  if (screen.otherPane === undefined || shownOtherPane(screen) !== undefined) return '';
  return screen.otherPane.isZoomed ? 'zoomed' : '1 pane hidden';
}

export function statusLine(
  content: StatusContent,
  {columns}: Pick<Rect, 'columns'>,
  display: DisplayOptions,
): PaneLine {
  const {head, toast} = content;
  const {ellipsis} = uiGlyphs(display);
  if (toast !== undefined) {
    const before = spansBeforeToast(head, columns);
    const text = toastText(toast, columns - spansColumns(before), display);
    return fittedLine([...before, {text, role: toastRoles[toast.tone]}], columns, ellipsis);
  }
  const mode = modeSpans(head);
  const moreHints = moreHintSpans(content, columns);
  const hints = hintSpans(content, columns - spansColumns(mode) - spansColumns(moreHints) - 2);
  return leftRightLine([...mode, ...hints], moreHints, columns, {ellipsis});
}

/** On a small screen there is no room for the mode. */
function spansBeforeToast(head: StatusHead, columns: number): readonly UiSpan[] {
  return columns < 60 ? [{text: ' ', role: 'text'}] : modeSpans(head);
}

/** Returns whether the status line cannot show the whole toast. */
export function isToastCut(toast: Toast, head: StatusHead, columns: number, display: DisplayOptions): boolean {
  const room = columns - spansColumns(spansBeforeToast(head, columns));
  return textColumns(plainGlyphText(toast.text, display)) > room;
}

/** Truncates a toast. Its tail is kept complete if possible; the text before it is shortened. */
function toastText(toast: Toast, room: number, display: DisplayOptions): string {
  const text = plainGlyphText(toast.text, display);
  const tail = plainGlyphText(toast.tail ?? '', display);
  const left = room - textColumns(tail);
  if (tail === '' || left < minToastColumns || textColumns(text) <= room) return text;
  return `${fitText(text.slice(0, -tail.length), left, uiGlyphs(display).ellipsis)}${tail}`;
}

const minToastColumns = 12;

export const toastRoles: Readonly<Record<Toast['tone'], UiRole>> = {
  plain: 'toast',
  warning: 'warning',
  error: 'error',
};

function modeSpans({mode, isMouseOn, selected, pane, quiet}: StatusHead): readonly UiSpan[] {
  return [
    ...(mode === undefined ? [] : [{text: ` ${mode}`, role: 'mode'} as const]),
    {text: isMouseOn ? ' MOUSE' : '', role: 'mode'},
    {text: quiet === '' ? '' : `  ${quiet}`, role: 'dim'},
    {text: pane === '' ? '' : `  ${pane}`, role: 'dim'},
    {text: selected > 0 ? `  ${selected} selected` : '', role: 'marked'},
    {text: '  ', role: 'text'},
  ];
}

function keyHintSpans({key, label}: KeyHint): readonly UiSpan[] {
  return [
    {text: key, role: 'hint_key'},
    {text: ` ${label}`, role: 'hint'},
  ];
}

const gap: UiSpan = {text: '  ', role: 'text'};

/** Returns the hints that fit, none truncated. */
function hintSpans({hints}: StatusContent, room: number): readonly UiSpan[] {
  const spans: UiSpan[] = [];
  let left = room;
  for (const hint of hints) {
    const next = spans.length === 0 ? keyHintSpans(hint) : [gap, ...keyHintSpans(hint)];
    left -= spansColumns(next);
    if (left < 0) break;
    spans.push(...next);
  }
  return spans;
}

/** In the middle of a key sequence only its continuation is hinted. */
function hintsNow(frame: Frame): readonly KeyHint[] {
  const {prefix} = frame.screen;
  if (prefix.length === 0) {
    const hints = frame.info.keys?.hints(frame, frame.screen.size.columns) ?? [];
    // In an overlay Esc closes it.
    const canUnselect = frame.screen.overlays.length === 0 && selectedCount(frame) > 0;
    return canUnselect ? [{key: 'Esc', label: 'unselect'}, ...hints] : hints;
  }
  return [
    {key: prefix.join(' '), label: 'next key'},
    {key: 'Esc', label: 'cancel'},
  ];
}

/** The hints at the right; the narrowest screens keep only the last one. */
function moreHintSpans({moreHints}: StatusContent, columns: number): readonly UiSpan[] {
  const shownHints = columns < 60 ? moreHints.slice(-1) : moreHints;
  return [
    ...shownHints.flatMap((hint, at) => (at === 0 ? keyHintSpans(hint) : [gap, ...keyHintSpans(hint)])),
    {text: ' ', role: 'text'},
  ];
}

/** Longer toasts are cut: they must not cover what they are about. */
const maxRows = 4;
const margin = 1;

type LongToast = NonNullable<ReturnType<typeof longToast>>;

/**
 * Selects a warning or an error, which is wrapped where it does not fit into one row. Other toasts are cut in the status line:
 * they report what the user did.
 */
export function longToast(frame: Frame) {
  const {toast, size} = frame.screen;
  if (toast === undefined || toast.tone === 'plain') return undefined;
  return {toast, head: statusHead(frame), size, hasStatusLine: screenLayout(frame).status !== undefined};
}

/** Returns the lines of a long toast, at the end of the screen, or at its start where there is no status line. */
export function toastPanel({toast, head, size, hasStatusLine}: LongToast, display: DisplayOptions) {
  const {columns} = size;
  if (!isToastCut(toast, head, columns, display)) return undefined;
  const span = {text: plainGlyphText(toast.text, display), role: toastRoles[toast.tone]};
  const lines = wrapSpans<UiRole>([span], {width: columns - 2 * margin})
    .slice(0, maxRows)
    .map(({spans}): PaneLine => fittedLine([{text: ' '.repeat(margin), role: 'text'}, ...spans], columns));
  const rect: Rect = {x: 0, y: hasStatusLine ? size.rows - lines.length : 0, columns, rows: lines.length};
  return {rect, lines};
}

const maxCellColumns = 34;
const keyColumns = 3;

type KeyContinuations = NonNullable<ReturnType<typeof keyContinuations>>;

/** Selects the keys that can follow the pressed ones, and where they are shown: above the last row. */
export function keyContinuations({screen, info}: Frame) {
  const hints = screen.isPrefixShown ? (info.keys?.continuations(screen) ?? []) : [];
  if (hints.length === 0) return undefined;
  const {columns, rows: screenRows} = screen.size;
  const statusRows = screenRows < 16 ? 0 : 1;
  const rows = gridOf(hints, columns, screenRows - statusRows - 1).down + 1;
  const rect: Rect = {x: 0, y: screenRows - statusRows - rows, columns, rows};
  return {pressed: screen.prefix, hints, rect};
}

export function keyPanel({pressed, hints, rect}: KeyContinuations, display: DisplayOptions) {
  const {across, down, width} = gridOf(hints, rect.columns, rect.rows - 1);
  const {ellipsis} = uiGlyphs(display);
  const glyph = ruleGlyph(display);
  const title = rule(rect.columns, {label: [{text: `${pressed.join(' ')} ${ellipsis}`, role: 'title'}], glyph});
  const lines = Array.from({length: down}, (_, y) => {
    const cells = Array.from({length: across}, (_unused, x) => hints[x * down + y]).flatMap((hint) =>
      hint === undefined ? [] : cellsOf(hint, width),
    );
    return fittedLine(
      [{text: '  ', role: 'text'}, ...columnsLine(cells, rect.columns - 2, {ellipsis}).spans],
      rect.columns,
    );
  });
  return {rect, lines: [title, ...lines]};
}

/** Arranges the hints in a grid, read downwards, then across. */
function gridOf(hints: readonly KeyHint[], columnsWide: number, maxRows: number) {
  const widest = Math.max(...hints.map(({label}) => textColumns(label))) + keyColumns + 3;
  const minCellColumns = Math.min(Math.max(widest, 16), maxCellColumns);
  const maxAcross = Math.max(1, Math.floor((columnsWide - 2) / minCellColumns));
  // On a low screen labels are truncated before keys are dropped.
  const across = Math.ceil(hints.length / Math.max(1, Math.min(maxRows, Math.ceil(hints.length / maxAcross))));
  const down = Math.ceil(hints.length / across);
  // Spare columns widen labels that would be truncated.
  return {across, down, width: Math.min(Math.max(widest, 16), Math.floor((columnsWide - 2) / across))};
}

function cellsOf({key, label}: KeyHint, width: number): readonly LineColumn[] {
  return [
    {text: key, role: 'key', width: keyColumns},
    {text: label, role: 'text', width: width - keyColumns - 2},
  ];
}
