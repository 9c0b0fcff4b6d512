import type {Conversation, ConversationKey} from '#state/model/conversation.ts';
import {conversationNarrow, narrowKey} from '#state/model/narrow.ts';
import {emptyTimeline, type Timeline} from '#state/model/timeline.ts';
import {typingText} from '#state/selectors/people/people.ts';
import {timelineOf} from '#state/selectors/timeline.ts';
import {memoByObject} from '#std/memo.ts';
import type {SortedSet} from '#std/sorted-map.ts';
import type {Frame} from '#ui/core/frame.ts';
import {inboxLayout, type Rect, triageLayout} from '#ui/layout/layout.ts';
import {cursorRow} from '#ui/lists/visible-rows.ts';
import {previewTimeline, type ShownTimeline} from '#ui/message-pane/shown-timeline.ts';
import {screenLayout} from '#ui/screen-layout.ts';
import {inboxList} from './inbox-list.ts';
import {isTriageItem, type TriageItem} from './triage-row.ts';

/** Returns the row under the cursor, when it is a conversation. */
export function triageItemUnderCursor(frame: Frame): TriageItem | undefined {
  const row = cursorRow(frame, inboxList);
  return isTriageItem(row) ? row : undefined;
}

/** Returns the place of the preview on the screen; undefined in other views, and when there is no room for it. */
export function previewRect(frame: Frame): Rect | undefined {
  const {kind} = frame.screen.view;
  const {main} = screenLayout(frame);
  if (kind === 'triage') return triageLayout(main).preview;
  return kind === 'inbox' ? inboxLayout(frame, main).preview : undefined;
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

/** Whether the end of the conversation is on screen. */
export function isAtConversationEnd({window, timeline}: ShownTimeline): boolean {
  return window?.isAtEnd === true && timeline?.hasNewest === true;
}
