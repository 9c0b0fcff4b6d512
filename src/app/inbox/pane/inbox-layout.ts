import type {Frame} from '#app/core/frame.ts';
import type {Rect} from '#app/layout/layout.ts';

/** Where things are in the pane of the inbox. What is undefined is not shown. */
export interface InboxLayout {
  readonly tabs: Rect;
  /** Across the pane, below the tabs. */
  readonly rule: Rect | undefined;
  readonly list: Rect;
  /** Between list and preview, where they are side by side. */
  readonly divider: Rect | undefined;
  /** The heading of the preview, and the messages below it. */
  readonly heading: Rect | undefined;
  readonly preview: Rect | undefined;
}

/** From this width of the screen on the preview is beside the list, if the pane has room for both. */
const besideFrom = {screen: 100, pane: 72};
const [leastList, mostList] = [34, 58];
/** In a lower pane there is only the list. */
const previewFrom = 12;
const ruleFrom = 16;

export function inboxLayout({screen}: Pick<Frame, 'screen'>, pane: Rect): InboxLayout {
  const {x, y, columns, rows} = pane;
  const tabs = {x, y, columns, rows: 1};
  const rule = rows >= ruleFrom ? {x, y: y + 1, columns, rows: 1} : undefined;
  const top = rule === undefined ? 1 : 2;
  const body = {x, y: y + top, columns, rows: Math.max(1, rows - top)};
  const none = {divider: undefined, heading: undefined, preview: undefined};
  if (rows < previewFrom || screen.view.kind === 'triage') return {tabs, rule, list: body, ...none};
  const isBeside = screen.size.columns >= besideFrom.screen && columns >= besideFrom.pane;
  return isBeside ? beside(tabs, rule, body) : below(tabs, rule, body);
}

function beside(tabs: Rect, rule: Rect | undefined, body: Rect): InboxLayout {
  const {x, y, columns, rows} = body;
  const width = Math.max(leastList, Math.min(mostList, Math.floor(columns * 0.42)));
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

/** The list gets a little less than half. */
function below(tabs: Rect, rule: Rect | undefined, {x, y, columns, rows}: Rect): InboxLayout {
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
