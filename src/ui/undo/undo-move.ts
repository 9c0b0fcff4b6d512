import {isRefusal} from '#api/failure.ts';
import {type MoveRequest, moveMessages} from '#state/actions/move-messages.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import {sameConversation} from '#state/model/conversation.ts';
import {conversationTitle, isResolved} from '#state/selectors/names/names.ts';
import {requestFromServer} from '#ui/actions/server-request.ts';
import type {App} from '#ui/core/app.ts';
import type {MoveStep} from '#ui/core/undo-record.ts';
import {showMovedConversation} from '#ui/message-actions/send-move.ts';

/** Returns the reason why the messages cannot be moved back. */
export function moveBackProblem({state}: App, {from, to, messageId}: MoveStep): string | undefined {
  const message = state.messages.byId.get(messageId);
  const current = message === undefined ? to : conversationOf(message);
  // The response may come before the event that moves the message here.
  if (sameConversation(current, to) || sameConversation(current, from)) return undefined;
  return 'the messages were moved again since.';
}

/**
 * Moves the messages back as they were moved: one, the later ones, or the whole topic with what was sent there since.
 * From a topic that existed before, and of a part of a topic, only the messages that were moved go back.
 */
export function undoMove(app: App, {from, to, messageId, mode, merged}: MoveStep): string {
  const title = conversationTitle(app.state, from);
  const isResolving = isResolved(from.topic) !== isResolved(to.topic);
  const back: MoveRequest = {
    ...(from.channelId !== to.channelId && {channelId: from.channelId}),
    ...(from.topic !== to.topic && {topic: from.topic}),
    notifyOldTopic: false,
    notifyNewTopic: isResolving,
    messageId,
    mode,
  };
  requestFromServer(app, {
    send: () => moveBack(app, merged, back),
    doneText: (count) => {
      if (merged.length > 0 && count < merged.length) {
        return `Moved ${count} of ${merged.length} messages back to ${title}; the others could not be moved`;
      }
      showMovedConversation(app, to, from);
      if (isResolving) return isResolved(from.topic) ? `Resolved again: ${title}` : `Unresolved again: ${title}`;
      return `Moved back to ${title}`;
    },
    failureText: 'Not moved back',
  });
  return `Moving back to ${title}…`;
}

/** Returns the number of messages that were moved back one by one; 0 when they were moved together. */
async function moveBack(app: App, merged: readonly number[], whole: MoveRequest): Promise<number> {
  const {context} = app.session;
  if (merged.length === 0) {
    const outcome = await moveMessages(context, whole);
    if (outcome.kind === 'partOnly') throw new Error(outcome.problem);
    return 0;
  }
  let count = 0;
  for (const messageId of merged) {
    try {
      await moveMessages(context, {...whole, messageId, mode: 'change_one'});
      count += 1;
    } catch (error) {
      // A message that was deleted since does not keep the others from moving back.
      if (!isRefusal(error)) throw error;
    }
  }
  return count;
}
