import type {App} from '#app/core/app.ts';
import type {Frame} from '#app/core/frame.ts';
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
} from '#app/inbox/inbox-preview.ts';
import type {ViewedLines} from '#app/inbox/inbox-state.ts';
import {firstUnviewedMessage, viewedLineCount} from '#app/inbox/viewed-lines.ts';
import {openConversation} from '#app/navigation/navigation.ts';
import {conversationNarrow} from '#state/model/narrow.ts';
import {markInboxRowsDone} from './triage-actions.ts';

/**
 * The next page of the preview; at its end, done. Only what was painted counts: keys that come faster than pictures turn no
 * page, and a conversation is done only when every line of all that is unread in it was in sight.
 */
export function pageOrMarkDone(app: App): void {
  const row = triageItemUnderCursor(app.frame);
  if (row === undefined) {
    app.toast('This is a group · Enter shows it, X marks all of it read');
    return;
  }
  const now = previewUnderCursor(app.frames.paintedFrame);
  if (previewUnderCursor(app.frame) === undefined) openConversation(app, row.conversation);
  else if (now !== undefined && isPreviewPainted(app)) turnPage(app, now);
}

function turnPage(app: App, now: CursorPreview): void {
  const {row, shown} = now;
  const seen = viewedSoFar(app);
  const missed = firstUnviewedMessage(seen, unreadIds(app.frames.paintedFrame, now));
  if (shown.window === undefined) {
    fetchNextPage(app, row.conversation);
    app.toast('These messages are not here yet · e marks them read all the same', 'warning');
  } else if (!isAtConversationEnd(shown)) {
    pageInboxPreview(app, 1);
    if (shown.window.isAtEnd)
      app.toast('What follows is not here yet · e marks it read all the same', 'warning');
  } else if (missed !== undefined) {
    showMissedMessage(app, now, seen, missed);
  } else if (app.settings.readOn === 'advance') {
    markInboxRowsDone(app, [row]);
  } else {
    app.toast('This is the end · e done');
  }
}

function unreadIds({account}: Frame, {row}: CursorPreview): Iterable<number> {
  return account.unreads.conversations.get(row.key)?.ids ?? [];
}

/** At the end with something unread that was not in sight: it came between, or it is above what is loaded. */
function showMissedMessage(app: App, {row, shown}: CursorPreview, seen: ViewedLines, missed: number): void {
  setPreviewPosition(app, {
    key: row.key,
    top: {id: missed, skippedLines: viewedLineCount(seen, missed)},
    viewed: seen,
  });
  if (shown.rows?.has(missed) === true) {
    app.toast('This was not in sight yet · Space reads on');
    return;
  }
  app.session.timelines.open(conversationNarrow(row.conversation), missed).catch(() => {});
  app.toast('Some of it is not here yet · e marks it read all the same', 'warning');
}
