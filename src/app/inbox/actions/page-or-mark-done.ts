import type {App} from '#app/core/app.ts';
import type {Frame} from '#app/core/frame.ts';
import {
  fetchOn,
  hasPainted,
  isAtEnd,
  type PreviewNow,
  pagePreview,
  previewNow,
  seenSoFar,
  showInPreview,
  triagedRow,
} from '#app/inbox/inbox-preview.ts';
import type {Seen} from '#app/inbox/inbox-state.ts';
import {firstUnseen, seenLines} from '#app/inbox/viewed-lines.ts';
import {openConversation} from '#app/navigation/navigation.ts';
import {conversationNarrow} from '#state/model/narrow.ts';
import {markDone} from './triage-actions.ts';

/**
 * The next page of the preview; at its end, done. Only what was painted counts: keys that come faster than pictures turn no
 * page, and a conversation is done only when every line of all that is unread in it was in sight.
 */
export function readOn(app: App): void {
  const row = triagedRow(app.frame);
  if (row === undefined) {
    app.toast('This is a group · Enter shows it, X marks all of it read');
    return;
  }
  const now = previewNow(app.frames.current);
  if (previewNow(app.frame) === undefined) openConversation(app, row.conversation);
  else if (now !== undefined && hasPainted(app)) turn(app, now);
}

function turn(app: App, now: PreviewNow): void {
  const {row, shown} = now;
  const seen = seenSoFar(app);
  const missed = firstUnseen(seen, unreadIds(app.frames.current, now));
  if (shown.window === undefined) {
    fetchOn(app, row.conversation);
    app.toast('These messages are not here yet · e marks them read all the same', 'warning');
  } else if (!isAtEnd(shown)) {
    pagePreview(app, 1);
    if (shown.window.isAtEnd)
      app.toast('What follows is not here yet · e marks it read all the same', 'warning');
  } else if (missed !== undefined) {
    goBack(app, now, seen, missed);
  } else if (app.settings.readOn === 'advance') {
    markDone(app, [row]);
  } else {
    app.toast('This is the end · e done');
  }
}

function unreadIds({account}: Frame, {row}: PreviewNow): Iterable<number> {
  return account.unreads.conversations.get(row.key)?.ids ?? [];
}

/** At the end with something unread that was not in sight: it came between, or it is above what is loaded. */
function goBack(app: App, {row, shown}: PreviewNow, seen: Seen, missed: number): void {
  showInPreview(app, {key: row.key, top: {id: missed, skippedLines: seenLines(seen, missed)}, seen});
  if (shown.rows?.has(missed) === true) {
    app.toast('This was not in sight yet · Space reads on');
    return;
  }
  app.session.timelines.open(conversationNarrow(row.conversation), missed).catch(() => {});
  app.toast('Some of it is not here yet · e marks it read all the same', 'warning');
}
