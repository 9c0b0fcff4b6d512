import type {FetchKey} from '#state/fetches/fetch-state.ts';
import {hasServerState} from '#state/initial-state.ts';
import type {Conversation} from '#state/model/conversation.ts';
import {composed, joined} from '#std/composed-text.ts';
import {deepEqual} from '#std/deep-equal.ts';
import type {UiRole} from '#theme/roles.ts';
import {
  type Frame,
  fetchState,
  keyInOrganization,
  memoByFrame,
  organizationFrames,
  paneFrame,
  type View,
} from '#ui/core/frame.ts';
import type {Focus, ScreenState} from '#ui/core/screen-state.ts';
import {conversationColor} from '#ui/format/conversation-name.ts';
import type {Layout, Rect} from '#ui/layout/layout.ts';
import {blankLine, type UiLine, type UiSpan} from '#ui/layout/ui-line.ts';
import {plainGlyphText, type UiGlyphs, uiGlyphs} from '#wording/ui-glyphs.ts';
import type {ListId, ListState} from './list-state.ts';

/** The context in which a row is laid out. */
export interface RowContext {
  readonly columns: number;
  readonly glyphs: UiGlyphs;
  /** Whether the list has the focus. */
  readonly isFocused: boolean;
  /** Whether the group of this title is folded. */
  readonly isFolded: boolean;
  /** Whether this is the first row on the screen, or no heading is shown above it. */
  readonly isTop?: boolean;
  /** The labels of the rows above and below, as of when the row was first laid out. */
  readonly neighbours?: readonly string[];
  /** Returns the row's label in this role, with the filter's matches highlighted. */
  readonly label: (role: UiRole, text?: string) => readonly UiSpan[];
}

/**
 * The definition of a list: its rows and how a row is painted. Moving, filtering, folding and scrolling are
 * shared by all lists.
 */
export interface ListSource<R extends ListRow = ListRow> {
  /** Names its cursor, filter and selection in the state of the screen. */
  readonly id: ListId;
  /** The kinds of views whose main pane shows it. */
  readonly views: readonly View['kind'][];
  /** Its pane beside the main one. */
  readonly pane?: 'channels' | 'topics' | 'people';
  /** What differs from other lists when the program starts. */
  readonly initial?: Partial<ListState>;
  /** Whether it shows the rows of all organizations. */
  readonly isMerged?: true;
  /** Returns all rows, titles before their groups. Must be cheap while nothing changed: called for every paint. */
  rows(frame: Frame): readonly R[];
  /** Returns rows that only a filter finds, shown after the others. Cheap while nothing changed. */
  foundRows?(frame: Frame, query: string): readonly R[];
  /** Returns one row at a width, without the cursor bar and the selection mark before it. */
  line(row: R, context: RowContext): UiLine;
  /** Returns the lines above the rows, which do not scroll. */
  headLines?(frame: Frame, columns: number): readonly UiLine[];
  /**
   * Returns the row of the view in the main pane: the cursor starts there, and stays there while the list is unfocused.
   */
  shownRowKey?(frame: Frame): string | undefined;
  /** Returns the current prefix of its row keys. A cursor key with another prefix, from an earlier view, is ignored. */
  keyPrefix?(frame: Frame): string;
  /** Returns the list's part of its pane, where the pane shows something else as well. */
  bodyRect?(frame: Frame, pane: Rect): Rect;
  /** Whether it has tabs, which digits and clicks choose. */
  readonly hasTabs?: true;
  /** Returns what a screen reader says in place of a row's count of unread messages. */
  spokenCount?(row: R): string | undefined;
  /**
   * Whether the cursor's row stays on its screen line while rows are added or removed above it, as far as the list can scroll. New
   * rows may therefore be off-screen; a key pressed meanwhile acts on the row that the user saw.
   */
  readonly isPinned?: true;
  /** Returns the screen after the cursor moved. */
  cursorMoved?(frame: Frame): ScreenState;
  /** Returns what is said below the rows: that more are loading, or why they could not be loaded. */
  note?(frame: Frame): ListNote | undefined;
  /** Returns the text shown when there are no rows. */
  emptyText(frame: Frame): string;
}

/** A text below the rows of a list. */
export interface ListNote {
  readonly text: string;
  readonly role: UiRole;
}

/** From this screen height on there is a blank line between the head of a list and its rows. */
const spacedHeadFromRows = 16;

/** Adds a blank line below the head of a list, where the screen is high enough. */
export function withSpaceBelow({screen}: Frame, head: readonly UiLine[]): readonly UiLine[] {
  return screen.size.rows < spacedHeadFromRows ? head : [...head, blankLine];
}

/** The target of a row: what opening it shows, and what commands such as mute and follow act on. */
export type RowTarget =
  | {readonly kind: 'view'; readonly view: View}
  | {readonly kind: 'conversation'; readonly conversation: Conversation}
  | {readonly kind: 'channel'; readonly channelId: number}
  | {readonly kind: 'person'; readonly userId: number};

/**
 * One row of a list with everything that it shows. The object stays the same while its content does, so that
 * it is laid out and painted once.
 */
export interface ListRow {
  /** Unique in its list; stays the same as long as the row has the same target. */
  readonly key: string;
  /** An `item` can have the cursor; a `title` only while its group is folded; a `heading` of some items and a `space` never. */
  readonly kind: 'item' | 'title' | 'heading' | 'space';
  /** The text that the filter searches. */
  readonly label: string;
  /** Further text that the filter searches from its start: an email address. */
  readonly searchText?: string | undefined;
  /** The group that the row belongs to, or whose title it is. */
  readonly group?: string | undefined;
  readonly target?: RowTarget | undefined;
  /** The number of its account, if that is not the shown one. Such a row has no target: the cursor takes the keys there. */
  readonly organization?: number | undefined;
  /** The mark of its organization, where the rows of several are one list. */
  readonly mark?: string | undefined;
  /** The channel's colour in the account of a row without a target. */
  readonly color?: string | undefined;
}

/** Returns the rows, replaced by the previous objects where their content is equal. */
export function reuseRows<R extends ListRow>(rows: readonly R[], before: readonly R[] = []): readonly R[] {
  if (before.length === 0) return rows;
  const byKey = new Map(before.map((row) => [row.key, row]));
  return rows.map((row) => {
    const previous = byKey.get(row.key);
    return previous !== undefined && sameRow(previous, row) ? previous : row;
  });
}

/** Memoizes the rows of a list by their inputs (see `memoByFrame`); rows with equal content stay the same objects. */
export function memoRows<R extends ListRow, Rest extends readonly unknown[] = []>(
  inputs: (frame: Frame, ...rest: Rest) => readonly unknown[],
  rowsOf: (frame: Frame, ...rest: Rest) => readonly R[],
): (frame: Frame, ...rest: Rest) => readonly R[] {
  return memoByFrame(inputs, rowsOf, undefined, reuseRows);
}

/**
 * Whether two rows are equal. Lists have thousands of rows: fields that are no objects are compared by
 * identity. Both rows have the same fields because the same code creates them.
 */
function sameRow<R extends ListRow>(previous: R, row: R): boolean {
  if (previous === row) return true;
  for (const name in row) {
    const [left, right] = [previous[name], row[name]];
    if (left !== right && !(typeof left === 'object' && deepEqual(left, right))) return false;
  }
  return true;
}

/** Whether the main pane shows the list. */
export function isMainList({views}: ListSource, {kind}: View): boolean {
  return views.includes(kind);
}

type SidePane = NonNullable<ListSource['pane']>;
const sidePanes: ReadonlySet<Focus> = new Set<SidePane>(['channels', 'topics', 'people']);

export function isSidePane(focus: Focus): focus is SidePane {
  return sidePanes.has(focus);
}

/** Whether the list has the focus: no list has it while messages or the other pane have it. */
export function isFocusedList(list: ListSource, {focus, view}: Pick<ScreenState, 'focus' | 'view'>): boolean {
  if (focus === 'other') return false;
  return isSidePane(focus) ? list.pane === focus : isMainList(list, view);
}

/** Returns the pane of a list; undefined when it is not shown. */
export function listPaneRect(list: ListSource, view: View, layout: Layout): Rect | undefined {
  if (isMainList(list, view)) return layout.main;
  return list.pane && layout[list.pane];
}

/**
 * Returns the rows of several lists as one, by time; each list keeps its own order. A row whose time is not known stays behind
 * the row before it.
 */
export function mergedByTime<R>(
  lists: readonly (readonly R[])[],
  timeOf: (row: R) => number | undefined,
  isOldestFirst = false,
): readonly R[] {
  const sign = isOldestFirst ? 1 : -1;
  const timed = lists.flatMap((rows) => {
    let latest = Number.NEGATIVE_INFINITY;
    return rows.map((row) => {
      // The place of a row in its list counts more than its time: it may have got newer messages there.
      const time = timeOf(row);
      latest = Math.max(latest, time === undefined ? latest : sign * time);
      return {row, at: latest};
    });
  });
  return timed.sort((a, b) => (a.at === b.at ? 0 : a.at - b.at)).map(({row}) => row);
}

/**
 * Returns the rows of each organization that a list shows, with its mark. A row of another one has no target: the cursor takes the
 * keys there.
 */
export function rowsOfOrganizations<R extends ListRow>(
  frame: Frame,
  rowsOf: (frame: Frame) => readonly R[],
  otherRowsOf: (other: Frame) => readonly R[],
): readonly (readonly R[])[] {
  return organizationFrames(frame).map(({organization, frame: its}) => {
    if (organization === undefined) return rowsOf(its);
    const {name, index, mark, isShown} = organization;
    if (isShown) return rowsOf(its).map((row) => ({...row, mark}));
    return otherRowsOf(its).map((row) => ({
      ...row,
      key: keyInOrganization(name, row.key),
      mark,
      organization: index,
      color: targetColor(its.account, row.target),
      target: undefined,
    }));
  });
}

function targetColor(account: Frame['account'], target: RowTarget | undefined): string | undefined {
  return conversationColor(account, target?.kind === 'conversation' ? target.conversation : undefined);
}

/** Returns the mark of the row's organization before its name, where the rows of several are one list. */
export function markSpans({mark}: ListRow): readonly UiSpan[] {
  return mark === undefined ? [] : [{text: `${mark} `, role: 'account'}];
}

/** A list that a fetch fills and that is not complete. */
interface IncompleteList {
  /** What it lists: `topics`. */
  readonly noun: string;
  readonly fetch: FetchKey;
  /** Whether nothing of it is known. */
  readonly isEmpty: boolean;
}

/** Returns what the list says of its fetch: that it runs, why it failed, or that there is only what was saved. */
export function fetchNote(frame: Frame, {noun, fetch, isEmpty}: IncompleteList): ListNote | undefined {
  const {phase} = frame.account.connection;
  const subject = `${noun.slice(0, 1).toUpperCase()}${noun.slice(1)}`;
  if (phase !== 'online' && phase !== 'starting') {
    const text = isEmpty
      ? `The ${noun} are not saved on this machine. They load when back online.`
      : `Offline: showing saved ${noun}`;
    return {text, role: 'dim'};
  }
  const {error} = fetchState(frame, fetch);
  if (error !== undefined) return {text: loadFailureText(paneFrame(frame), subject, error), role: 'warning'};
  return isEmpty ? {text: `Loading ${noun}${uiGlyphs(frame.display).ellipsis}`, role: 'dim'} : undefined;
}

/** Returns which other organizations are not connected or have unsent messages, in one line; undefined for none. */
export function organizationsNote({organizations}: Frame): ListNote | undefined {
  const texts = (organizations?.all ?? []).flatMap(({isShown, name, problem, frame, index}) => {
    const unsent = frame === undefined ? 0 : unsentCount(frame.account);
    const parts = [problem, unsent === 0 ? undefined : `${unsent} unsent`].filter((part) => part !== undefined);
    return isShown || parts.length === 0 ? [] : composed`${name}: ${joined(parts)} (Alt-${index + 1})`;
  });
  return texts.length === 0 ? undefined : {text: texts.join(' · '), role: 'warning'};
}

/** Returns how many messages wait for the connection or for their author. While connected, those in the queue are about to be sent. */
function unsentCount({outbox, connection}: Frame['account']): number {
  const waiting = outbox.filter(({status}) => {
    const isOnItsWay =
      status === 'sent' || (connection.phase === 'online' && (status === 'queued' || status === 'sending'));
    return !isOnItsWay;
  });
  return waiting.length;
}

/** Returns the text in place of what is not known before the first registration; undefined after it. */
export function loadingText({account, display}: Pick<Frame, 'account' | 'display'>): string | undefined {
  if (hasServerState(account)) return undefined;
  return account.connection.phase === 'starting' ? `Loading${uiGlyphs(display).ellipsis}` : 'Not connected yet.';
}

/** Returns the sentence about what could not be fetched, with the key that fetches it again. */
export function loadFailureText(frame: Frame, subject: string, reason: string): string {
  const key = retryKey(frame);
  const retry = key === undefined ? '' : ` · ${key} ${retryEffect}`;
  return plainGlyphText(`${subject} could not be loaded: ${reason}${retry}`, frame.display);
}

export const retryEffect = 'tries again';

/** Returns the key that fetches again what could not be loaded. */
export function retryKey(frame: Frame): string | undefined {
  return frame.info.keys?.workingKey(frame, ['app.redraw']);
}

/** Returns the part of the pane that has the list's rows and head; undefined when it is not shown. */
export function listBodyRect(frame: Frame, list: ListSource, layout: Layout): Rect | undefined {
  const pane = listPaneRect(list, frame.screen.view, layout);
  return pane === undefined ? undefined : (list.bodyRect?.(frame, pane) ?? pane);
}
