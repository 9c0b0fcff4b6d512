import type {Conversation} from '#state/model/conversation.ts';
import {conversationTitle} from '#state/selectors/names/names.ts';
import type {App} from '#ui/core/app.ts';

/** Adds a message in the outbox to the undo history. */
export function pushSent(app: App, id: string, conversation: Conversation): void {
  const label = `Sent to ${conversationTitle(app.state, conversation)}`;
  app.undoStack.pushRecord({label, at: app.clock.now(), keys: [], steps: [{kind: 'sent', id}]});
}
