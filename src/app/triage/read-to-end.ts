import type {App} from '#app/core/app.ts';
import {moveInMessages} from '#app/message-pane/move-in-messages.ts';
import type {Conversation} from '#state/model/conversation.ts';
import {conversationOfNarrow} from '#state/model/narrow.ts';
import {markReadProblem} from '#ui/core/change-problem.ts';
import type {Motion} from '#ui/core/motion.ts';
import {isOnlySaved} from '#ui/message-pane/lines/edge-lines.ts';
import {mainTimelineNow} from '#ui/message-pane/selected-message.ts';
import {markConversationDone} from './mark-done.ts';
import {openNextUnreadAfter} from './unread-walk.ts';

/**
 * Marks as read exactly what was unread in the last painted frame and is loaded: messages that arrived since then have not been
 * seen and stay unread.
 */
function markConversationRead(app: App, conversation: Conversation): void {
  if (markReadProblem(app) === undefined) markConversationDone(app, conversation);
}

/** Pages down; at the end of a conversation marks it read and opens the next unread one. */
export function pageOrOpenNext(app: App): void {
  const {view} = app.screen;
  const shown = mainTimelineNow(app.frame);
  if (view.kind !== 'messages' || shown === undefined) return;
  const isEnd = shown.window?.isAtEnd !== false && shown.timeline?.hasNewest === true;
  if (!isEnd) {
    moveInMessages(app, {by: 'page', step: 1});
    return;
  }
  if (app.settings.readOn === 'page') {
    app.toast('End of the conversation');
    return;
  }
  const conversation = conversationOfNarrow(view.narrow);
  if (conversation !== undefined) markConversationRead(app, conversation);
  if (!openNextUnreadAfter(app, conversation)) app.toast('No more unread conversations');
}

/** Moves the selection among messages. At the newest message of a conversation, marks the conversation read. */
export function moveInMessagesAndRead(app: App, motion: Motion): void {
  const {view} = app.screen;
  const shown = mainTimelineNow(app.frame);
  moveInMessages(app, motion);
  if (view.kind !== 'messages' || shown === undefined || !('to' in motion) || motion.to !== 'last') return;
  const conversation = conversationOfNarrow(view.narrow);
  // Offline there may be newer messages that cannot be shown.
  const showsOnlySaved = shown.timeline !== undefined && isOnlySaved(app.state, shown.timeline);
  if (conversation !== undefined && !showsOnlySaved) markConversationRead(app, conversation);
}
