import type {Frame} from '#app/core/frame.ts';
import type {PaneLine} from '#app/core/pane-line.ts';
import type {ListId} from '#app/core/screen-state.ts';
import {conversationNameText} from '#app/format/conversation-name.ts';
import {type UiGlyphs, uiGlyphs} from '#app/format/ui-glyphs.ts';
import type {Rect} from '#app/layout/layout.ts';
import {blankLine, type UiSpan} from '#app/layout/ui-line.ts';
import {prefixLine, wrapSpans} from '#content/styled-text/wrap.ts';
import type {MatchRange} from '#std/fuzzy.ts';
import type {UiRole} from '#theme/roles.ts';
import {filterLine, hasFilterLine} from './filter-line.ts';
import {focusedList} from './focused-list.ts';
import {listBodyRect} from './list-body-rect.ts';
import type {ListRow} from './list-row.ts';
import type {ListSource} from './list-source.ts';
import {listSources} from './list-sources.ts';
import {barIndex, matchedRanges, shownRowIndex, visibleRowsOf} from './visible-rows.ts';

/** The bar, and the mark of a selected row. */
const leadColumns = 2;

/** The pane of a list. */
export function listPane(id: ListId): (frame: Frame, rect: Rect) => readonly PaneLine[] {
  return (frame, rect) => listLines(frame, id, rect);
}

/** A list at a size: filter, head, and the rows around the cursor. */
export function listLines(frame: Frame, id: ListId, rect: Rect): readonly PaneLine[] {
  const source = listSources[id];
  const head = headLines(frame, id, rect.columns);
  const room = Math.max(0, rect.rows - head.length);
  const listing = visibleRowsOf(frame, id);
  if (listing.rows.length === 0) {
    return [...head, ...emptyLines(frame, source, id, rect.columns)].slice(0, rect.rows);
  }
  const bar = barIndex(frame, id);
  const home = shownRowIndex(frame, id);
  const top = listTop(frame, id, room);
  const painter = rowPainter(frame, id, source, rect.columns);
  const rows = listing.rows.slice(top, top + room).map((shown, at) => {
    const place = top + at;
    const beside = [listing.rows[place - 1], listing.rows[place + 1]];
    return painter(shown, place === bar ? 'cursor' : place === home ? 'home' : undefined, beside);
  });
  return [...head, ...rows].slice(0, rect.rows);
}

export function headLines(frame: Frame, id: ListId, columns: number): readonly PaneLine[] {
  const filter = hasFilterLine(frame.screen.lists[id]) ? [filterLine(frame, id, columns)] : [];
  return [...filter, ...(listSources[id].headLines?.(frame, columns) ?? [])];
}

/** How many rows a list has room for on the screen; undefined when it is not shown. */
export function bodyRows(frame: Frame, id: ListId): number | undefined {
  const rect = listBodyRect(frame, id);
  return rect && Math.max(1, rect.rows - headLines(frame, id, rect.columns).length);
}

function emptyLines(frame: Frame, source: ListSource, id: ListId, columns: number): readonly PaneLine[] {
  const isFiltered = frame.screen.lists[id].filter.text.trim() !== '';
  const text = isFiltered ? 'Nothing fits the filter. Esc clears it.' : source.emptyText(frame);
  const margin: UiSpan = {text: '  ', role: 'text'};
  return [
    blankLine,
    ...wrapSpans<UiRole>([{text, role: 'dim'}], {width: columns - 1, first: [margin], rest: [margin]}),
  ];
}

/** How far the cursor keeps from the edges, where there is room for it. */
const margin = 2;

/** The first row to show, moved no further than the cursor needs; nothing stays empty that rows could fill. */
export function windowTop(top: number, cursor: number, room: number, count: number): number {
  const most = Math.max(0, count - room);
  if (cursor < 0) return Math.min(top, most);
  const kept = Math.min(margin, Math.max(0, Math.floor((room - 1) / 2)));
  const highest = Math.min(cursor - kept, most);
  const lowest = cursor + kept - room + 1;
  return Math.max(0, Math.min(most, Math.max(lowest, Math.min(top, highest))));
}

/** The first row that is shown of a list. A list with the keys never hides its cursor. */
export function listTop(frame: Frame, id: ListId, room: number): number {
  const {top, pinnedKey: held} = frame.screen.lists[id];
  const {rows} = visibleRowsOf(frame, id);
  const bar = barIndex(frame, id);
  const isInSight = bar >= top && bar < top + room;
  const isHeld = held !== undefined && rows[bar]?.key === held;
  const isFree = isHeld && (isInSight || focusedList(frame.screen) !== id);
  return windowTop(top, isFree ? -1 : bar, room, rows.length);
}

/** The rows between which the cursor can be while this one is the first shown. */
export function cursorRange(
  top: number,
  room: number,
  count: number,
): readonly [first: number, last: number] {
  const kept = Math.min(margin, Math.max(0, Math.floor((room - 1) / 2)));
  const last = top + room - 1;
  return [top === 0 ? 0 : top + kept, last >= count - 1 ? count - 1 : last - kept];
}

interface PaintedRow {
  readonly line: PaneLine;
  /** The labels of the rows beside it. */
  readonly above: string | undefined;
  readonly below: string | undefined;
}

const painted = new WeakMap<ListRow, Map<string, PaintedRow>>();
/** Of one row: with and without the cursor, in a pane or two. */
const mostVariants = 8;

function rowPainter(frame: Frame, id: ListId, source: ListSource, columns: number) {
  const {lists} = frame.screen;
  const {selected, folded, filter} = lists[id];
  const query = filter.text.trim();
  const isFocused = focusedList(frame.screen) === id;
  const glyphs = uiGlyphs(frame.display);
  const labelOf = (text: string) => conversationNameText(text, glyphs);
  return (shown: ListRow, bar: Bar | undefined, beside: readonly (ListRow | undefined)[]): PaneLine => {
    const isMarked = selected.has(shown.key);
    const isFolded = shown.kind === 'title' && folded.has(shown.group ?? '') && query === '';
    const [above, below] = beside.map((row) => (row?.kind === 'item' ? row.label : undefined));
    const look = `${id} ${columns} ${frame.display.glyphs} ${bar} ${isMarked} ${isFocused} ${isFolded} ${query}`;
    const variants = painted.get(shown) ?? new Map<string, PaintedRow>();
    const known = variants.get(look);
    if (known !== undefined && known.above === above && known.below === below) return known.line;
    if (variants.size >= mostVariants) variants.clear();
    const line = source.line(shown, {
      columns: columns - leadColumns,
      glyphs,
      isFocused,
      isFolded,
      neighbours: [above, below].flatMap((label) => (label === undefined ? [] : labelOf(label))),
      label: (role, text = shown.label) => emphasised(labelOf(text), role, matchedRanges(shown, query)),
    });
    const lead = leadSpans(glyphs, {bar: isFocused || bar === undefined ? bar : 'home', isMarked});
    const whole = shown.kind === 'space' ? blankLine : prefixLine(line, lead);
    painted.set(shown, variants.set(look, {line: whole, above, below}));
    return whole;
  };
}

/** At the cursor of the list with the keys; or at what the main pane shows, and at a cursor that waits. */
type Bar = 'cursor' | 'home';

interface RowLead {
  readonly bar: Bar | undefined;
  readonly isMarked: boolean;
}

function leadSpans(glyphs: UiGlyphs, {bar, isMarked}: RowLead): readonly UiSpan[] {
  const sign = {cursor: glyphs.bar, home: glyphs.barIdle};
  return [
    {text: bar === undefined ? ' ' : sign[bar], role: bar === 'cursor' ? 'cursor_bar' : 'cursor_bar_idle'},
    {text: isMarked ? glyphs.marked : ' ', role: 'marked'},
  ];
}

function emphasised(text: string, role: UiRole, ranges: readonly MatchRange[]): readonly UiSpan[] {
  const spans: UiSpan[] = [];
  let at = 0;
  for (const [start, end] of ranges) {
    spans.push({text: text.slice(at, start), role}, {text: text.slice(start, end), role: 'matched'});
    at = end;
  }
  return [...spans, {text: text.slice(at), role}].filter((span) => span.text !== '');
}
