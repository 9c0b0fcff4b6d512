import type {App} from '#app/core/app.ts';
import type {Frame} from '#app/core/frame.ts';
import {inboxLayout} from '#app/inbox/pane/inbox-layout.ts';
import type {Rect} from '#app/layout/layout.ts';
import {screenLayout} from '#app/layout/screen-layout.ts';
import {cursorRow} from '#app/lists/visible-rows.ts';
import {previewTimeline} from '#app/timeline/message-pane.ts';
import type {ShownTimeline} from '#app/timeline/shown-timeline.ts';
import {bottomEdge, type TimelineRows, topEdge} from '#app/timeline/timeline-rows.ts';
import type {TopLine} from '#app/timeline/timeline-state.ts';
import {type LinePosition, movedByLines} from '#app/timeline/timeline-window.ts';
import type {Conversation, ConversationKey} from '#state/model/conversation.ts';
import {conversationNarrow, type Narrow, narrowKey} from '#state/model/narrow.ts';
import {emptyTimeline, type Timeline} from '#state/model/timeline.ts';
import {typingText} from '#state/selectors/people/typing-text.ts';
import {timelineOf} from '#state/selectors/timeline.ts';
import type {SortedSet} from '#std/sorted-map.ts';
import type {PreviewPosition, ViewedLines} from './inbox-state.ts';
import {settleInboxOrder} from './settle-order.ts';
import {triagePreviewRect} from './triage-parts.ts';
import {isTriageItem, type TriageItem} from './triage-row.ts';
import {noViewedLines, withViewedLines} from './viewed-lines.ts';

/** The row with the cursor, when it is a conversation. */
export function triageItemUnderCursor(frame: Frame): TriageItem | undefined {
  const row = cursorRow(frame, 'inbox');
  return isTriageItem(row) ? row : undefined;
}

/** Where the preview is on the screen now; undefined when there is no room for it. */
export function previewRect(frame: Frame): Rect | undefined {
  const {main} = screenLayout(frame);
  return frame.screen.view.kind === 'triage' ? triagePreviewRect(main) : inboxLayout(frame, main).preview;
}

/** The messages of a conversation, from the first unread one with a little before it, or from where somebody paged to. */
export function shownInboxPreview(
  frame: Frame,
  {key, conversation}: {readonly key: ConversationKey; readonly conversation: Conversation},
  rect: Pick<Rect, 'columns' | 'rows'>,
): ShownTimeline {
  const {account, screen} = frame;
  const ids = account.unreads.conversations.get(key)?.ids;
  const {preview} = screen.inbox;
  const narrow = conversationNarrow(conversation);
  return previewTimeline(withLoaded(frame, key, narrow), {
    narrow,
    rect,
    top: preview?.key === key ? preview.top : undefined,
    firstUnread: ids?.first(),
    unreadCount: ids?.size ?? 0,
  });
}

interface CachedTimeline {
  readonly fetched: Timeline | undefined;
  readonly isOnline: boolean;
  readonly timeline: Timeline;
}

const loadedTimelines = new WeakMap<SortedSet<number>, CachedTimeline>();

/** Until the conversation is fetched, what is known of it from elsewhere: from the disk, from other views. */
function withLoaded(frame: Frame, key: ConversationKey, narrow: Narrow): Frame {
  const {account} = frame;
  const fetched = timelineOf(account, narrow);
  const ids = account.messages.byConversation.get(key);
  const isThere = fetched !== undefined && (fetched.ids.size > 0 || fetched.hasNewest);
  if (isThere || ids === undefined) return frame;
  const isOnline = account.connection.phase === 'online';
  const known = loadedTimelines.get(ids);
  const isKnown = known?.fetched === fetched && known?.isOnline === isOnline;
  const timeline = isKnown ? known.timeline : loadedTimeline(narrow, ids, fetched, isOnline);
  if (!isKnown) loadedTimelines.set(ids, {fetched, isOnline, timeline});
  const timelines = account.timelines.with(narrowKey(narrow), timeline);
  return {...frame, account: {...account, timelines}};
}

/** There may be holes in it: it has no end, so that nobody takes it for all there is. */
function loadedTimeline(
  narrow: Narrow,
  ids: SortedSet<number>,
  fetched: Timeline | undefined,
  isOnline: boolean,
): Timeline {
  const problem = fetched?.loading === undefined ? fetched?.problem : undefined;
  const loading = isOnline && problem === undefined ? 'newer' : undefined;
  return {...emptyTimeline(narrow), ids, loading, problem};
}

export interface InboxPreview {
  readonly shown: ShownTimeline;
  /** The last line of the pane says who writes, or that there is more. */
  readonly hasNotice: boolean;
}

/** In a lower pane every line is for messages. */
const noticeFrom = 4;

export function previewWithNotice(
  frame: Frame,
  item: TriageItem,
  rect: Pick<Rect, 'columns' | 'rows'>,
): InboxPreview {
  const whole = shownInboxPreview(frame, item, rect);
  const isQuiet = typingText(frame.account, item.conversation) === '';
  if (rect.rows < noticeFrom || (isQuiet && (isAtConversationEnd(whole) || whole.window === undefined))) {
    return {shown: whole, hasNotice: false};
  }
  const {columns, rows} = rect;
  return {shown: shownInboxPreview(frame, item, {columns, rows: rows - 1}), hasNotice: true};
}

export interface CursorPreview {
  readonly row: TriageItem;
  readonly shown: ShownTimeline;
}

/** What a key in the preview is about: the preview as it is shown now. */
export function previewUnderCursor(frame: Frame): CursorPreview | undefined {
  const row = triageItemUnderCursor(frame);
  const rect = previewRect(frame);
  if (row === undefined || rect === undefined) return undefined;
  return {row, shown: previewWithNotice(frame, row, rect).shown};
}

/** The preview on the screen is that of the row under the cursor, at the place where one is. */
export function isPreviewPainted({frame, frames}: App): boolean {
  const {paintedFrame: current} = frames;
  return (
    !current.screen.isFirstFrame &&
    current.screen.size === frame.screen.size &&
    current.screen.view === frame.screen.view &&
    current.screen.inbox.preview === frame.screen.inbox.preview &&
    triageItemUnderCursor(current)?.key === triageItemUnderCursor(frame)?.key
  );
}

/** The end of the conversation is in sight. */
export function isAtConversationEnd({window, timeline}: ShownTimeline): boolean {
  return window?.isAtEnd === true && timeline?.hasNewest === true;
}

/** Two lines of a page are seen again, to go on from. */
export function pageInboxPreview(app: App, step: 1 | -1): void {
  scrollInboxPreview(app, (height) => step * Math.max(1, height - 2));
}

/** So many lines up or down; what is not loaded yet is asked for. Below the end there is nothing, and nothing moves. */
export function scrollInboxPreview(app: App, by: (height: number) => number): void {
  const now = previewUnderCursor(app.frame);
  const window = now?.shown.window;
  const rows = now?.shown.rows;
  if (now === undefined || window === undefined || rows === undefined) return;
  const lines = by(now.shown.height);
  const isStuck = lines > 0 && window.isAtEnd;
  const top = isStuck ? undefined : topLine(rows, movedByLines(rows, window.start, lines));
  if (top !== undefined) setPreviewPosition(app, {key: now.row.key, top, viewed: viewedSoFar(app)});
  else settleInboxOrder(app);
  askForMore(app, lines);
}

/** With what is on the screen now. */
export function viewedSoFar(app: App): ViewedLines {
  const {paintedFrame: current} = app.frames;
  const {preview} = app.screen.inbox;
  const painted = previewUnderCursor(current);
  const before = preview?.key === painted?.row.key ? preview?.viewed : undefined;
  return painted !== undefined && isPreviewPainted(app)
    ? withViewedLines(before, painted.shown)
    : (before ?? noViewedLines);
}

export function setPreviewPosition(app: App, preview: PreviewPosition): void {
  app.update((screen) => ({...screen, inbox: {...screen.inbox, preview}}));
}

/** When the end of what is loaded is in sight, or would be with the next page, more is asked for. */
function askForMore(app: App, lines: number): void {
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

/** The page after what is there; the first one where nothing is. */
export function fetchNextPage(app: App, conversation: Conversation): void {
  const narrow = conversationNarrow(conversation);
  const {timelines} = app.session;
  const isBegun = (timelineOf(app.state, narrow)?.ids.size ?? 0) > 0;
  const fetch: Promise<unknown> = isBegun
    ? timelines.loadNewer(narrow)
    : timelines.open(narrow, 'firstUnread');
  fetch.catch(() => {});
}

/** Named by a message, so that what is loaded around it moves nothing. */
function topLine(rows: TimelineRows, {key, line}: LinePosition): TopLine | undefined {
  const id = key === topEdge ? rows.first() : key === bottomEdge ? rows.last() : key;
  if (id === undefined) return undefined;
  const {lines, lead} = rows.block(id);
  if (key === topEdge) return {id, skippedLines: line - rows.block(topEdge).lines.length - lead};
  return {id, skippedLines: key === bottomEdge ? lines.length - lead - 1 : line - lead};
}
