import {clusterWidthsVersion, textColumns} from '#content/styled-text/text-width.ts';
import {prefixLine, spansColumns, wrapSpans} from '#content/styled-text/wrap.ts';
import type {ShownUnreads} from '#state/selectors/unreads/unread-counts.ts';
import type {MatchRange} from '#std/fuzzy.ts';
import {RecentResults, sameArguments, sameFields} from '#std/memo.ts';
import type {UiRole} from '#theme/roles.ts';
import type {Frame, PaneLine} from '#ui/core/frame.ts';
import type {ListId} from '#ui/core/screen-state.ts';
import {
  channelColor,
  conversationColor,
  conversationNameText,
  tintedChannelSpans,
} from '#ui/format/conversation-name.ts';
import {excerpt} from '#ui/format/message-context.ts';
import {removalLabels, type TriageItem} from '#ui/inbox/triage-row.ts';
import type {CursorPosition, Layout, Rect, SelectedRows} from '#ui/layout/layout.ts';
import {blankLine, fittedLine, type UiLine, type UiSpan} from '#ui/layout/ui-line.ts';
import {screenLayout} from '#ui/screen-layout.ts';
import {lineWindow} from '#ui/text/text-layout.ts';
import {countedNoun} from '#wording/counted-noun.ts';
import {plainGlyphText, type UiGlyphs, uiGlyphs} from '#wording/ui-glyphs.ts';
import {
  focusedList,
  type ListNote,
  type ListRow,
  type ListSource,
  listPaneRect,
  loadingText,
  type RowContext,
} from './list-source.ts';
import type {ListState} from './list-state.ts';
import type {DirectPresence} from './navigation-row.ts';
import {
  barIndex,
  cursorIndex,
  listBeingFiltered,
  listSources,
  matchedRanges,
  shownRowIndex,
  visibleRowsOf,
} from './visible-rows.ts';

/** Columns of the cursor bar and the selection mark. */
const leadColumns = 2;

/** A list as its pane shows it: what its lines are made of. */
export interface ShownList {
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
export function shownList(frame: Frame, id: ListId, rect: Rect): ShownList {
  const head = headLines(frame, id, rect.columns);
  const note = listNote(frame, id);
  const room = listRoom(frame, id, rect);
  const {rows} = visibleRowsOf(frame, id);
  if (rows.length === 0) return {rect, head, shown: undefined, emptyText: emptyText(frame, id), note};
  const {selected, folded, filter} = frame.screen.lists[id];
  const shown: ShownRows = {
    id,
    top: listTop(frame, id, room),
    room,
    barAt: barIndex(frame, id),
    shownAt: shownRowIndex(frame, id),
    columns: rect.columns,
    query: filter.text.trim(),
    isFocused: focusedList(frame.screen) === id,
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
  const rows = lastLines.get(shown, sameFields, () => rowLines(shown, listSources[shown.id]));
  return head.length + foot.length === 0 ? rows : [...head, ...rows, ...foot].slice(0, rect.rows);
}

/** Returns the lines above a list's rows: its filter and its head. */
export function headLines(frame: Frame, id: ListId, columns: number): readonly PaneLine[] {
  const filter = hasFilterLine(frame.screen.lists[id]) ? [filterLine(frame, id, columns)] : [];
  return [...filter, ...(listSources[id].headLines?.(frame, columns) ?? [])];
}

/** Returns the number of rows that fit on the screen; undefined when the list is not shown. */
export function bodyRows(frame: Frame, id: ListId): number | undefined {
  const rect = listBodyRect(frame, id);
  return rect && Math.max(1, listRoom(frame, id, rect));
}

/** Returns the number of rows that have room between head and note. */
function listRoom(frame: Frame, id: ListId, rect: Rect): number {
  const note = noteLines(listNote(frame, id), rect);
  return Math.max(0, rect.rows - headLines(frame, id, rect.columns).length - note.length);
}

function emptyText(frame: Frame, id: ListId): string {
  const isFiltered = frame.screen.lists[id].filter.text.trim() !== '';
  if (isFiltered) return 'No matches. Esc clears the filter.';
  return loadingText(frame) ?? listSources[id].emptyText(frame);
}

function listNote(frame: Frame, id: ListId): ListNote | undefined {
  const note = listSources[id].note?.(frame);
  return note && {...note, text: plainGlyphText(note.text, frame.display)};
}

function noteLines(note: ListNote | undefined, {columns, rows}: Rect): readonly PaneLine[] {
  return note === undefined ? [] : wrappedLines(note, columns).slice(0, Math.floor(rows / 2));
}

/** Returns a text below a blank line. */
function wrappedLines(text: ListNote, columns: number): readonly PaneLine[] {
  const margin: UiSpan = {text: '  ', role: 'text'};
  return [blankLine, ...wrapSpans<UiRole>([text], {width: columns - 1, first: [margin], rest: [margin]})];
}

/** Rows between the cursor and the edges, where there is room. */
const cursorMargin = 2;

/** Returns the first row to show: scrolled no further than the cursor needs, without blank rows below the last one. */
export function windowTop(top: number, cursor: number, room: number, count: number, margin = cursorMargin): number {
  const maxTop = Math.max(0, count - room);
  if (cursor < 0) return Math.min(top, maxTop);
  const edgeDistance = Math.min(margin, Math.max(0, Math.floor((room - 1) / 2)));
  const highest = Math.min(cursor - edgeDistance, maxTop);
  const lowest = cursor + edgeDistance - room + 1;
  return Math.max(0, Math.min(maxTop, Math.max(lowest, Math.min(top, highest))));
}

/** Returns the first shown row of a list. A focused list never hides its cursor. */
export function listTop(frame: Frame, id: ListId, room: number): number {
  const {top, pinnedKey} = frame.screen.lists[id];
  const {rows} = visibleRowsOf(frame, id);
  const bar = barIndex(frame, id);
  const isInSight = bar >= top && bar < top + room;
  const isPinned = pinnedKey !== undefined && rows[bar]?.key === pinnedKey;
  const isUnconstrained = isPinned && (isInSight || focusedList(frame.screen) !== id);
  // A row that scrolls into view is spoken, so that it must be the row with the cursor.
  const margin = frame.display.glyphs === 'words' ? 0 : cursorMargin;
  return windowTop(top, isUnconstrained ? -1 : bar, room, rows.length, margin);
}

/** Returns the first and last row that can have the cursor when `top` is the first shown row. */
export function cursorRange(top: number, room: number, count: number): readonly [first: number, last: number] {
  const edgeDistance = Math.min(cursorMargin, Math.max(0, Math.floor((room - 1) / 2)));
  const last = top + room - 1;
  return [top === 0 ? 0 : top + edgeDistance, last >= count - 1 ? count - 1 : last - edgeDistance];
}

interface PaintedRow {
  readonly line: PaneLine;
  /** The labels of the neighbouring rows. */
  readonly above: string | undefined;
  readonly below: string | undefined;
}

const paintedRows = new WeakMap<ListRow, Map<string, PaintedRow>>();
/** Variants of one row: with and without the cursor, in one or two panes. */
const maxVariants = 8;

/** Everything that the lines of a list's rows depend on. */
interface ShownRows
  extends Pick<ListState, 'selected' | 'folded'>,
    Pick<Frame, 'display'>,
    Pick<Frame['account'], 'subscriptions'> {
  readonly id: ListId;
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

/** Most keys change no list: its lines stay the same array. One frame shows at most four lists. */
const lastLines = new RecentResults<ShownRows, readonly PaneLine[]>(4);

function rowLines(shown: ShownRows, source: ListSource): readonly PaneLine[] {
  const {id, rows, top, room, barAt, shownAt, columns, selected, folded, query, isFocused, display} = shown;
  const glyphs = uiGlyphs(display);
  const labelOf = (text: string) => conversationNameText(text, glyphs);
  const listKey = `${id} ${columns} ${display.glyphs} ${clusterWidthsVersion()} ${isFocused} ${query}`;
  return rows.slice(top, top + room).map((row, at) => {
    const index = top + at;
    const bar = index === barAt ? 'cursor' : index === shownAt ? 'home' : undefined;
    const [above, below] = [itemLabel(rows[index - 1]), itemLabel(rows[index + 1])];
    const isMarked = selected.has(row.key);
    const isFolded = row.kind === 'title' && folded.has(row.group ?? '') && query === '';
    const color = rowColor(row, shown);
    const isTop = at === 0;
    const variantKey = `${listKey} ${bar} ${isMarked} ${isFolded} ${isTop} ${color}`;
    const variants = paintedRows.get(row) ?? new Map<string, PaintedRow>();
    const known = variants.get(variantKey);
    if (known !== undefined && known.above === above && known.below === below) return known.line;
    if (variants.size >= maxVariants) variants.clear();
    const lead = leadSpans(glyphs, {bar: isFocused || bar === undefined ? bar : 'home', isMarked});
    const lineOf = display.glyphs === 'words' && isSpokenRow(row) ? spokenRowLine : source.line;
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
    paintedRows.set(row, variants.set(variantKey, {line: whole, above, below}));
    return whole;
  });
}

/** Lines of a text below an entry are not rows of their own. */
function isSpokenRow({kind}: ListRow): boolean {
  return kind === 'item' || kind === 'title';
}

/** Labels in these roles need no attention, and so no colour. */
const quietRoles: ReadonlySet<UiRole> = new Set(['muted', 'dim', 'disabled']);

function rowColor({target}: ListRow, account: Pick<ShownRows, 'subscriptions'>): string | undefined {
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

/** Returns the row painted at a screen position; undefined in the head, below the last row and outside the list. */
export function listRowAt(
  frame: Frame,
  id: ListId,
  {x, y}: {readonly x: number; readonly y: number},
): ListRow | undefined {
  const rect = listBodyRect(frame, id);
  if (rect === undefined || x < rect.x || x >= rect.x + rect.columns || y >= rect.y + rect.rows) {
    return undefined;
  }
  const head = headLines(frame, id, rect.columns).length;
  const line = y - rect.y - head;
  const room = listRoom(frame, id, rect);
  return line < 0 || line >= room ? undefined : visibleRowsOf(frame, id).rows[line + listTop(frame, id, room)];
}

/** Returns the row with the cursor, or the text in place of rows; undefined when the list is not shown. */
export function selectedListRow(frame: Frame, id: ListId): SelectedRows | undefined {
  const rect = listBodyRect(frame, id);
  if (rect === undefined) return undefined;
  const head = headLines(frame, id, rect.columns).length;
  const at = cursorIndex(frame, id) - listTop(frame, id, listRoom(frame, id, rect));
  // The text in place of rows is below a blank line.
  const line = visibleRowsOf(frame, id).rows.length === 0 ? 1 : Math.max(0, at);
  const key = `${id} ${visibleRowsOf(frame, id).rows[cursorIndex(frame, id)]?.key}`;
  return {x: rect.x + leadColumns, y: rect.y + Math.min(head + line, rect.rows - 1), rows: 1, key};
}

/** Returns the number of the tab at a column, from 1; the digit before a tab's name belongs to it. */
export function tabAt({spans}: UiLine, column: number): number | undefined {
  let [end, nth] = [0, 0];
  for (const [at, {text, role}] of spans.entries()) {
    end += textColumns(text);
    const isTab = role === 'tab' || role === 'tab_active';
    if (isTab) nth += 1;
    if (column >= end) continue;
    const next = spans[at + 1]?.role;
    const isNumber = text.trim() !== '' && (next === 'tab' || next === 'tab_active');
    return isTab ? nth : isNumber ? nth + 1 : undefined;
  }
  return undefined;
}

const prompt = ' / ';

/** Whether the list's first row shows its filter: while it is typed, and as long as it hides rows. */
function hasFilterLine({isFiltering, filter}: ListState): boolean {
  return isFiltering || filter.text.trim() !== '';
}

function filterLine({screen, display}: Frame, id: ListId, columns: number): PaneLine {
  const {filter, isFiltering} = screen.lists[id];
  const {shown, span} = lineWindow(filter.text, filter.cursor, columns - prompt.length, 0, display.bidi);
  const text: UiSpan =
    shown === '' ? {text: 'type to filter', role: 'placeholder'} : {...span, role: isFiltering ? 'text' : 'dim'};
  return fittedLine([{text: prompt, role: 'prompt'}, text], columns);
}

/** Returns where the terminal cursor is in the filter line; undefined when no list is being filtered. */
export function filterCursor(frame: Frame, layout: Layout): CursorPosition | undefined {
  const {screen} = frame;
  const id = listBeingFiltered(screen);
  const rect = id === undefined ? undefined : listBodyRect(frame, id, layout);
  if (id === undefined || rect === undefined) return undefined;
  const {text, cursor} = screen.lists[id].filter;
  const {column} = lineWindow(text, cursor, rect.columns - prompt.length, 0, frame.display.bidi);
  return {x: rect.x + Math.min(prompt.length + column, rect.columns - 1), y: rect.y};
}

/** Returns the part of the pane that has the list's rows and head; undefined when it is not shown. */
export function listBodyRect(frame: Frame, id: ListId, layout: Layout = screenLayout(frame)): Rect | undefined {
  const pane = listPaneRect(id, frame.screen.view, layout);
  return pane === undefined ? undefined : (listSources[id].bodyRect?.(frame, pane) ?? pane);
}

/** What rows of lists say by symbols and columns. A row has some of it. */
type RowFacts = Partial<
  Pick<ShownUnreads, 'count' | 'mentions' | 'isQuiet'> &
    Pick<TriageItem, 'newCount' | 'removalReason' | 'names' | 'snippetFacts'> &
    Readonly<Record<keyof typeof factWords, boolean>> & {
      /** Names, or a number of subscribers. */
      readonly people: string | number;
      readonly presence: DirectPresence;
      readonly unreads: Pick<ShownUnreads, 'count' | 'mentions'>;
    } & Readonly<Record<(typeof textFacts)[number] | 'snippet', string>>
>;

const factWords = {
  isNew: 'new conversation',
  isMuted: 'muted',
  isFollowed: 'followed',
  isResolved: 'resolved',
  hasDraft: 'draft',
  hasAlertWord: 'alert word',
  isSnoozeOver: 'back from snooze',
  isSubscribed: 'subscribed',
  isPrivate: 'private',
  isBot: 'bot',
  isSelf: 'you',
} as const;

const presenceWords: Readonly<Record<DirectPresence, string>> = {
  active: 'online',
  idle: 'idle',
  offline: 'offline',
  unknown: '',
};

/** Texts that rows show in columns. Without ages: they change every minute, and what changes is spoken. */
const textFacts = ['role', 'status', 'why', 'note', 'when', 'description'] as const;

/** Returns a row for a screen reader: `#backend > deploy freeze, 3 unread, 1 mention, followed: can we lift it?` */
function spokenRowLine(row: ListRow, {columns, glyphs, isFolded, label}: RowContext): UiLine {
  const facts: RowFacts = row.kind === 'item' || isFolded ? (row as RowFacts) : {};
  const words = [...(isFolded ? [glyphs.folded] : []), ...countWords(facts, row.target), ...wordsOf(facts)];
  const snippet = facts.snippet === undefined ? '' : excerpt(facts.snippet, facts.names, facts.snippetFacts);
  const after: UiSpan = {text: words.map((word) => `, ${word}`).join(''), role: 'text'};
  const {ellipsis} = glyphs;
  // The name is shortened, not what the row says about it.
  const room = Math.max(Math.floor(columns / 2), columns - spansColumns([after]));
  const name = fittedLine(label('text'), room, ellipsis);
  const quoted: UiSpan = {text: snippet === '' ? '' : `: ${snippet}`, role: 'text'};
  return fittedLine([...name.spans, after, quoted], columns, ellipsis);
}

/** The count of a view such as the starred messages is that of its entries, which need not be unread. */
function countWords(facts: RowFacts, target: ListRow['target']): readonly string[] {
  const {count = 0, mentions = 0} = facts.unreads ?? facts;
  if (facts.removalReason !== undefined) return [removalLabels[facts.removalReason]];
  if (count === 0) return [];
  if (target?.kind === 'view' && facts.isQuiet === true) return [`${count} ${count === 1 ? 'entry' : 'entries'}`];
  return [`${count} unread`, ...(mentions > 0 ? [countedNoun(mentions, 'mention')] : [])];
}

function wordsOf(facts: RowFacts): readonly string[] {
  const names = Object.keys(factWords) as (keyof typeof factWords)[];
  return [
    facts.newCount !== undefined && facts.newCount > 0 ? `${facts.newCount} of them new` : '',
    ...names.map((name) => (facts[name] === true ? factWords[name] : '')),
    facts.presence === undefined ? '' : presenceWords[facts.presence],
    typeof facts.people === 'number' ? `${facts.people} subscribers` : (facts.people ?? ''),
    ...textFacts.map((name) => facts[name] ?? ''),
  ].filter((word) => word !== '');
}
