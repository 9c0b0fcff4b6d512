import type {App} from '#app/core/app.ts';
import type {ListId} from '#app/core/screen-state.ts';
import {shownConversation} from '#app/core/view.ts';
import {act, noteNothing} from '#app/inbox/actions/perform-row-action.ts';
import {groupWords, readAction} from '#app/inbox/actions/triage-actions.ts';
import {doAndGoOn} from '#app/lists/act-and-advance.ts';
import {focusedList} from '#app/lists/focused-list.ts';
import {goOnFrom} from '#app/navigation/unread-walk.ts';
import {selectedRow, selectRow, timelineNow} from '#app/timeline/selection.ts';
import {type Conversation, type ConversationKey, conversationKey} from '#state/model/conversation.ts';
import {conversationAtHand, type Subject, subjectsOf, subjectsTitle} from './action-target.ts';
import {seenRow, seenRows, seenTopics, seenUnread} from './painted-frame.ts';

/**
 * Done, outside of the inbox: what the screen showed as unread of what is at hand is read, and one goes on. In a list that
 * is to the next row, in a conversation to the next one that waits, in a feed of many to its next unread message.
 */
export function finish(app: App): void {
  const id = focusedList(app.screen);
  if (id !== undefined) finishRows(app, id);
  else finishConversation(app);
}

function finishRows(app: App, id: ListId): void {
  const subjects = subjectsOf(app);
  if (subjects.length === 0) {
    const isTitle = seenRow(app, id)?.kind === 'title';
    app.toast(isTitle ? groupWords : 'No conversation is selected', 'warning');
    return;
  }
  const rows = seenRows(app, id).map(({key}) => key);
  doAndGoOn(app, id, () => {
    const keys = subjects.flatMap((subject) => unreadKeys(app, subject));
    const title = subjectsTitle(app.state, subjects);
    if (markRead(app, keys, title)) return;
    noteNothing(app, rows, title);
    app.toast('Nothing is unread there.');
  });
}

/** The conversations of it that may have something unread. */
export function unreadKeys(app: App, subject: Subject): readonly ConversationKey[] {
  if (subject.kind === 'conversation') return [conversationKey(subject.conversation)];
  return seenTopics(app, subject.channelId);
}

/** Exactly what the screen showed as unread; false when that is nothing. */
function markRead(app: App, given: readonly ConversationKey[], title: string): boolean {
  const keys = [...new Set(given)];
  const ids = seenUnread(app, keys);
  const label = `Marked ${title} read (${ids.length})`;
  act(app, {verb: 'done', keys, actions: readAction(ids), label, stays: true});
  return ids.length > 0;
}

export function markConversationDone(app: App, conversation: Conversation): boolean {
  const title = subjectsTitle(app.state, [{kind: 'conversation', conversation}]);
  return markRead(app, [conversationKey(conversation)], title);
}

function finishConversation(app: App): void {
  const conversation = conversationAtHand(app);
  if (conversation === undefined) {
    app.toast('No conversation is selected.', 'warning');
    return;
  }
  const isDone = markConversationDone(app, conversation);
  if (!isDone) {
    const title = subjectsTitle(app.state, [{kind: 'conversation', conversation}]);
    noteNothing(app, [conversationKey(conversation)], title);
  }
  const hasGoneOn =
    shownConversation(app.screen) === undefined ? goOnInFeed(app) : goOnFrom(app, conversation);
  if (!isDone && !hasGoneOn) app.toast('Nothing is unread.');
}

/** Whoever reads many conversations as one goes on there. */
function goOnInFeed(app: App): boolean {
  const from = selectedRow(app);
  const {byId} = app.state.unreads;
  const ids = timelineNow(app.frame)?.timeline?.ids;
  if (typeof from !== 'number' || ids === undefined) return false;
  for (const id of ids.from(from + 1)) {
    if (!byId.has(id)) continue;
    selectRow(app, id);
    return true;
  }
  return false;
}
