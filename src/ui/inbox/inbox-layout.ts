import type {Frame} from '#ui/core/frame.ts';
import type {Rect} from '#ui/layout/layout.ts';

/** The parts of the inbox's pane. Undefined parts are not shown. */
export interface InboxLayout {
  readonly tabs: Rect;
  /** The rule across the pane, below the tabs. */
  readonly rule: Rect | undefined;
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
  if (rows < previewMinRows || screen.view.kind === 'triage') return {tabs, rule, list: body, ...none};
  const isBeside = screen.size.columns >= besideMinColumns.screen && columns >= besideMinColumns.pane;
  return isBeside ? besideLayout(tabs, rule, body) : belowLayout(tabs, rule, body);
}

function besideLayout(tabs: Rect, rule: Rect | undefined, body: Rect): InboxLayout {
  const {x, y, columns, rows} = body;
  const width = Math.max(minListColumns, Math.min(maxListColumns, Math.floor(columns * 0.42)));
  const left = x + width + 2;
  const shown = {x: left, columns: Math.max(1, columns - width - 2)};
  return {
    tabs,
    rule,
    list: {x, y, columns: width, rows},
    divider: {x: x + width, y, columns: 1, rows},
    heading: {...shown, y, rows: 1},
    preview: {...shown, y: y + 1, rows: Math.max(1, rows - 1)},
  };
}

/** Positions the preview below the list, which gets a little less than half. */
function belowLayout(tabs: Rect, rule: Rect | undefined, {x, y, columns, rows}: Rect): InboxLayout {
  const listRows = Math.max(4, Math.floor(rows * 0.46));
  return {
    tabs,
    rule,
    list: {x, y, columns, rows: listRows},
    divider: undefined,
    heading: {x, y: y + listRows, columns, rows: 1},
    preview: {x, y: y + listRows + 1, columns, rows: Math.max(1, rows - listRows - 1)},
  };
}

/** Rows above the messages: the conversation's heading and a rule. */
const triageHeadRows = 2;

/** Returns the place of the messages in triage: everything below the heading. */
export function triagePreviewRect({x, y, columns, rows}: Rect): Rect {
  const head = Math.min(triageHeadRows, Math.max(0, rows - 1));
  return {x, y: y + head, columns, rows: rows - head};
}
