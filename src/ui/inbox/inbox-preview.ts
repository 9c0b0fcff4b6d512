import type {Conversation, ConversationKey} from '#state/model/conversation.ts';
import {conversationNarrow, narrowKey} from '#state/model/narrow.ts';
import {emptyTimeline, type Timeline} from '#state/model/timeline.ts';
import {typingText} from '#state/selectors/people/people.ts';
import {timelineOf} from '#state/selectors/timeline.ts';
import {memoByObject} from '#std/memo.ts';
import type {SortedSet} from '#std/sorted-map.ts';
import type {App} from '#ui/core/app.ts';
import type {Frame} from '#ui/core/frame.ts';
import {inboxLayout, type Rect, triageLayout} from '#ui/layout/layout.ts';
import {screenLayout} from '#ui/layout/screen-layout.ts';
import {cursorRow} from '#ui/lists/visible-rows.ts';
import type {ShownTimeline} from '#ui/message-pane/shown-timeline.ts';
import {previewTimeline} from '#ui/message-pane/shown-timeline.ts';
import {bottomEdge, type TimelineRows, topEdge} from '#ui/message-pane/timeline-rows.ts';
import type {TopLine} from '#ui/message-pane/timeline-state.ts';
import {type LinePosition, movedByLines} from '#ui/message-pane/timeline-window.ts';
import type {PreviewPosition, ViewedLines} from './inbox-state.ts';
import {isTriageItem, type TriageItem} from './triage-row.ts';

/** Returns the row under the cursor, when it is a conversation. */
export function triageItemUnderCursor(frame: Frame): TriageItem | undefined {
  const row = cursorRow(frame, 'inbox');
  return isTriageItem(row) ? row : undefined;
}

/** Returns the place of the preview on the screen; undefined when there is no room for it. */
export function previewRect(frame: Frame): Rect | undefined {
  const {main} = screenLayout(frame);
  return frame.screen.view.kind === 'triage' ? triageLayout(main).preview : inboxLayout(frame, main).preview;
}

/**
 * Returns the messages of a conversation, from a little before the first unread one, or from where the user
 * scrolled to.
 */
function shownInboxPreview(
  frame: Frame,
  {key, conversation}: {readonly key: ConversationKey; readonly conversation: Conversation},
  rect: Pick<Rect, 'columns' | 'rows'>,
): ShownTimeline {
  const {account, screen} = frame;
  const ids = account.unreads.conversations.get(key)?.ids;
  const {preview} = screen.inbox;
  return previewTimeline(withCachedTimeline(frame, key, conversation), {
    narrow: conversationNarrow(conversation),
    rect,
    top: preview?.key === key ? preview.top : undefined,
    firstUnread: ids?.first(),
    unreadCount: ids?.size ?? 0,
  });
}

/** Returns a frame with the cached messages of a conversation as its timeline, until the conversation is fetched. */
function withCachedTimeline(frame: Frame, key: ConversationKey, conversation: Conversation): Frame {
  const {account} = frame;
  const narrow = conversationNarrow(conversation);
  const fetched = timelineOf(account, narrow);
  const ids = account.messages.byConversation.get(key);
  const isFetched = fetched !== undefined && (fetched.ids.size > 0 || fetched.hasNewest);
  if (isFetched || ids === undefined) return frame;
  const timeline = timelineOfCached(ids, conversation, fetched, account.connection.phase === 'online');
  return {...frame, account: {...account, timelines: account.timelines.with(narrowKey(narrow), timeline)}};
}

/** Returns a timeline of cached messages. There may be gaps, so it has no ends: it must not count as complete. */
const timelineOfCached = memoByObject(
  (ids: SortedSet<number>, conversation: Conversation, fetched: Timeline | undefined, isOnline: boolean): Timeline => {
    const problem = fetched?.loading === undefined ? fetched?.problem : undefined;
    const loading = isOnline && problem === undefined ? 'newer' : undefined;
    return {...emptyTimeline(conversationNarrow(conversation)), ids, loading, problem};
  },
);

/** The row under the cursor with its preview. */
export interface CursorPreview {
  readonly row: TriageItem;
  readonly shown: ShownTimeline;
  /** Whether the last line of the pane is for typing indicators and the number of further messages. */
  readonly hasNotice: boolean;
}

/** A lower pane has no notice line: every line is for messages. */
const noticeMinRows = 4;

/** Returns the preview of the row under the cursor, one line shorter where a notice is shown below it. */
export function cursorPreview(frame: Frame, rect: Pick<Rect, 'columns' | 'rows'>): CursorPreview | undefined {
  const row = triageItemUnderCursor(frame);
  if (row === undefined) return undefined;
  const shown = shownInboxPreview(frame, row, rect);
  const hasNoTyping = typingText(frame.account, row.conversation) === '';
  if (rect.rows < noticeMinRows || (hasNoTyping && (isAtConversationEnd(shown) || shown.window === undefined))) {
    return {row, shown, hasNotice: false};
  }
  const {columns, rows} = rect;
  return {row, shown: shownInboxPreview(frame, row, {columns, rows: rows - 1}), hasNotice: true};
}

/** Selects the messages of the row under the cursor. The first frame has none: it must not wait for them. */
export function previewedMessages(frame: Frame, rect: Rect): ShownTimeline | undefined {
  return frame.screen.isFirstFrame ? undefined : cursorPreview(frame, rect)?.shown;
}

/** Returns the preview of the row under the cursor as it is on the screen. */
export function previewUnderCursor(frame: Frame): CursorPreview | undefined {
  const rect = previewRect(frame);
  return rect && cursorPreview(frame, rect);
}

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

/** Whether the end of the conversation is on screen. */
export function isAtConversationEnd({window, timeline}: ShownTimeline): boolean {
  return window?.isAtEnd === true && timeline?.hasNewest === true;
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
  app.update((screen) => ({...screen, inbox: {...screen.inbox, preview}}));
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
