import {markOlderReadAction} from '#state/actions/mark-read.ts';
import type {ConversationKey} from '#state/model/conversation.ts';
import {everythingNarrow} from '#state/model/narrow.ts';
import type {App} from '#ui/core/app.ts';
import {countedNoun} from '#ui/format/counted-noun.ts';
import {markedReadLabel} from '#ui/inbox/actions/mark-inbox-group-done.ts';
import {performRowAction} from '#ui/inbox/actions/perform-row-action.ts';
import {markReadActions} from '#ui/inbox/actions/triage-actions.ts';
import {focusedList} from '#ui/lists/focused-list.ts';
import {confirm} from '#ui/overlays/confirm.ts';
import {reportOlderReadOutcome} from './mark-older-read.ts';
import {paintedUnreadIds} from './painted-frame.ts';

/** What was unread on the screen when the user asked. */
interface UnreadOnScreen {
  readonly ids: readonly number[];
  readonly keys: readonly ConversationKey[];
  /** The newest message then, where the server may have older unread messages that it has not listed. */
  readonly olderUpTo: number | undefined;
}

/** Asks, and marks everything read that was unread when the user asked; later messages stay unread. */
export function askToMarkAllRead(app: App): void {
  const {account} = app.frames.paintedFrame;
  const ids = paintedUnreadIds(app, [...account.unreads.conversations.keys()]);
  const {byId, oldMissing} = app.state.unreads;
  const keys = [...new Set(ids.flatMap((id) => byId.get(id) ?? []))];
  if (ids.length === 0 && !oldMissing) {
    app.toast('Nothing is unread.');
    return;
  }
  const unread: UnreadOnScreen = {ids, keys, olderUpTo: oldMissing ? account.maxMessageId : undefined};
  const count = countedNoun(ids.length, 'unread message');
  confirm(app, {
    title: 'Mark all messages as read?',
    yes: `Mark ${oldMissing ? `${count} and older ones` : count} as read`,
    detail: `in ${countedNoun(keys.length, 'conversation')}, muted ones too`,
    onYes: (from) => markAllRead(from, unread),
  });
}

/** Marks known and older messages as one change, which one key undoes. */
function markAllRead(app: App, {ids, keys, olderUpTo}: UnreadOnScreen): void {
  const older =
    olderUpTo === undefined ? undefined : markOlderReadAction(app.session.context, everythingNarrow, olderUpTo);
  const isDone = performRowAction(app, {
    actionKind: 'done',
    keys,
    actions: [...markReadActions(ids), ...(older === undefined ? [] : [older])],
    label: markedReadLabel('everything', ids, keys),
    stays: focusedList(app.screen) !== 'inbox',
  });
  if (isDone && older !== undefined) void reportOlderReadOutcome(app, older.id, 'everything');
}
