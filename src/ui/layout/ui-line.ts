/**
 * Builders for lines of panes. Every text is sanitized here, so that names and topics may come as the server sent them, and
 * no line is wider than requested.
 */

import type {Line, Span} from '#content/styled-text/line.ts';
import {sanitizeText} from '#content/styled-text/sanitize-text.ts';
import {textColumns} from '#content/styled-text/text-width.ts';
import {truncateToColumns} from '#content/styled-text/truncate-to-columns.ts';
import {spansColumns} from '#content/styled-text/wrap.ts';
import type {UiRole} from '#theme/roles.ts';

export type UiSpan = Span<UiRole>;
export type UiLine = Line<UiRole>;

/** Marks truncated text; ASCII terminals use another one. */
const defaultEllipsis = '…';

export const blankLine: UiLine = {spans: [], width: 0};

/** Returns sanitized text of at most `columns` columns, truncated between characters. */
export function fitText(text: string, columns: number, ellipsis: string = defaultEllipsis): string {
  return columns < 1 ? '' : truncateToColumns(sanitizeText(text), Math.floor(columns), ellipsis);
}

/** Joins the parts and truncates them at the end. */
export function fittedLine(parts: readonly UiSpan[], width: number, ellipsis: string = defaultEllipsis): UiLine {
  const spans: UiSpan[] = [];
  let room = Math.floor(width);
  const safe = parts.map(sanitized).filter(({text}) => text !== '');
  let left = spansColumns(safe);
  for (const part of safe) {
    if (room < 1) break;
    const columns = textColumns(part.text);
    // The ellipsis goes here if the following parts do not fit either.
    const isCutHere = columns > room || (columns === room && left > columns);
    const text = isCutHere ? truncatedWithMark(part.text, room, ellipsis) : part.text;
    if (text !== '') spans.push(text === part.text ? part : {...part, text});
    if (isCutHere) break;
    room -= columns;
    left -= columns;
  }
  return {spans, width: spansColumns(spans)};
}

/** Truncates with an ellipsis even if the text itself fits, because something after it is missing. */
function truncatedWithMark(text: string, room: number, ellipsis: string): string {
  return truncateToColumns(`${text} `, room, ellipsis);
}

/** Pads the line with spaces to the width, in the role whose background should show. */
export function paddedLine(line: UiLine, width: number, role: UiRole = 'text'): UiLine {
  const missing = Math.floor(width) - line.width;
  return missing <= 0 ? line : {spans: [...line.spans, space(missing, role)], width: line.width + missing};
}

interface LeftRightOptions {
  readonly ellipsis?: string;
  /** Columns that the left part keeps at least, if it has that many; then the right one is truncated. */
  readonly minLeft?: number;
  readonly role?: UiRole;
}

/** Aligns one part left and one right. The left one is truncated first. */
export function leftRightLine(
  left: readonly UiSpan[],
  right: readonly UiSpan[],
  width: number,
  {ellipsis, minLeft: leastLeft = 8, role = 'text'}: LeftRightOptions = {},
): UiLine {
  const whole = fittedLine(left, Number.MAX_SAFE_INTEGER);
  const minLeft = Math.min(whole.width, leastLeft);
  const tail = fittedLine(right, width - (minLeft === 0 ? 0 : minLeft + 1), ellipsis);
  if (tail.width === 0) return fittedLine(left, width, ellipsis);
  const head = fittedLine(left, width - tail.width - 1, ellipsis);
  const missing = Math.floor(width) - head.width - tail.width;
  const between = missing <= 0 ? [] : [space(missing, role)];
  return {
    spans: [...head.spans, ...between, ...tail.spans],
    width: head.width + Math.max(0, missing) + tail.width,
  };
}

export interface LineColumn extends UiSpan {
  readonly width: number | 'rest';
  readonly align?: 'left' | 'right' | 'center';
}

interface ColumnsOptions {
  readonly gap?: number;
  readonly ellipsis?: string;
  /** The role of the spaces between. */
  readonly role?: UiRole;
}

/**
 * Puts cells side by side. `rest` cells share the remaining width; at the right edge cells are truncated, then dropped.
 */
export function columnsLine(
  cells: readonly LineColumn[],
  width: number,
  {gap = 1, ellipsis, role = 'text'}: ColumnsOptions = {},
): UiLine {
  const columnCount = Math.max(0, Math.floor(width));
  const widths = cellWidths(cells, columnCount - gap * Math.max(0, cells.length - 1));
  const spans: UiSpan[] = [];
  let used = 0;
  let start = 0;
  for (const [i, {width: _, align = 'left', ...span}] of cells.entries()) {
    const own = Math.min(widths[i] ?? 0, columnCount - start);
    if (own < 1) continue;
    const text = fitText(span.text, own, ellipsis);
    const spare = own - textColumns(text);
    const before = align === 'left' ? 0 : align === 'right' ? spare : Math.floor(spare / 2);
    if (text !== '') {
      if (start + before > used) spans.push(space(start + before - used, role));
      spans.push({...span, text});
      used = start + before + textColumns(text);
    }
    start += own + gap;
  }
  return {spans, width: used};
}

function cellWidths(cells: readonly LineColumn[], width: number): readonly number[] {
  const fixed = cells.reduce((total, {width: own}) => total + (own === 'rest' ? 0 : own), 0);
  const sharing = cells.filter(({width: own}) => own === 'rest').length;
  const left = Math.max(0, width - fixed);
  let nth = 0;
  // The first cells get the columns that do not divide evenly.
  return cells.map(({width: own}) =>
    own === 'rest' ? Math.floor(left / sharing) + (nth++ < left % sharing ? 1 : 0) : own,
  );
}

interface RuleOptions {
  readonly label?: readonly UiSpan[];
  readonly role?: UiRole;
  /** One column columnCount. */
  readonly glyph?: string;
  readonly ellipsis?: string;
}

/** A horizontal line, with an optional label near the left edge. */
export function rule(width: number, options: RuleOptions = {}): UiLine {
  const {label = [], role = 'separator', glyph = '─', ellipsis} = options;
  const columnCount = Math.floor(width);
  if (columnCount < 1) return blankLine;
  const labelLine = fittedLine(label, columnCount - 4, ellipsis);
  if (labelLine.width === 0) return {spans: [{text: glyph.repeat(columnCount), role}], width: columnCount};
  const after = glyph.repeat(columnCount - 4 - labelLine.width);
  return {
    spans: [
      {text: `${glyph}${glyph} `, role},
      ...labelLine.spans,
      ...(after === '' ? [] : [{text: ` ${after}`, role}]),
    ],
    width: after === '' ? 3 + labelLine.width : columnCount,
  };
}

function sanitized(part: UiSpan): UiSpan {
  const text = sanitizeText(part.text);
  return text === part.text ? part : {...part, text};
}

function space(width: number, role: UiRole): UiSpan {
  return {text: ' '.repeat(width), role};
}
