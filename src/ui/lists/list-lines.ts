import {clusterWidthsVersion} from '#content/styled-text/text-width.ts';
import {prefixLine, spansColumns} from '#content/styled-text/wrap.ts';
import type {MatchRange} from '#std/fuzzy.ts';
import {memoByInputs, memoByObject, sameArguments, sameFields} from '#std/memo.ts';
import type {UiRole} from '#theme/roles.ts';
import type {Frame, PaneLine} from '#ui/core/frame.ts';
import {
  channelColor,
  conversationColor,
  conversationNameText,
  tintedChannelSpans,
} from '#ui/format/conversation-name.ts';
import type {Rect} from '#ui/layout/layout.ts';
import {blankLine, type UiSpan} from '#ui/layout/ui-line.ts';
import {type UiGlyphs, uiGlyphs} from '#wording/ui-glyphs.ts';
import {headLines, listNote, listRoom, listTop, noteLines, wrappedLines} from './list-position.ts';
import {isFocusedList, type ListNote, type ListRow, type ListSource, loadingText} from './list-source.ts';
import type {ListState} from './list-state.ts';
import {isSpokenRow, spokenRowLine} from './spoken-row.ts';
import {barIndex, matchedRanges, selectedKeys, shownRowIndex, visibleRowsOf} from './visible-rows.ts';

/** A list as its pane shows it: what its lines are made of. */
interface ShownList {
  readonly rect: Rect;
  /** The lines above the rows: its filter and its head. */
  readonly head: readonly PaneLine[];
  /** Undefined when there are no rows. */
  readonly shown: ShownRows | undefined;
  /** The text in place of rows. */
  readonly emptyText: string;
  /** What is said below the rows, at most in half of the list. */
  readonly note: ListNote | undefined;
}

/** Selects a list as its pane shows it. */
export function shownList(frame: Frame, list: ListSource, rect: Rect): ShownList {
  const head = headLines(frame, list, rect.columns);
  const note = listNote(frame, list);
  const room = listRoom(frame, list, rect);
  const {rows} = visibleRowsOf(frame, list);
  if (rows.length === 0) return {rect, head, shown: undefined, emptyText: emptyText(frame, list), note};
  const {folded, filter} = frame.screen.lists[list.id];
  const selected = selectedKeys(frame, list);
  const shown: ShownRows = {
    list,
    top: listTop(frame, list, room),
    room,
    barAt: barIndex(frame, list),
    shownAt: shownRowIndex(frame, list),
    columns: rect.columns,
    query: filter.text.trim(),
    isFocused: isFocusedList(list, frame.screen),
    rows,
    selected,
    folded,
    display: frame.display,
    subscriptions: frame.account.subscriptions,
  };
  return {rect, head, shown, emptyText: '', note};
}

/** Returns whether two lists have the same lines. */
export function isSameList(a: ShownList, b: ShownList): boolean {
  const isSameNote = a.note?.text === b.note?.text && a.note?.role === b.note?.role;
  const isSameFrame = isSameNote && a.rect === b.rect && a.emptyText === b.emptyText && sameArguments(a.head, b.head);
  if (a.shown === undefined || b.shown === undefined) return isSameFrame && a.shown === b.shown;
  return isSameFrame && sameFields(a.shown, b.shown);
}

/** Returns the lines of a list: filter, head, the rows around the cursor, and the note. */
export function listLines({rect, head, shown, emptyText: text, note}: ShownList): readonly PaneLine[] {
  const foot = noteLines(note, rect);
  if (shown === undefined) {
    const empty = wrappedLines({text, role: 'dim'}, rect.columns);
    return [...head, ...empty, ...foot].slice(0, rect.rows);
  }
  const rows = shownLines(shown);
  return head.length + foot.length === 0 ? rows : [...head, ...rows, ...foot].slice(0, rect.rows);
}

function emptyText(frame: Frame, list: ListSource): string {
  const isFiltered = frame.screen.lists[list.id].filter.text.trim() !== '';
  if (isFiltered) return 'No matches. Esc clears the filter.';
  return loadingText(frame) ?? list.emptyText(frame);
}

interface PaintedRow {
  readonly line: PaneLine;
  /** The labels of the neighbouring rows. */
  readonly above: string | undefined;
  readonly below: string | undefined;
}

const paintedRows = memoByObject((_row: ListRow) => new Map<string, PaintedRow>());
/** Variants of one row: with and without the cursor, in one or two panes. */
const maxVariants = 8;

/** Everything that the lines of a list's rows depend on. */
interface ShownRows
  extends Pick<ListState, 'selected' | 'folded'>,
    Pick<Frame, 'display'>,
    Pick<Frame['account'], 'subscriptions'> {
  readonly list: ListSource;
  readonly top: number;
  readonly room: number;
  /** The index of the row with the bar, and that of the main pane's view. */
  readonly barAt: number;
  readonly shownAt: number;
  readonly columns: number;
  readonly query: string;
  readonly isFocused: boolean;
  readonly rows: readonly ListRow[];
}

/** Returns the lines of the rows. Most keys change no list: its lines stay the same array. */
const shownLines = memoByInputs(
  ({rows}: ShownRows) => rows,
  (shown) => Object.values(shown),
  rowLines,
);

function rowLines(shown: ShownRows): readonly PaneLine[] {
  const {list, rows, top, room, barAt, shownAt, columns, selected, folded, query, isFocused, display} = shown;
  const glyphs = uiGlyphs(display);
  const labelOf = (text: string) => conversationNameText(text, glyphs);
  const listKey = `${list.id} ${columns} ${display.glyphs} ${clusterWidthsVersion()} ${isFocused} ${query}`;
  const spokenLine: ListSource['line'] = (row, context) => spokenRowLine(row, list.spokenCount?.(row), context);
  return rows.slice(top, top + room).map((row, at) => {
    const index = top + at;
    const bar = index === barAt ? 'cursor' : index === shownAt ? 'home' : undefined;
    const above = itemLabel(rows[index - 1]);
    const below = itemLabel(rows[index + 1]);
    const isMarked = selected.has(row.key);
    const isFolded = row.kind === 'title' && folded.has(row.group ?? '') && query === '';
    const color = rowColor(row, shown);
    const isTop = at === 0;
    const variantKey = `${listKey} ${bar} ${isMarked} ${isFolded} ${isTop} ${color}`;
    const variants = paintedRows(row);
    const known = variants.get(variantKey);
    if (known !== undefined && known.above === above && known.below === below) return known.line;
    if (variants.size >= maxVariants) variants.clear();
    const lead = leadSpans(glyphs, {bar: isFocused || bar === undefined ? bar : 'home', isMarked});
    const lineOf = display.glyphs === 'words' && isSpokenRow(row) ? spokenLine : list.line;
    const line = lineOf(row, {
      columns: columns - spansColumns(lead),
      glyphs,
      isFocused,
      isFolded,
      isTop,
      neighbours: [above, below].flatMap((label) => (label === undefined ? [] : labelOf(label))),
      label: (role, text = row.label) => {
        const spans = emphasised(labelOf(text), role, matchedRanges(row, query));
        return quietRoles.has(role) ? spans : tintedChannelSpans(spans, color, glyphs);
      },
    });
    const whole = row.kind === 'space' ? blankLine : prefixLine(line, lead);
    variants.set(variantKey, {line: whole, above, below});
    return whole;
  });
}

/** Labels in these roles need no attention, and so no colour. */
const quietRoles: ReadonlySet<UiRole> = new Set(['muted', 'dim', 'disabled']);

function rowColor({target, color}: ListRow, account: Pick<ShownRows, 'subscriptions'>): string | undefined {
  if (color !== undefined) return color;
  if (target?.kind === 'channel') return channelColor(account, target.channelId);
  return target?.kind === 'conversation' ? conversationColor(account, target.conversation) : undefined;
}

function itemLabel(row: ListRow | undefined): string | undefined {
  return row?.kind === 'item' ? row.label : undefined;
}

/**
 * The bar at the cursor of the focused list; or the dimmed bar at the row that the main pane shows, and at
 * the cursor of an unfocused list.
 */
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
