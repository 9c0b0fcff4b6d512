import {markConversationDone} from '#app/actions/mark-done.ts';
import {markReadProblem} from '#app/actions/mute-and-follow.ts';
import type {App} from '#app/core/app.ts';
import type {Conversation} from '#state/model/conversation.ts';

/**
 * Exactly what was unread there in the last picture: what has arrived since then was seen by nobody, and stays unread. False
 * when there was nothing.
 */
export function markConversationRead(app: App, conversation: Conversation): boolean {
  return markReadProblem(app) === undefined && markConversationDone(app, conversation);
}
