import {wrapSpans} from '#content/styled-text/wrap.ts';
import type {UiRole} from '#theme/roles.ts';
import {type Frame, type View, viewChannelId} from '#ui/core/frame.ts';
import type {Rect, ScreenState, Size, TourArea} from '#ui/core/screen-state.ts';
import {fittedLine, type UiSpan} from './ui-line.ts';

export type {Rect} from '#ui/core/screen-state.ts';

/** The cell of the screen where the terminal cursor is. */
export interface CursorPosition {
  readonly x: number;
  readonly y: number;
  /** Whether it is there for programs that follow it only: it shows where the user is, and a mark on the screen does so too. */
  readonly isHidden?: true | undefined;
  /** The rows that a screen reader speaks. */
  readonly spoken?: SpokenRows | undefined;
}

/** For a screen reader, rows are written whole, and those of the selection when another one is selected. */
export interface SpokenRows {
  /** Identifies what is selected. */
  readonly key: string;
  readonly y: number;
  readonly rows: number;
  /** The number of rows below them that are read after them. */
  readonly rowsAfter: number;
  /** The row of the text being edited, of which only the changed cells are written. */
  readonly editedRow?: number | undefined;
}

/** The rows of the screen that show what is selected, and the column where its text begins. */
export interface SelectedRows extends Pick<CursorPosition, 'x' | 'y'> {
  readonly rows: number;
  /** Rows above them that say where they are: a date, a conversation. */
  readonly leadRows?: number;
  /** Rows below them that are read after them: the next messages. */
  readonly rowsAfter?: number;
  /** Identifies what is selected; undefined where nothing is. */
  readonly key?: string | undefined;
}

type SizeClass = 'xl' | 'l' | 'm' | 's' | 'tooSmall';

export function sizeClass({columns, rows}: Size): SizeClass {
  if (columns < 30 || rows < 8) return 'tooSmall';
  if (columns >= 140) return 'xl';
  if (columns >= 100) return 'l';
  return columns >= 60 ? 'm' : 's';
}

/** The rectangles of all panes. Undefined ones are not shown. */
export interface Layout {
  readonly size: SizeClass;
  readonly header: Rect | undefined;
  readonly channels: Rect | undefined;
  readonly topics: Rect | undefined;
  readonly main: Rect;
  /** The line with the name of the view, above the main pane while there are two panes. */
  readonly head: Rect | undefined;
  /** The pane without the focus, with its own head and composer. */
  readonly other: Rect | undefined;
  /** Above the main pane. */
  readonly banner: Rect | undefined;
  readonly people: Rect | undefined;
  readonly composer: Rect | undefined;
  readonly status: Rect | undefined;
  /** The row for a toast where there is no status line or an overlay may cover it: over what else is there. */
  readonly toast: Rect | undefined;
  /** The vertical lines between panes, each with the blank column at its right, if it has one. */
  readonly rules: readonly Rect[];
  /** Whether the lists lie over the messages instead of beside them. */
  readonly isDrawer: boolean;
}

type ListColumns = Readonly<Record<'channels' | 'topics' | 'people', number>>;

/** Widths of the lists: normally, on wide screens, and at most. */
const listColumns: ListColumns = {channels: 24, topics: 26, people: 24};
const roomyColumns: ListColumns = {channels: 28, topics: 32, people: 28};
const maxListColumns: ListColumns = {channels: 36, topics: 52, people: 32};
const roomyFrom = 160;
/** From these screen widths on, lists grow. Topics have the longest names and grow first. */
const growsFrom: ListColumns = {channels: 200, topics: 184, people: 220};
/** A list grows by one column per this many columns of the screen. */
const growsBy: ListColumns = {channels: 6, topics: 4, people: 10};
/** From this width on, topics have a separate pane. */
const topicsFrom = 120;
/** The people pane opens by itself only if the messages keep this width. */
const ampleColumns = 84;
const drawerColumns = 32;
const minRowsBelowBanner = 4;
/** Rows of lists begin with blanks of their own; names above messages do not. */
const messageRuleColumns = 2;

/** What the terminal needs for two panes, by how they divide it. */
export const minForTwoPanes = {
  beside: {columns: 120},
  below: {rows: 40},
} as const satisfies Record<OtherPane['direction'], Partial<Size>>;
/** The channel list stays beside two panes only if each of them keeps this width. */
const minPaneColumns = 64;
/** The line between panes side by side, and a blank column. */
const dividerColumns = 2;

type OtherPane = NonNullable<ScreenState['otherPane']>;

export function canShowTwoPanes(size: Size, direction: OtherPane['direction']): boolean {
  if (sizeClass(size) === 'tooSmall') return false;
  return direction === 'beside'
    ? size.columns >= minForTwoPanes.beside.columns
    : size.rows >= minForTwoPanes.below.rows;
}

/** Returns the other pane if it is on the screen: it is hidden by zooming, for screen readers, and where there is no room. */
export function shownOtherPane({otherPane, size, panes}: Divided): OtherPane | undefined {
  if (otherPane === undefined || otherPane.isZoomed || panes.isBare || panes.isSingle) return undefined;
  return canShowTwoPanes(size, otherPane.direction) ? otherPane : undefined;
}

type Divided = Pick<ScreenState, 'otherPane' | 'size' | 'panes'>;

/**
 * Lays out the screen. `composerRows` is what the composer asks for, 0 when it is closed; it gets at least one row and at
 * most its maximum. `wantedBannerRows` are reserved above the main pane, as far as that keeps a few rows.
 */
export function layoutOf(screen: ScreenState, composerRows: number, wantedBannerRows = 0): Layout {
  const {size, panes} = screen;
  const kind = sizeClass(size);
  if (screen.area !== undefined) {
    const {left: _left, right: _right, ...noLists} = noSides;
    const nothing = {header: undefined, status: undefined, toast: undefined, other: undefined, ...noLists};
    return {size: kind, ...nothing, ...paneParts(screen.area, true, size, composerRows, 0)};
  }
  const headerRows = size.rows < 12 || panes.isBare ? 0 : 1;
  const statusRows = size.rows < 16 || panes.isBare ? 0 : 1;
  const body = {y: headerRows, rows: Math.max(1, size.rows - headerRows - statusRows)};
  const {left, right, ...sides} = sidesOf(screen, kind, body);
  const area = {...body, x: left, columns: Math.max(1, size.columns - left - right)};
  const {focused, other, rules} = dividedArea(screen, area);
  const across = (y: number): Rect => ({x: 0, y, columns: size.columns, rows: 1});
  const statusRow = statusRows === 0 ? undefined : size.rows - 1;
  const isStatusSeen = statusRow !== undefined && screen.overlays.length === 0;
  const toastRow = screen.toast === undefined || isStatusSeen ? undefined : (statusRow ?? 0);
  return {
    size: kind,
    header: headerRows === 0 ? undefined : across(0),
    ...sides,
    rules: [...sides.rules, ...rules],
    other,
    ...paneParts(focused, other !== undefined, size, composerRows, panes.isBare ? 0 : wantedBannerRows),
    status: statusRow === undefined ? undefined : across(statusRow),
    toast: toastRow === undefined ? undefined : across(toastRow),
  };
}

/** Divides an area between the two panes. Each has a head, which is also the line between panes below each other. */
function dividedArea(
  screen: Divided,
  area: Rect,
): {readonly focused: Rect; readonly other: Rect | undefined; readonly rules: readonly Rect[]} {
  const pane = shownOtherPane(screen);
  if (pane === undefined) return {focused: area, other: undefined, rules: []};
  const {x, y, columns, rows} = area;
  const isBeside = pane.direction === 'beside';
  const half = Math.floor(isBeside ? (columns - dividerColumns) / 2 : rows / 2);
  const second = half + (isBeside ? dividerColumns : 0);
  const first = isBeside ? {...area, columns: half} : {...area, rows: half};
  const last = isBeside
    ? {...area, x: x + second, columns: columns - second}
    : {...area, y: y + second, rows: rows - second};
  const rules = isBeside ? [{...area, x: x + half, columns: dividerColumns}] : [];
  return pane.isFirst ? {focused: last, other: first, rules} : {focused: first, other: last, rules};
}

/** Divides a pane into its head, a banner, what it shows, and the composer. */
function paneParts(
  area: Rect,
  hasHead: boolean,
  size: Size,
  composerRows: number,
  wantedBannerRows: number,
): Pick<Layout, 'head' | 'banner' | 'main' | 'composer'> {
  const headRows = hasHead ? 1 : 0;
  const composerHeight = composerRows === 0 ? 0 : Math.max(1, Math.min(composerRows, maxComposerRows(size.rows)));
  const mainRows = Math.max(1, area.rows - headRows - composerHeight);
  const bannerRows = Math.max(0, Math.min(wantedBannerRows, mainRows - minRowsBelowBanner));
  const y = area.y + headRows;
  const bodyRows = area.rows - headRows;
  return {
    head: hasHead ? {...area, rows: 1} : undefined,
    banner: bannerRows === 0 ? undefined : {...area, y, rows: bannerRows},
    main: {...area, y: y + bannerRows, rows: mainRows - bannerRows},
    composer: composerHeight === 0 ? undefined : {...area, y: y + mainRows, rows: bodyRows - mainRows},
  };
}

export function maxComposerRows(rows: number): number {
  return Math.max(1, Math.min(Math.floor(rows * 0.4), 10)) + 1;
}

interface Sides extends Pick<Layout, 'channels' | 'topics' | 'people' | 'rules' | 'isDrawer'> {
  /** Columns used at each side. */
  readonly left: number;
  readonly right: number;
}

function listColumnsAt(columns: number): ListColumns {
  if (columns < roomyFrom) return listColumns;
  const at = (list: keyof ListColumns): number => {
    const more = Math.max(0, Math.floor((columns - growsFrom[list]) / growsBy[list]));
    return Math.min(maxListColumns[list], roomyColumns[list] + more);
  };
  return {channels: at('channels'), topics: at('topics'), people: at('people')};
}

interface BodyArea {
  readonly y: number;
  readonly rows: number;
}

const noSides: Sides = {
  channels: undefined,
  topics: undefined,
  people: undefined,
  rules: [],
  isDrawer: false,
  left: 0,
  right: 0,
};

function sidesOf(screen: ScreenState, kind: SizeClass, body: BodyArea): Sides {
  if (screen.panes.isBare || kind === 'tooSmall') return noSides;
  return hasDrawer(screen) ? drawerSides(screen, kind, body) : wideSides(screen, kind, body);
}

/**
 * Whether lists lie over the main pane: on narrow screens, beside two panes that need the width, one at a time, and in triage,
 * which uses the whole width.
 */
export function hasDrawer({size, view, ...divided}: Pick<ScreenState, 'view'> & Divided): boolean {
  const kind = sizeClass(size);
  if (kind === 'm' || kind === 's' || divided.panes.isSingle === true || view.kind === 'triage') return true;
  const isBeside = shownOtherPane({size, ...divided})?.direction === 'beside';
  const room = size.columns - listColumnsAt(size.columns).channels - messageRuleColumns - dividerColumns;
  return isBeside && room < 2 * minPaneColumns;
}

/** Shows one list, while it has the focus. */
function drawerSides({focus, size, panes}: ScreenState, kind: SizeClass, body: BodyArea): Sides {
  if (focus !== 'channels' && focus !== 'topics') return noSides;
  const columns = kind === 's' || panes.isSingle === true ? size.columns : Math.min(drawerColumns, size.columns);
  const rules = columns < size.columns ? [{...body, x: columns, columns: 1}] : [];
  return {...noSides, [focus]: {...body, x: 0, columns}, rules, isDrawer: true};
}

/** Whether a view has a list of topics beside it: messages of a channel have. */
export function hasTopicsBeside(view: View): boolean {
  return view.kind === 'messages' && viewChannelId(view) !== undefined;
}

/** Shows lists beside the main pane. Two panes get the width of topics and people, whichever of them has the focus. */
function wideSides(screen: ScreenState, kind: SizeClass, body: BodyArea): Sides {
  const {size, panes, view} = screen;
  const own = listColumnsAt(size.columns);
  const isDivided = shownOtherPane(screen) !== undefined;
  const hasMessages = view.kind === 'messages';
  const showsList = panes.sidebar !== 'hidden';
  const showsTopics = showsList && !isDivided && hasTopicsBeside(view) && size.columns >= topicsFrom;
  const channels = showsList ? {...body, x: 0, columns: own.channels} : undefined;
  const topics = showsTopics ? {...body, x: own.channels + 1, columns: own.topics} : undefined;
  const lastRule = topics === undefined ? own.channels : own.channels + 1 + own.topics;
  const ruleColumns = hasMessages || isDivided ? messageRuleColumns : 1;
  const left = channels === undefined ? 0 : lastRule + ruleColumns;
  // The same in views without topics, so that it does not open and close from view to view.
  const lists = showsList ? own.channels + own.topics + 2 : 0;
  const isAmple = hasMessages && size.columns - lists - own.people - 1 >= ampleColumns;
  const wantsPeople = panes.people === 'shown' || (panes.people === 'auto' && isAmple);
  const showsPeople = kind === 'xl' && !isDivided && wantsPeople && view.kind !== 'people';
  const x = size.columns - own.people;
  const people = showsPeople ? {...body, x, columns: own.people} : undefined;
  const right = people === undefined ? 0 : own.people + 1;
  const rules = [
    ...(topics === undefined ? [] : [{...body, x: own.channels, columns: 1}]),
    ...(channels === undefined ? [] : [{...body, x: lastRule, columns: ruleColumns}]),
    ...(people === undefined ? [] : [{...body, x: x - 1, columns: 1}]),
  ];
  return {channels, topics, people, rules, isDrawer: false, left, right};
}

/** The panes keep at least this many rows; the end of a long instruction is left out. */
const minPaneRows = 8;
/** Stands for the hyphen in the name of a key while lines are broken. */
const unbreakable = '\u2011';

/** Divides the terminal between the panes and the instruction of the tour below them. Keys are in backticks. */
export function dividedScreen(terminal: Size, instruction: string | undefined): Pick<ScreenState, 'size' | 'tour'> {
  if (instruction === undefined) return {size: terminal, tour: undefined};
  const tour = tourArea(instruction, terminal);
  return {size: {...terminal, rows: terminal.rows - tour.lines.length}, tour};
}

function tourArea(instruction: string, {columns, rows}: Size): TourArea {
  const spans = instruction
    .split('`')
    .map(
      (text, at): UiSpan =>
        at % 2 === 0 ? {text, role: 'text'} : {text: text.replaceAll('-', unbreakable), role: 'hint_key', bold: true},
    );
  const lines = wrapSpans<UiRole>(spans, {width: columns - 2}).slice(0, Math.max(0, rows - minPaneRows));
  const shown = lines.map(({spans: words}) =>
    words.map((one) => ({...one, text: one.text.replaceAll(unbreakable, '-')})),
  );
  return {instruction, lines: shown.map((words) => fittedLine([{text: ' ', role: 'text'}, ...words], columns))};
}

export function terminalSize({size, tour}: Pick<ScreenState, 'size' | 'tour'>): Size {
  return tour === undefined ? size : {...size, rows: size.rows + tour.lines.length};
}

/** The parts of the inbox's pane. Undefined parts are not shown. */
interface InboxLayout {
  readonly tabs: Rect;
  /** The rule across the pane, below the tabs. */
  readonly rule: Rect | undefined;
  /** Everything below the tabs and the rule. */
  readonly body: Rect;
  readonly list: Rect;
  /** The line between list and preview, where they are side by side. */
  readonly divider: Rect | undefined;
  /** The heading of the preview; the messages are below it. */
  readonly heading: Rect | undefined;
  readonly preview: Rect | undefined;
}

/** From this screen width on the preview is beside the list, if the pane has room for both. */
const besideMinColumns = {screen: 100, pane: 72};
const [minInboxColumns, maxInboxColumns] = [34, 58];
/** A lower pane shows only the list. */
const previewMinRows = 12;
const ruleMinRows = 16;

/** Returns the parts of the pane: beside each other, one below the other, or the list alone. */
export function inboxLayout({screen}: Pick<Frame, 'screen'>, pane: Rect): InboxLayout {
  const {x, y, columns, rows} = pane;
  const tabs = {x, y, columns, rows: 1};
  const rule = rows >= ruleMinRows ? {x, y: y + 1, columns, rows: 1} : undefined;
  const top = rule === undefined ? 1 : 2;
  const body = {x, y: y + top, columns, rows: Math.max(1, rows - top)};
  const none = {divider: undefined, heading: undefined, preview: undefined};
  const isAlone = screen.view.kind === 'triage' || screen.panes.isSingle === true;
  if (rows < previewMinRows || isAlone) return {tabs, rule, body, list: body, ...none};
  const isBeside = screen.size.columns >= besideMinColumns.screen && columns >= besideMinColumns.pane;
  return {tabs, rule, body, ...(isBeside ? besideLayout(body) : belowLayout(body))};
}

type BodyLayout = Omit<InboxLayout, 'tabs' | 'rule' | 'body'>;

function besideLayout({x, y, columns, rows}: Rect): BodyLayout {
  const width = Math.max(minInboxColumns, Math.min(maxInboxColumns, Math.floor(columns * 0.42)));
  const left = x + width + 2;
  const shown = {x: left, columns: Math.max(1, columns - width - 2)};
  return {
    list: {x, y, columns: width, rows},
    divider: {x: x + width, y, columns: 1, rows},
    heading: {...shown, y, rows: 1},
    preview: {...shown, y: y + 1, rows: Math.max(1, rows - 1)},
  };
}

/** Positions the preview below the list, which gets a little less than half. */
function belowLayout({x, y, columns, rows}: Rect): BodyLayout {
  const listRows = Math.max(4, Math.floor(rows * 0.46));
  return {
    list: {x, y, columns, rows: listRows},
    divider: undefined,
    heading: {x, y: y + listRows, columns, rows: 1},
    preview: {x, y: y + listRows + 1, columns, rows: Math.max(1, rows - listRows - 1)},
  };
}

/** The parts of triage: one conversation in the whole pane. Undefined parts are not shown. */
type TriageLayout = Pick<InboxLayout, 'heading' | 'rule'> & {readonly preview: Rect};

/** Returns the parts of triage: the messages have priority over the heading, and that over the rule. */
export function triageLayout({x, y, columns, rows}: Rect): TriageLayout {
  const head = Math.min(2, Math.max(0, rows - 1));
  return {
    heading: head > 0 ? {x, y, columns, rows: 1} : undefined,
    rule: head > 1 ? {x, y: y + 1, columns, rows: 1} : undefined,
    preview: {x, y: y + head, columns, rows: rows - head},
  };
}
