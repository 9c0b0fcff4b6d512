import {sanitizeText} from '#content/styled-text/sanitize-text.ts';
import {textColumns} from '#content/styled-text/text-width.ts';
import type {UiRole} from '#theme/roles.ts';
import type {DisplayOptions, Frame, PaneLine} from '#ui/core/frame.ts';
import type {KeyEffects, OverlayState, PickerRow} from '#ui/core/overlay.ts';
import {accountLabel, tintedChannelSpans} from '#ui/format/conversation-name.ts';
import {type Rect, sizeClass} from '#ui/layout/layout.ts';
import {
  blankLine,
  fitText,
  fittedLine,
  paddedLine,
  fittedLine as partsRow,
  rule,
  type UiLine,
  type UiSpan,
} from '#ui/layout/ui-line.ts';
import {plainGlyphText} from '#wording/ui-glyphs.ts';

/** What every overlay shows around its content. */
interface BoxTexts {
  readonly layout: OverlayLayout;
  readonly title: string;
  /** How far it is scrolled; empty when all of it is visible. */
  readonly position: string;
  readonly hint: KeyEffects | string | undefined;
}

/** Returns the lines of an overlay; blank lines fill it above the lines that are `below`. */
export function boxLines(
  {layout, title, position, hint}: BoxTexts,
  body: readonly PaneLine[],
  below: readonly PaneLine[],
  glyphs: OverlayGlyphs,
): readonly PaneLine[] {
  const missing = Math.max(0, layout.rect.rows - body.length - below.length - 2);
  const organization = fitText(layout.organization, layout.columns / 3, glyphs.ellipsis);
  // A position that changes with each row would be spoken with it.
  const right = [organization, glyphs.line === ' ' ? '' : position].filter((text) => text !== '');
  return [
    boxEdge(
      layout,
      glyphs,
      'top',
      [{text: glyphs.plainGlyphs(title), role: 'overlay_title'}],
      glyphs.plainGlyphs(right.join(' · ')),
    ),
    ...body,
    ...new Array<PaneLine>(missing).fill(boxedLine(blankLine, layout, glyphs)),
    ...below,
    boxEdge(layout, glyphs, 'bottom', hintSpans(hint, layout.columns, glyphs), ''),
  ];
}

/** A card or a form: lines of text, and below them lines that are always visible. */
export interface TextBox extends BoxTexts {
  readonly lines: readonly PaneLine[];
  readonly status: readonly PaneLine[];
}

export function textBox(box: TextBox, display: DisplayOptions) {
  const glyphs = overlayGlyphs(display);
  const boxed = (lines: readonly PaneLine[]) => lines.map((line) => boxedText(line, box.layout, glyphs));
  return {rect: box.layout.rect, lines: boxLines(box, boxed(box.lines), boxed(box.status), glyphs)};
}

/** Drops hints from the end that do not fit, so that none is truncated. */
function hintSpans(hint: KeyEffects | string = {}, columns: number, {plainGlyphs}: OverlayGlyphs): readonly UiSpan[] {
  const parts = typeof hint === 'string' ? [hint] : Object.entries(hint).map((part) => part.join(' '));
  while (parts.length > 1 && textColumns(parts.join(' · ')) > columns - 4) parts.pop();
  const text = plainGlyphs(parts.join(' · '));
  return text === '' ? [] : [{text, role: 'hint'}];
}

/** A border line with text near its left end and a short text at its right. */
export function boxEdge(
  {columns, hasSides}: OverlayLayout,
  glyphs: OverlayGlyphs,
  where: 'top' | 'middle' | 'bottom',
  spans: readonly UiSpan[],
  right: string,
): PaneLine {
  const {line, corners, ellipsis} = glyphs;
  const border = (text: string): UiSpan => ({text, role: 'overlay_border'});
  const space: UiSpan = {text: ' ', role: 'text'};
  const room = columns - (right === '' ? 0 : textColumns(right) + 3);
  const text = fittedLine(spans, room - 3, ellipsis);
  const label = text.width === 0 ? [] : [border(line), space, ...text.spans, space];
  const fill = border(line.repeat(Math.max(0, room - (text.width === 0 ? 0 : text.width + 3))));
  const tail: UiSpan[] = right === '' ? [] : [{text: ` ${right} `, role: 'dim'}, border(line)];
  const [start, end] = corners[where];
  if (!hasSides) return fittedLine([...label, fill, ...tail], columns);
  return fittedLine([border(start), ...label, fill, ...tail, border(end)], columns + 2);
}

export function boxedLine(line: UiLine, {columns, hasSides}: OverlayLayout, {side}: OverlayGlyphs): PaneLine {
  const filled = paddedLine(line, columns);
  if (!hasSides) return filled;
  const bar: UiSpan = {text: side, role: 'overlay_border'};
  return {spans: [bar, ...filled.spans, bar], width: filled.width + 2};
}

const lineCache = new WeakMap<object, {readonly key: string; readonly line: PaneLine}>();

/** Returns the same line object while its appearance is unchanged. */
function cachedLine(
  content: object,
  {columns, hasSides}: OverlayLayout,
  glyphs: OverlayGlyphs,
  isCurrent: boolean,
  make: () => PaneLine,
): PaneLine {
  const key = `${columns} ${hasSides} ${glyphs.bar} ${isCurrent}`;
  const cached = lineCache.get(content);
  if (cached?.key === key) return cached.line;
  const line = make();
  lineCache.set(content, {key, line});
  return line;
}

export function boxedRow(one: PickerRow, layout: OverlayLayout, isCurrent: boolean, glyphs: OverlayGlyphs): PaneLine {
  return cachedLine(one, layout, glyphs, isCurrent, () =>
    boxedLine(pickerRowLine(one, layout.columns, isCurrent, glyphs), layout, glyphs),
  );
}

/** Returns a line of text with one column of margin; its hyperlinks are kept. */
function boxedText(line: PaneLine, layout: OverlayLayout, glyphs: OverlayGlyphs): PaneLine {
  return cachedLine(line, layout, glyphs, false, () => {
    const indented: UiLine = {spans: [{text: ' ', role: 'text'}, ...line.spans], width: line.width + 1};
    const whole = boxedLine(indented, layout, glyphs);
    return line.hyperlinks === undefined ? whole : {...whole, hyperlinks: line.hyperlinks};
  });
}

interface RowGlyphs {
  readonly bar: string;
  readonly rule: string;
  readonly ellipsis: string;
  /** Converts texts to glyphs that the terminal can show. */
  readonly plainGlyphs: (text: string) => string;
}

/** A detail narrower than this is left out. */
const minDetailColumns = 8;

/** A picker row: cursor bar, label with matches highlighted, detail, and the key at the right. */
export function pickerRowLine(row: PickerRow, width: number, isCurrent: boolean, glyphs: RowGlyphs): UiLine {
  if (row.isTitle === true) return titleLine(row, width, glyphs);
  const {bar, ellipsis, plainGlyphs: plain} = glyphs;
  const right = row.right === undefined ? '' : fitText(plain(row.right), Math.floor(width / 2), ellipsis);
  const rightSpans: UiSpan[] =
    right === '' ? [] : [{text: `${right} `, role: row.disabled === undefined ? (row.rightRole ?? 'key') : 'disabled'}];
  const swatch: UiSpan[] = row.swatch === undefined ? [] : [{text: plain('██ '), role: 'text', color: row.swatch}];
  const room = width - 1 - spansWidth(swatch) - (right === '' ? 1 : textColumns(right) + 2);
  const named = tintedChannelSpans(labelSpans(row, isCurrent), row.tint, {topic: '›'});
  const label = named.map((span) => ({...span, text: plain(span.text)}));
  const labelParts = partsRow(label, room, ellipsis);
  const reason = row.disabled === row.label ? undefined : row.disabled;
  const detail = plain(reason ?? row.detail ?? '');
  const left = room - labelParts.width - 2;
  const hasDetail = detail !== '' && left >= Math.min(minDetailColumns, textColumns(sanitizeText(detail)));
  const parts: UiSpan[] = [
    {text: isCurrent ? bar : ' ', role: 'cursor_bar'},
    ...swatch,
    ...labelParts.spans,
    ...(hasDetail ? [{text: `  ${fitText(detail, left, ellipsis)}`, role: 'dim' as const}] : []),
  ];
  const start = partsRow(parts, width);
  const filled = paddedLine(start, width - spansWidth(rightSpans));
  return {spans: [...filled.spans, ...rightSpans], width: filled.width + spansWidth(rightSpans)};
}

function titleLine(row: PickerRow, width: number, {rule: glyph, ellipsis, plainGlyphs}: RowGlyphs): UiLine {
  const {label, detail, role = 'section'} = row;
  if (label === '') return rule(width, {glyph, role: 'overlay_border'});
  const more: UiSpan[] = detail === undefined ? [] : [{text: `  ${plainGlyphs(detail)}`, role: 'dim'}];
  return partsRow([{text: ` ${plainGlyphs(label)}`, role}, ...more], width, ellipsis);
}

/** Highlights the matches. The ranges count in the original label, so it is split before sanitizing. */
function labelSpans({label, matched = [], disabled, role = 'text'}: PickerRow, isCurrent: boolean): UiSpan[] {
  const plain: UiRole = disabled === undefined ? role : 'disabled';
  const base = isCurrent && disabled === undefined ? {role: plain, bold: true as const} : {role: plain};
  if (disabled !== undefined || matched.length === 0) return [{text: label, ...base}];
  const spans: UiSpan[] = [];
  let at = 0;
  for (const [start, end] of matched) {
    if (start > at) spans.push({text: label.slice(at, start), ...base});
    spans.push({text: label.slice(Math.max(at, start), end), role: 'matched'});
    at = Math.max(at, end);
  }
  if (at < label.length) spans.push({text: label.slice(at), ...base});
  return spans.filter(({text}) => text !== '');
}

function spansWidth(spans: readonly UiSpan[]): number {
  return spans.reduce((total, {text}) => total + textColumns(text), 0);
}

type CornerPair = readonly [left: string, right: string];

/** The glyphs that overlays are drawn with. */
export interface OverlayGlyphs extends RowGlyphs {
  readonly line: string;
  readonly side: string;
  readonly prompt: string;
  readonly corners: {readonly top: CornerPair; readonly middle: CornerPair; readonly bottom: CornerPair};
}

const glyphSets: Readonly<Record<DisplayOptions['glyphs'], OverlayGlyphs>> = {
  unicode: {
    line: '─',
    side: '│',
    prompt: ' › ',
    bar: '▌',
    rule: '─',
    ellipsis: '…',
    plainGlyphs: (text) => text,
    corners: {top: ['╭', '╮'], middle: ['├', '┤'], bottom: ['╰', '╯']},
  },
  ascii: {
    line: '-',
    side: '|',
    prompt: ' > ',
    bar: '>',
    rule: '-',
    ellipsis: '...',
    plainGlyphs: (text) => plainGlyphText(text, {glyphs: 'ascii'}),
    corners: {top: ['+', '+'], middle: ['+', '+'], bottom: ['+', '+']},
  },
  words: {
    line: ' ',
    side: ' ',
    prompt: '   ',
    bar: ' ',
    rule: ' ',
    ellipsis: '...',
    plainGlyphs: (text) => plainGlyphText(text, {glyphs: 'words'}),
    corners: {top: [' ', ' '], middle: [' ', ' '], bottom: [' ', ' ']},
  },
};

export function overlayGlyphs({glyphs}: DisplayOptions): OverlayGlyphs {
  return glyphSets[glyphs];
}

/** The parts of an overlay, relative to its rectangle. */
export interface OverlayLayout {
  readonly rect: Rect;
  /** Whether there are borders at the sides; small screens have none. */
  readonly hasSides: boolean;
  /** The width between the sides. */
  readonly columns: number;
  /** The row of the text field, with a rule below; undefined without a field. */
  readonly fieldRow: number | undefined;
  readonly bodyRow: number;
  readonly bodyRows: number;
  /** The number of columns in which rows stand side by side, and of the rows in all of them. */
  readonly across: number;
  readonly shownRows: number;
  /** The number of lines below the body that explain the row with the cursor; with one more, the first is a rule. */
  readonly helpRows: number;
  /** Whether nothing else is visible. */
  readonly isFullScreen: boolean;
  /** The organization that it is about, where several are shown together; else empty. */
  readonly organization: string;
}

const defaultColumns = 72;
/** A picker that opened with few rows grows to this many while the user types. */
const maxGrownRows = 12;
/** The share of the room that a picker takes whose rows come and go while the user types. */
const changingShare = 0.6;
/** The columns that a box leaves free at each side. */
const margin = 4;
/** The least and the greatest width of a picker with two columns of rows. */
const [minTwoColumns, maxTwoColumns] = [128, 168];

/** Lays out an overlay as large as its content needs and the screen allows; on a small screen it fills the screen. */
export function overlayLayout(frame: Frame, top: OverlayState, contentRows: number): OverlayLayout {
  return {...overlayPlace(frame, top, contentRows), organization: organizationOf(frame, top)};
}

function organizationOf({organizations, account, info}: Frame, top: OverlayState): string {
  const {isGeneral} = top.kind === 'picker' ? top.picker : top.kind === 'card' ? top.card : top.form;
  return organizations === undefined || isGeneral === true ? '' : accountLabel(account, info);
}

type OverlayPlace = Omit<OverlayLayout, 'organization'>;

function overlayPlace({screen}: Frame, top: OverlayState, contentRows: number): OverlayPlace {
  const {size} = screen;
  const kind = sizeClass(size);
  const hasField = top.kind === 'picker' && top.picker.isMenu !== true;
  const helpRows = helpRowsOf(top, size.rows);
  const around = (hasField ? 4 : 2) + helpRows;
  if (kind === 's' || kind === 'tooSmall' || (top.kind === 'card' && top.card.isFullScreen)) {
    return layoutIn({x: 0, y: 0, ...size}, hasField, false, helpRows, 1);
  }
  const isBoxed = kind !== 'm';
  const isWide = top.kind === 'picker' && top.picker.isTwoColumns && size.columns - 2 * margin >= minTwoColumns;
  const wantedColumns = isWide ? maxTwoColumns : (columnsOf(top) ?? defaultColumns);
  const columns = isBoxed ? Math.min(wantedColumns, size.columns - 2 * margin) : size.columns;
  const y = size.rows < 20 ? Math.min(1, size.rows - 4) : 3;
  const room = Math.max(1, size.rows - y - around - (size.rows < 20 ? 0 : 1));
  const rows = Math.min(room, Math.max(1, wantedRows(top, contentRows, room))) + around;
  return layoutIn(
    {x: Math.floor((size.columns - columns) / 2), y, columns, rows},
    hasField,
    true,
    helpRows,
    isWide ? 2 : 1,
  );
}

/** A low screen has no rule above the help, a lower one only one line, and a very low one none. */
function helpRowsOf(top: OverlayState, screenRows: number): number {
  const lines = top.kind === 'picker' ? (top.picker.helpLines ?? 0) : 0;
  if (lines === 0 || screenRows < 10) return 0;
  if (screenRows < 14) return 1;
  return screenRows < 20 ? lines : lines + 1;
}

function columnsOf(top: OverlayState): number | undefined {
  if (top.kind === 'picker') return top.picker.columns;
  return top.kind === 'card' ? top.card.columns : top.form.columns;
}

/** Returns the height: of all content where it does not change; otherwise one that stays the same while the user types. */
function wantedRows(top: OverlayState, contentRows: number, room: number): number {
  if (top.kind !== 'picker' || top.picker.isMenu === true) return contentRows;
  const {picker, openedRows} = top;
  if (picker.rowsShown === undefined) return Math.max(openedRows, Math.min(maxGrownRows, contentRows));
  return Math.max(openedRows, picker.rowsShown, Math.floor(room * changingShare));
}

function layoutIn(rect: Rect, hasField: boolean, hasSides: boolean, helpRows: number, across: number): OverlayPlace {
  const bodyRow = hasField ? 3 : 1;
  const bodyRows = Math.max(1, rect.rows - bodyRow - 1 - helpRows);
  return {
    rect,
    hasSides,
    columns: Math.max(1, rect.columns - (hasSides ? 2 : 0)),
    fieldRow: hasField ? 1 : undefined,
    bodyRow,
    bodyRows,
    across,
    shownRows: bodyRows * across,
    helpRows,
    isFullScreen: !hasSides,
  };
}

/** Returns the first visible row so that the cursor is visible, scrolled no further than needed. */
export function scrollTopFor(top: number, cursor: number, count: number, visibleCount: number): number {
  const last = Math.max(0, count - visibleCount);
  const scrolled = cursor < top ? cursor : cursor >= top + visibleCount ? cursor - visibleCount + 1 : top;
  return Math.max(0, Math.min(last, scrolled));
}
