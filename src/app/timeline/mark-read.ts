import type {App} from '#app/core/app.ts';
import {markConversationDone} from '#app/finishing.ts';
import {readingProblem} from '#app/verbs.ts';
import type {Conversation} from '#state/model/conversation.ts';

/**
 * Exactly what was unread there in the last picture: what has arrived since then was seen by nobody, and stays unread. False
 * when there was nothing.
 */
export function markConversationRead(app: App, conversation: Conversation): boolean {
  return readingProblem(app) === undefined && markConversationDone(app, conversation);
}
