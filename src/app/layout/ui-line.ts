import type {Line, Span} from '#content/styled-text/line.ts';
import {sanitizeText} from '#content/styled-text/sanitize-text.ts';
import {textColumns} from '#content/styled-text/text-width.ts';
import {truncateToColumns} from '#content/styled-text/truncate-to-columns.ts';
import {spansColumns} from '#content/styled-text/wrap.ts';
import type {UiRole} from '#theme/roles.ts';

/**
 * Lines of panes, from parts. Every text is made safe here, so that names and topics may come as the server sent them,
 * and no line is ever wider than asked for, whatever is in it.
 */

export type UiSpan = Span<UiRole>;
export type UiLine = Line<UiRole>;

/** Stands where something was cut; another one where the terminal knows only ASCII. */
const usualEllipsis = '…';

export const blankLine: UiLine = {spans: [], width: 0};

/** Safe text of at most so many columns, cut between characters. */
export function fitText(text: string, columns: number, ellipsis: string = usualEllipsis): string {
  return columns < 1 ? '' : truncateToColumns(sanitizeText(text), Math.floor(columns), ellipsis);
}

/** The parts one after the other, cut at the end where they are too wide. */
export function fittedLine(
  parts: readonly UiSpan[],
  width: number,
  ellipsis: string = usualEllipsis,
): UiLine {
  const spans: UiSpan[] = [];
  let room = Math.floor(width);
  const safe = parts.map(shown).filter(({text}) => text !== '');
  let left = spansColumns(safe);
  for (const part of safe) {
    if (room < 1) break;
    const columns = textColumns(part.text);
    // What follows does not fit either: the mark of the cut belongs here while there is room for it.
    const isCutHere = columns > room || (columns === room && left > columns);
    const text = isCutHere ? cut(part.text, room, ellipsis) : part.text;
    if (text !== '') spans.push(text === part.text ? part : {...part, text});
    if (isCutHere) break;
    room -= columns;
    left -= columns;
  }
  return {spans, width: spansColumns(spans)};
}

/** As `fitted`, but marked even where it would just fit, because something is missing behind it. */
function cut(text: string, room: number, ellipsis: string): string {
  return truncateToColumns(`${text} `, room, ellipsis);
}

/** Spaces up to the width, in the role whose ground is to be seen. */
export function paddedLine(line: UiLine, width: number, role: UiRole = 'text'): UiLine {
  const missing = Math.floor(width) - line.width;
  return missing <= 0 ? line : {spans: [...line.spans, space(missing, role)], width: line.width + missing};
}

export interface LeftRightOptions {
  readonly ellipsis?: string;
  /** Columns that the left part keeps at least, if it has so many; then the right one is cut. */
  readonly leastLeft?: number;
  readonly role?: UiRole;
}

/** One part at the left edge and one at the right. The left one gives way first. */
export function leftRightLine(
  left: readonly UiSpan[],
  right: readonly UiSpan[],
  width: number,
  {ellipsis, leastLeft = 8, role = 'text'}: LeftRightOptions = {},
): UiLine {
  const whole = fittedLine(left, Number.MAX_SAFE_INTEGER);
  const kept = Math.min(whole.width, leastLeft);
  const tail = fittedLine(right, width - (kept === 0 ? 0 : kept + 1), ellipsis);
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

export interface ColumnsOptions {
  readonly gap?: number;
  readonly ellipsis?: string;
  /** Of the spaces between. */
  readonly role?: UiRole;
}

/** Cells side by side. Those of `rest` share what the others leave; at the right edge cells are cut, then left out. */
export function columnsLine(
  cells: readonly LineColumn[],
  width: number,
  {gap = 1, ellipsis, role = 'text'}: ColumnsOptions = {},
): UiLine {
  const wide = Math.max(0, Math.floor(width));
  const widths = cellWidths(cells, wide - gap * Math.max(0, cells.length - 1));
  const spans: UiSpan[] = [];
  let used = 0;
  let start = 0;
  for (const [i, {width: _, align = 'left', ...span}] of cells.entries()) {
    const own = Math.min(widths[i] ?? 0, wide - start);
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
  // The first ones get the columns that do not divide.
  return cells.map(({width: own}) =>
    own === 'rest' ? Math.floor(left / sharing) + (nth++ < left % sharing ? 1 : 0) : own,
  );
}

export interface RuleOptions {
  readonly label?: readonly UiSpan[];
  readonly role?: UiRole;
  /** One column wide. */
  readonly glyph?: string;
  readonly ellipsis?: string;
}

/** A line across the pane, with words in it near the left edge if there are any. */
export function rule(width: number, options: RuleOptions = {}): UiLine {
  const {label = [], role = 'separator', glyph = '─', ellipsis} = options;
  const wide = Math.floor(width);
  if (wide < 1) return blankLine;
  const words = fittedLine(label, wide - 4, ellipsis);
  if (words.width === 0) return {spans: [{text: glyph.repeat(wide), role}], width: wide};
  const after = glyph.repeat(wide - 4 - words.width);
  return {
    spans: [
      {text: `${glyph}${glyph} `, role},
      ...words.spans,
      ...(after === '' ? [] : [{text: ` ${after}`, role}]),
    ],
    width: after === '' ? 3 + words.width : wide,
  };
}

function shown(part: UiSpan): UiSpan {
  const text = sanitizeText(part.text);
  return text === part.text ? part : {...part, text};
}

function space(width: number, role: UiRole): UiSpan {
  return {text: ' '.repeat(width), role};
}
