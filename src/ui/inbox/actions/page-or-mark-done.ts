import {conversationNarrow} from '#state/model/narrow.ts';
import type {App} from '#ui/core/app.ts';
import type {Frame} from '#ui/core/frame.ts';
import {
  type CursorPreview,
  fetchNextPage,
  isAtConversationEnd,
  isPreviewPainted,
  pageInboxPreview,
  previewUnderCursor,
  setPreviewPosition,
  triageItemUnderCursor,
  viewedSoFar,
} from '#ui/inbox/inbox-preview.ts';
import type {ViewedLines} from '#ui/inbox/inbox-state.ts';
import {firstUnviewedMessage, viewedLineCount} from '#ui/inbox/viewed-lines.ts';
import {openConversation} from '#ui/navigation/navigation.ts';
import {markInboxRowsDone} from './triage-actions.ts';

/**
 * Shows the next page of the preview; at its end marks the conversation done. Only painted lines count: keys
 * that arrive faster than paints turn no page, and a conversation is done only when every line of its unread
 * messages was on screen.
 */
export function pageOrMarkDone(app: App): void {
  const row = triageItemUnderCursor(app.frame);
  if (row === undefined) {
    app.toast('This is a group · Enter unfolds it, X marks all read');
    return;
  }
  const preview = previewUnderCursor(app.frames.paintedFrame);
  if (previewUnderCursor(app.frame) === undefined) openConversation(app, row.conversation);
  else if (preview !== undefined && isPreviewPainted(app)) turnPage(app, preview);
}

function turnPage(app: App, preview: CursorPreview): void {
  const {row, shown} = preview;
  const viewed = viewedSoFar(app);
  const unviewedId = firstUnviewedMessage(viewed, unreadIds(app.frames.paintedFrame, preview));
  if (shown.window === undefined) {
    fetchNextPage(app, row.conversation);
    app.toast('Messages still loading · e marks them read anyway', 'warning');
  } else if (!isAtConversationEnd(shown)) {
    pageInboxPreview(app, 1);
    if (shown.window.isAtEnd) app.toast('Next messages still loading · e marks them read anyway', 'warning');
  } else if (unviewedId !== undefined) {
    showMissedMessage(app, preview, viewed, unviewedId);
  } else if (app.settings.readOn === 'advance') {
    markInboxRowsDone(app, [row]);
  } else {
    app.toast('End of conversation · e marks it read');
  }
}

function unreadIds({account}: Frame, {row}: CursorPreview): Iterable<number> {
  return account.unreads.conversations.get(row.key)?.ids ?? [];
}

/**
 * Shows an unread message that was never on screen although the end is: it arrived meanwhile, or is above the
 * loaded messages.
 */
function showMissedMessage(app: App, {row, shown}: CursorPreview, viewed: ViewedLines, unviewedId: number): void {
  setPreviewPosition(app, {
    key: row.key,
    top: {id: unviewedId, skippedLines: viewedLineCount(viewed, unviewedId)},
    viewed,
  });
  if (shown.rows?.has(unviewedId) === true) {
    app.toast('Not shown before · Space continues');
    return;
  }
  app.session.timelines.open(conversationNarrow(row.conversation), unviewedId).catch(() => {});
  app.toast('Some messages still loading · e marks them read anyway', 'warning');
}
