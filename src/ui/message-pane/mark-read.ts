import type {Conversation} from '#state/model/conversation.ts';
import {markConversationDone} from '#ui/actions/mark-done.ts';
import {markReadProblem} from '#ui/actions/mute-and-follow.ts';
import type {App} from '#ui/core/app.ts';

/**
 * Marks as read exactly what was unread in the last painted frame and is loaded: messages that arrived since then have not been
 * seen and stay unread. Returns false when there was nothing.
 */
export function markConversationRead(app: App, conversation: Conversation): boolean {
  return markReadProblem(app) === undefined && markConversationDone(app, conversation).isMarked;
}
