import type {App} from '#app/core/app.ts';
import type {ListId} from '#app/core/screen-state.ts';
import {shownConversation} from '#app/core/view.ts';
import {focusedList} from '#app/lists/focused-list.ts';
import {setListCursor} from '#app/lists/move-in-list.ts';
import {visibleRowsOf} from '#app/lists/visible-rows.ts';
import {changeTimeline, goBack} from '#app/navigation/navigation.ts';
import {activeWalk, walkWithoutLastStep} from '#app/navigation/unread-walk.ts';
import {type ConversationKey, conversationKey} from '#state/model/conversation.ts';
import {currentConversationKeys} from './undo-record.ts';

/** Takes back what was done last, and goes back to where it was done. */
export function undoLatest(app: App): void {
  const {resultText: said, undone} = app.undoStack.undoLatest();
  const keys = undone?.noOpKeys ?? (undone?.record && currentConversationKeys(app, undone.record));
  if (keys !== undefined) returnToConversations(app, keys);
  app.toast(undone?.undoAlso?.() ?? said);
}

/**
 * To what something was done to: its row in the list with the keys, if that has it; among messages the conversation that
 * one was in just before. Anywhere else one stays.
 */
export function returnToConversations(app: App, keys: readonly ConversationKey[]): void {
  const id = focusedList(app.screen);
  if (id !== undefined) returnToRow(app, id, keys);
  else returnToConversation(app, keys);
}

function returnToRow(app: App, id: ListId, keys: readonly ConversationKey[]): void {
  const {indexByKey: places} = visibleRowsOf(app.frame, id);
  const row = keys.flatMap((key) => rowKeys(app, key)).find((one) => places.has(one));
  if (row !== undefined) setListCursor(app, id, row);
}

/** The conversation itself, its channel, or the person that it is with: lists have one or the other. */
function rowKeys({state}: App, key: ConversationKey): readonly string[] {
  const conversation = state.unreads.conversations.get(key)?.conversation;
  if (conversation?.kind === 'topic') return [key, `channel ${conversation.channelId}`];
  const [userId, ...others] = conversation?.userIds ?? [];
  return userId === undefined || others.length > 0 ? [key] : [key, `person ${userId}`];
}

/** What is unread again stays so: being shown does not read it. */
function returnToConversation(app: App, [key, ...others]: readonly ConversationKey[]): void {
  const before = app.screen.back.at(-1);
  const left = before === undefined ? undefined : shownConversation({view: before});
  const isShown = shownConversation(app.screen) !== undefined;
  if (!isShown || others.length > 0 || left === undefined || conversationKey(left) !== key) return;
  const walk = activeWalk(app.screen);
  goBack(app);
  if (walk !== undefined) app.set({unreadWalk: walkWithoutLastStep(walk)});
  changeTimeline(app, app.screen.view, (state) => ({...state, isPeek: true}));
}
