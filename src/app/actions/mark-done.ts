import type {App} from '#app/core/app.ts';
import type {ListId} from '#app/core/screen-state.ts';
import {shownConversation} from '#app/core/view.ts';
import {performRowAction, pushNoOpUndo} from '#app/inbox/actions/perform-row-action.ts';
import {groupRowHint, markReadActions} from '#app/inbox/actions/triage-actions.ts';
import {actAndAdvance} from '#app/lists/act-and-advance.ts';
import {focusedList} from '#app/lists/focused-list.ts';
import {openNextUnreadAfter} from '#app/navigation/unread-walk.ts';
import {mainTimelineNow, selectedRow, selectRow} from '#app/timeline/selection.ts';
import {type Conversation, type ConversationKey, conversationKey} from '#state/model/conversation.ts';
import {type ActionTarget, actionTargets, currentConversation, targetsTitle} from './action-target.ts';
import {
  paintedUnreadIds,
  paintedUnreadTopics,
  rowsThatKeyRefersTo,
  rowThatKeyRefersTo,
} from './painted-frame.ts';

/**
 * Done, outside of the inbox: what the screen showed as unread of what is at hand is read, and one goes on. In a list that
 * is to the next row, in a conversation to the next one that waits, in a feed of many to its next unread message.
 */
export function markTargetsDone(app: App): void {
  const id = focusedList(app.screen);
  if (id !== undefined) markListTargetsDone(app, id);
  else markCurrentConversationDone(app);
}

function markListTargetsDone(app: App, id: ListId): void {
  const subjects = actionTargets(app);
  if (subjects.length === 0) {
    const isTitle = rowThatKeyRefersTo(app, id)?.kind === 'title';
    app.toast(isTitle ? groupRowHint : 'No conversation is selected', 'warning');
    return;
  }
  const rows = rowsThatKeyRefersTo(app, id).map(({key}) => key);
  actAndAdvance(app, id, () => {
    const keys = subjects.flatMap((subject) => unreadConversationKeys(app, subject));
    const title = targetsTitle(app.state, subjects);
    if (markRead(app, keys, title)) return;
    pushNoOpUndo(app, rows, title);
    app.toast('Nothing is unread there.');
  });
}

/** The conversations of it that may have something unread. */
export function unreadConversationKeys(app: App, subject: ActionTarget): readonly ConversationKey[] {
  if (subject.kind === 'conversation') return [conversationKey(subject.conversation)];
  return paintedUnreadTopics(app, subject.channelId);
}

/** Exactly what the screen showed as unread; false when that is nothing. */
function markRead(app: App, given: readonly ConversationKey[], title: string): boolean {
  const keys = [...new Set(given)];
  const ids = paintedUnreadIds(app, keys);
  const label = `Marked ${title} read (${ids.length})`;
  performRowAction(app, {actionKind: 'done', keys, actions: markReadActions(ids), label, stays: true});
  return ids.length > 0;
}

export function markConversationDone(app: App, conversation: Conversation): boolean {
  const title = targetsTitle(app.state, [{kind: 'conversation', conversation}]);
  return markRead(app, [conversationKey(conversation)], title);
}

function markCurrentConversationDone(app: App): void {
  const conversation = currentConversation(app);
  if (conversation === undefined) {
    app.toast('No conversation is selected.', 'warning');
    return;
  }
  const isDone = markConversationDone(app, conversation);
  if (!isDone) {
    const title = targetsTitle(app.state, [{kind: 'conversation', conversation}]);
    pushNoOpUndo(app, [conversationKey(conversation)], title);
  }
  const hasGoneOn =
    shownConversation(app.screen) === undefined
      ? selectNextUnreadInFeed(app)
      : openNextUnreadAfter(app, conversation);
  if (!isDone && !hasGoneOn) app.toast('Nothing is unread.');
}

/** Whoever reads many conversations as one goes on there. */
function selectNextUnreadInFeed(app: App): boolean {
  const from = selectedRow(app);
  const {byId} = app.state.unreads;
  const ids = mainTimelineNow(app.frame)?.timeline?.ids;
  if (typeof from !== 'number' || ids === undefined) return false;
  for (const id of ids.from(from + 1)) {
    if (!byId.has(id)) continue;
    selectRow(app, id);
    return true;
  }
  return false;
}
