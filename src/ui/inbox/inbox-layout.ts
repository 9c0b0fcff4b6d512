import type {Frame} from '#ui/core/frame.ts';
import type {Rect} from '#ui/layout/layout.ts';

/** The parts of the inbox's pane. Undefined parts are not shown. */
export interface InboxLayout {
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
const [minListColumns, maxListColumns] = [34, 58];
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
  const width = Math.max(minListColumns, Math.min(maxListColumns, Math.floor(columns * 0.42)));
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
export type TriageLayout = Pick<InboxLayout, 'heading' | 'rule'> & {readonly preview: Rect};

/** Returns the parts of triage: the messages have priority over the heading, and that over the rule. */
export function triageLayout({x, y, columns, rows}: Rect): TriageLayout {
  const head = Math.min(2, Math.max(0, rows - 1));
  return {
    heading: head > 0 ? {x, y, columns, rows: 1} : undefined,
    rule: head > 1 ? {x, y: y + 1, columns, rows: 1} : undefined,
    preview: {x, y: y + head, columns, rows: rows - head},
  };
}
