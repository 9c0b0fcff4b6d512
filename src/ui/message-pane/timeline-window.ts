import type {PaneLine} from '#ui/core/frame.ts';
import {bottomEdge, type TimelineRows, topEdge} from './timeline-rows.ts';
import type {RowKey, TopLine} from './timeline-state.ts';

/** A line of the timeline: the row and which of its lines, from 0. */
export interface LinePosition {
  readonly key: RowKey;
  readonly line: number;
}

/** The part of the timeline to show. */
export type WindowPosition =
  | {readonly kind: 'top'; readonly top: TopLine}
  | {readonly kind: 'line'; readonly line: LinePosition}
  /** The newest at the bottom, unless the row `keep` would scroll out at the top. */
  | {readonly kind: 'newest'; readonly keep: RowKey | undefined}
  /** This row, with `linesBefore` lines before it. */
  | {readonly kind: 'from'; readonly key: RowKey; readonly linesBefore: number}
  /** Like `from`, but lines below the last row may stay empty. Negative: the row's first lines are left out. */
  | {readonly kind: 'begin'; readonly key: RowKey; readonly linesBefore: number}
  | {readonly kind: 'oldest'};

/** A row that is at least partly shown. */
export interface ShownRow {
  readonly key: RowKey;
  /** Lines of the pane, from 0, both inclusive, without the separators before a message. */
  readonly first: number;
  readonly last: number;
  /** Whether its first or last line is hidden. */
  readonly isCutAbove: boolean;
  readonly isCutBelow: boolean;
}

export interface TimelineWindow {
  /** The first one may be covered by the date. */
  readonly lines: readonly PaneLine[];
  /** Without the edges. */
  readonly rows: readonly ShownRow[];
  readonly start: LinePosition;
  /** The position in a form that stays valid when more is loaded above; undefined when there are no rows. */
  readonly top: TopLine | undefined;
  /** Whether nothing loaded is above, or below. */
  readonly isAtStart: boolean;
  readonly isAtEnd: boolean;
}

/** Moves up or down by lines, as far as there are any. Costs the rows passed. */
export function movedByLines(rows: TimelineRows, position: LinePosition, by: number): LinePosition {
  return by < 0 ? movedUp(rows, position, -by) : movedDown(rows, position, by);
}

function movedUp(rows: TimelineRows, {key, line}: LinePosition, by: number): LinePosition {
  if (by <= line) return {key, line: line - by};
  let left = by - line;
  let at: LinePosition = {key, line: 0};
  for (let above = rows.before(key); above !== undefined; above = rows.before(above)) {
    const {length} = rows.block(above).lines;
    if (length >= left) return {key: above, line: length - left};
    left -= length;
    if (length > 0) at = {key: above, line: 0};
  }
  return at;
}

function movedDown(rows: TimelineRows, {key, line}: LinePosition, by: number): LinePosition {
  let left = by + line;
  let at: LinePosition = {key, line};
  for (let below: RowKey | undefined = key; below !== undefined; below = rows.after(below)) {
    const {length} = rows.block(below).lines;
    if (left < length) return {key: below, line: left};
    left -= length;
    if (length > 0) at = {key: below, line: length - 1};
  }
  return at;
}

/** Returns the line at the top when the end of the timeline is at the bottom. */
function newestStart(rows: TimelineRows, height: number): LinePosition {
  const {length} = rows.block(bottomEdge).lines;
  return movedUp(rows, {key: bottomEdge, line: length}, height);
}

/** Whether there are at least this many lines from a position on. Lays out no rows below them. */
function hasLinesFrom(rows: TimelineRows, {key, line}: LinePosition, count: number): boolean {
  let left = count + line;
  for (let at: RowKey | undefined = key; at !== undefined && left > 0; at = rows.after(at)) {
    left -= rows.block(at).lines.length;
  }
  return left <= 0;
}

/** Returns where the message of a row begins, after its separators. */
function contentStart(rows: TimelineRows, key: RowKey): LinePosition {
  return {key, line: rows.block(key).lead};
}

/** Whether position `a` is above `b`. */
function isAbove(rows: TimelineRows, a: LinePosition, b: LinePosition): boolean {
  if (a.key === b.key) return a.line < b.line;
  const orderA = orderOf(rows, a.key);
  const orderB = orderOf(rows, b.key);
  return orderA[0] === orderB[0] ? orderA[1] < orderB[1] : orderA[0] < orderB[0];
}

/** Orders rows: messages by id, then unsent messages, then the end. */
function orderOf(rows: TimelineRows, key: RowKey): readonly [number, number] {
  if (key === bottomEdge) return [2, 0];
  if (typeof key === 'number') return [0, key];
  return [1, rows.unsent.findIndex(({id}) => id === key)];
}

/** Returns the lowest start that shows the row; of a row taller than the pane, its last lines. */
function lastStartShowing(rows: TimelineRows, key: RowKey, height: number): LinePosition {
  return isTall(rows, key, height) ? {key, line: rows.block(key).lines.length - height} : highestContent(rows, key);
}

function firstStartShowing(rows: TimelineRows, key: RowKey, height: number): LinePosition {
  if (isTall(rows, key, height)) return highestContent(rows, key);
  return movedUp(rows, {key, line: rows.block(key).lines.length}, height);
}

/** Whether a row is taller than the pane. */
export function isTall(rows: TimelineRows, key: RowKey, height: number): boolean {
  const {lines, lead} = rows.block(key);
  return lines.length - lead > (rows.hasDateOnTop ? height - 1 : height);
}

/** Returns the start with the row at the top of the pane. Below a date, which covers a line, its heading stays visible. */
function highestContent(rows: TimelineRows, key: RowKey): LinePosition {
  const content = contentStart(rows, key);
  return rows.hasDateOnTop ? movedUp(rows, content, Math.min(2, content.line + 1)) : content;
}

/** Returns `start`, or the nearest start that shows the row completely. */
export function startShowing(rows: TimelineRows, start: LinePosition, key: RowKey, height: number): LinePosition {
  const latest = lastStartShowing(rows, key, height);
  if (isAbove(rows, latest, start)) return latest;
  const earliest = firstStartShowing(rows, key, height);
  return isAbove(rows, start, earliest) ? earliest : start;
}

function requestedStart(rows: TimelineRows, position: WindowPosition, height: number): LinePosition {
  switch (position.kind) {
    case 'oldest':
      return {key: topEdge, line: 0};
    case 'newest': {
      const start = newestStart(rows, height);
      const {keep} = position;
      if (keep === undefined || !rows.has(keep)) return start;
      const latest = lastStartShowing(rows, keep, height);
      return isAbove(rows, latest, start) ? latest : start;
    }
    case 'line':
      return position.line;
    case 'from':
      return movedUp(rows, {key: position.key, line: 0}, position.linesBefore);
    case 'begin':
      return movedByLines(rows, {key: position.key, line: 0}, -position.linesBefore);
    case 'top': {
      const key = rows.nearest(position.top.id);
      if (key === undefined) return {key: topEdge, line: 0};
      const {id, skippedLines} = position.top;
      const skipped = key === id ? skippedLines : Math.min(0, skippedLines);
      const {lines, lead} = rows.block(key);
      // At another width the row may have fewer lines.
      return movedByLines(rows, contentStart(rows, key), Math.min(skipped, Math.max(0, lines.length - lead - 1)));
    }
  }
}

/**
 * Returns the window at a position. Lines below the last row stay empty only if nothing is above the first, or with
 * `begin`.
 */
export function windowAt(
  rows: TimelineRows,
  position: WindowPosition,
  height: number,
  selected?: RowKey,
): TimelineWindow {
  const requested = requestedStart(rows, position, height);
  const isFree = position.kind === 'begin' || hasLinesFrom(rows, requested, height);
  const newest = isFree ? requested : newestStart(rows, height);
  const clamped = isAbove(rows, newest, requested) ? newest : requested;
  const isVisible = selected === undefined || !rows.has(selected) || isShown(rows, clamped, selected, height);
  const start = isVisible ? clamped : startShowing(rows, clamped, selected, height);
  return fillWindow(rows, start, height);
}

/** The first line may be only the sender's name, which has no cursor bar. */
const minVisibleLines = 2;

/** Whether enough of the row is visible to see that it is selected. */
function isShown(rows: TimelineRows, start: LinePosition, key: RowKey, height: number): boolean {
  const {lines, lead} = rows.block(key);
  const isCovered = rows.dateOnTop(start.key, start.line) !== undefined;
  const isBelowTop = !isAbove(rows, {key, line: lines.length - 1}, isCovered ? movedDown(rows, start, 1) : start);
  if (!isBelowTop) return false;
  let [left, at, from] = [height, start.key, start.line];
  for (;;) {
    if (at === key) {
      const first = Math.max(from, lead);
      return first - from + Math.min(minVisibleLines, lines.length - first) <= left;
    }
    left -= rows.block(at).lines.length - from;
    const next = rows.after(at);
    if (left <= 0 || next === undefined) return false;
    at = next;
    from = 0;
  }
}

function fillWindow(rows: TimelineRows, start: LinePosition, height: number): TimelineWindow {
  const lines: PaneLine[] = [];
  const shown: ShownRow[] = [];
  let key: RowKey | undefined = start.key;
  let from = start.line;
  let isAtEnd = false;
  while (key !== undefined && lines.length < height) {
    const block = rows.block(key);
    const to = Math.min(block.lines.length, from + height - lines.length);
    const row = shownRow(key, block.lead, block.lines.length, {from, to, at: lines.length});
    if (row !== undefined) shown.push(row);
    for (let i = from; i < to; i++) {
      const line = block.lines[i];
      if (line !== undefined) lines.push(line);
    }
    isAtEnd = to >= block.lines.length && isLast(rows, key);
    key = rows.after(key);
    from = 0;
  }
  const date = rows.dateOnTop(start.key, start.line);
  if (date !== undefined) lines[0] = date;
  return {
    lines,
    rows: date === undefined ? shown : shown.flatMap(belowFirstLine),
    start,
    top: topOf(rows, start),
    isAtStart: isFirst(rows, start),
    isAtEnd: isAtEnd || key === undefined,
  };
}

function shownRow(
  key: RowKey,
  lead: number,
  length: number,
  {from, to, at}: {readonly from: number; readonly to: number; readonly at: number},
): ShownRow | undefined {
  const first = Math.max(from, lead);
  if (key === topEdge || key === bottomEdge || to <= first) return undefined;
  return {
    key,
    first: at + first - from,
    last: at + to - from - 1,
    isCutAbove: from > lead,
    isCutBelow: to < length,
  };
}

/** Returns the part of a row below the first line of the pane. */
function belowFirstLine(row: ShownRow): readonly ShownRow[] {
  if (row.first > 0) return [row];
  return row.last === 0 ? [] : [{...row, first: 1, isCutAbove: true}];
}

/** Whether only an empty edge follows. */
function isLast(rows: TimelineRows, key: RowKey): boolean {
  const next = rows.after(key);
  return next === undefined || (next === bottomEdge && rows.block(bottomEdge).lines.length === 0);
}

function isFirst(rows: TimelineRows, {key, line}: LinePosition): boolean {
  if (line > 0) return false;
  const above = rows.before(key);
  return above === undefined || (above === topEdge && rows.block(topEdge).lines.length === 0);
}

/** Identifies the top by a message, never by the edge above: messages loaded later go above the shown ones. */
function topOf(rows: TimelineRows, {key, line}: LinePosition): TopLine | undefined {
  if (key !== topEdge && key !== bottomEdge) return {id: key, skippedLines: line - rows.block(key).lead};
  if (key === bottomEdge) {
    const last = rows.last();
    if (last === undefined) return undefined;
    const {lines, lead} = rows.block(last);
    return {id: last, skippedLines: lines.length - lead - 1};
  }
  const first = rows.first();
  if (first === undefined) return undefined;
  return {id: first, skippedLines: line - rows.block(topEdge).lines.length - rows.block(first).lead};
}
