import type {App} from '#app/core/app.ts';
import type {Conversation} from '#state/model/conversation.ts';
import {conversationNarrow} from '#state/model/narrow.ts';
import {timelineOf} from '#state/selectors/timeline.ts';
import {previewUnderCursor, triageItemUnderCursor} from '#ui/inbox/inbox-preview.ts';
import type {PreviewPosition, ViewedLines} from '#ui/inbox/inbox-state.ts';
import type {ShownTimeline} from '#ui/message-pane/shown-timeline.ts';
import {bottomEdge, type TimelineRows, topEdge} from '#ui/message-pane/timeline-rows.ts';
import type {TopLine} from '#ui/message-pane/timeline-state.ts';
import {type LinePosition, movedByLines} from '#ui/message-pane/timeline-window.ts';

/** Whether the painted preview is that of the row under the cursor, at the current scroll position. */
export function isPreviewPainted({frame, frames}: App): boolean {
  const {paintedFrame} = frames;
  return (
    !paintedFrame.screen.isFirstFrame &&
    paintedFrame.screen.size === frame.screen.size &&
    paintedFrame.screen.view === frame.screen.view &&
    paintedFrame.screen.inbox.preview === frame.screen.inbox.preview &&
    triageItemUnderCursor(paintedFrame)?.key === triageItemUnderCursor(frame)?.key
  );
}

/** Scrolls by a page; two lines overlap. */
export function pageInboxPreview(app: App, step: 1 | -1): void {
  scrollInboxPreview(app, (height) => step * Math.max(1, height - 2));
}

/** Scrolls by lines and fetches what is not loaded yet. At the end nothing moves. */
export function scrollInboxPreview(app: App, by: (height: number) => number): void {
  const now = previewUnderCursor(app.frame);
  const window = now?.shown.window;
  const rows = now?.shown.rows;
  if (now === undefined || window === undefined || rows === undefined) return;
  const lines = by(now.shown.height);
  const isAtBottom = lines > 0 && window.isAtEnd;
  const top = isAtBottom ? undefined : topLine(rows, movedByLines(rows, window.start, lines));
  if (top !== undefined) setPreviewPosition(app, {key: now.row.key, top, viewed: viewedSoFar(app)});
  else freezeInboxOrder(app);
  fetchMore(app, lines);
}

/** Returns the lines viewed so far, including those on screen. */
export function viewedSoFar(app: App): ViewedLines {
  const {paintedFrame} = app.frames;
  const {preview} = app.screen.inbox;
  const painted = previewUnderCursor(paintedFrame);
  const before = preview?.key === painted?.row.key ? preview?.viewed : undefined;
  return painted !== undefined && isPreviewPainted(app)
    ? withViewedLines(before, painted.shown)
    : (before ?? noViewedLines);
}

export function setPreviewPosition(app: App, preview: PreviewPosition): void {
  app.setIn('inbox', {preview});
}

/** Fetches more when the end of the loaded messages is on screen, or would be after the next page. */
function fetchMore(app: App, lines: number): void {
  const now = previewUnderCursor(app.frame);
  if (now === undefined) return;
  const {window, timeline, rows, height} = now.shown;
  if (window === undefined || rows === undefined) return;
  const isNearEnd = window.isAtEnd || movedByLines(rows, window.start, 2 * height).key === bottomEdge;
  const narrow = conversationNarrow(now.row.conversation);
  const {timelines} = app.session;
  if (lines > 0 && isNearEnd && timeline?.hasNewest === false) {
    fetchNextPage(app, now.row.conversation);
  }
  if (lines < 0 && window.isAtStart && timeline?.hasOldest === false) {
    timelines.loadOlder(narrow).catch(() => {});
  }
}

/** Fetches the page after the loaded messages; the first one when there are none. */
export function fetchNextPage(app: App, conversation: Conversation): void {
  const narrow = conversationNarrow(conversation);
  const {timelines} = app.session;
  const isLoaded = (timelineOf(app.state, narrow)?.ids.size ?? 0) > 0;
  const fetch: Promise<unknown> = isLoaded ? timelines.loadNewer(narrow) : timelines.open(narrow, 'firstUnread');
  fetch.catch(() => {});
}

/** Returns the top line relative to a message, so that messages loaded around it move nothing. */
function topLine(rows: TimelineRows, {key, line}: LinePosition): TopLine | undefined {
  const id = key === topEdge ? rows.first() : key === bottomEdge ? rows.last() : key;
  if (id === undefined) return undefined;
  const {lines, lead} = rows.block(id);
  if (key === topEdge) return {id, skippedLines: line - rows.block(topEdge).lines.length - lead};
  return {id, skippedLines: key === bottomEdge ? lines.length - lead - 1 : line - lead};
}

const noViewedLines: ViewedLines = {columns: 0, lines: new Map()};

/** The line count of a message that was viewed completely. */
const allLines = Number.POSITIVE_INFINITY;

/**
 * Returns the lines viewed before and those on screen now. For messages laid out at another width, only
 * completely viewed ones still count.
 */
function withViewedLines(before: ViewedLines | undefined, {window, rows, typeset}: ShownTimeline): ViewedLines {
  const {columns} = typeset.measures;
  const stillValid = [...(before?.lines ?? [])].filter(
    ([, viewed]) => before?.columns === columns || viewed === allLines,
  );
  const lines = new Map(stillValid);
  if (window === undefined || rows === undefined) return {columns, lines};
  for (const {key, first, last, isCutAbove, isCutBelow} of window.rows) {
    const from = isCutAbove ? window.start.line - rows.block(key).lead : 0;
    const viewed = lines.get(key) ?? 0;
    if (from > viewed) continue;
    lines.set(key, isCutBelow ? Math.max(viewed, from + last - first + 1) : allLines);
  }
  return {columns, lines};
}

/** Returns the first of these messages that was not viewed completely. */
export function firstUnviewedMessage({lines}: ViewedLines, ids: Iterable<number>): number | undefined {
  for (const id of ids) if (lines.get(id) !== allLines) return id;
  return undefined;
}

/** Returns how many lines of a message were viewed. */
export function viewedLineCount({lines}: ViewedLines, id: number): number {
  return lines.get(id) ?? 0;
}

/** Freezes the order of the rows: the user has started, even if only to read. */
export function freezeInboxOrder(app: App): void {
  app.update((now) => (now.inbox.isOrderFrozen ? now : {...now, inbox: {...now.inbox, isOrderFrozen: true}}));
}
