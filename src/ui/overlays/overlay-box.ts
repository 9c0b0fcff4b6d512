import {sanitizeText} from '#content/styled-text/sanitize-text.ts';
import {textColumns} from '#content/styled-text/text-width.ts';
import type {UiRole} from '#theme/roles.ts';
import type {DisplayOptions, PaneLine} from '#ui/core/frame.ts';
import type {KeyEffects, PickerRow} from '#ui/core/overlay.ts';
import {tintedChannelSpans} from '#ui/format/conversation-name.ts';
import {plainGlyphText} from '#ui/format/ui-glyphs.ts';
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
import type {OverlayLayout} from './overlay-layout.ts';

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
  return [
    // A position that changes with each row would be spoken with it.
    boxEdge(
      layout,
      glyphs,
      'top',
      [{text: glyphs.plainGlyphs(title), role: 'overlay_title'}],
      glyphs.line === ' ' ? '' : position,
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
  const rightText = right === '' ? '' : ` ${right} `;
  const room = columns - textColumns(rightText) - (rightText === '' ? 0 : 1);
  const fittedText = fittedLine(spans, room - 3, ellipsis);
  const label: UiSpan[] =
    fittedText.width === 0 ? [] : [{text: ' ', role: 'text'}, ...fittedText.spans, {text: ' ', role: 'text'}];
  const used = fittedText.width === 0 ? 0 : fittedText.width + 2;
  const [start, end] = corners[where];
  const fill = line.repeat(Math.max(0, room - used - (fittedText.width === 0 ? 0 : 1)));
  const parts: UiSpan[] = [
    ...(hasSides ? [{text: start, role: 'overlay_border' as const}] : []),
    ...(fittedText.width === 0 ? [] : [{text: line, role: 'overlay_border' as const}]),
    ...label,
    {text: fill, role: 'overlay_border'},
    ...(rightText === ''
      ? []
      : [
          {text: rightText, role: 'dim' as const},
          {text: line, role: 'overlay_border' as const},
        ]),
    ...(hasSides ? [{text: end, role: 'overlay_border' as const}] : []),
  ];
  return fittedLine(parts, columns + (hasSides ? 2 : 0));
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
