import {markConversationDone} from '#app/actions/mark-done.ts';
import {markReadProblem} from '#app/actions/mute-and-follow.ts';
import type {App} from '#app/core/app.ts';
import type {Conversation} from '#state/model/conversation.ts';

/**
 * Marks as read exactly what was unread in the last painted frame and is loaded: messages that arrived since then have not been
 * seen and stay unread. Returns false when there was nothing.
 */
export function markConversationRead(app: App, conversation: Conversation): boolean {
  return markReadProblem(app) === undefined && markConversationDone(app, conversation).isMarked;
}
