import type {App} from '#app/core/app.ts';
import {redirectViews} from '#app/navigation/navigation.ts';
import {type StepHandlers, twoWayHandler} from '#app/undo/request-steps.ts';
import type {MoveStep} from '#app/undo/undo-record.ts';
import {type MoveRequest, moveMessages} from '#state/actions/messages.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import {sameConversation} from '#state/model/conversation.ts';
import {conversationTitle, isResolved} from '#state/selectors/names/names.ts';
import {composed} from '#std/composed-text.ts';
import {isRefusal} from '#wire/failure.ts';
import {hasOnlyNoticesBeside} from './send-move.ts';

/**
 * Moves the messages back as they were moved: one, the later ones, or the whole topic with what was sent there since.
 * From a topic that existed before, and of a part of a topic, only the messages that were moved go back. A redo moves them
 * once more in the same way.
 */
export const undoMoveStep: StepHandlers['move'] = twoWayHandler<MoveStep, number>({
  problem: ({state}, {from, to, messageId}) => {
    const message = state.messages.byId.get(messageId);
    const current = message === undefined ? to : conversationOf(message);
    // The response may come before the event that moves the message here.
    if (sameConversation(current, to) || sameConversation(current, from)) return undefined;
    return 'the messages were moved again since.';
  },
  inverse: (step) => ({...step, from: step.to, to: step.from}),
  request: (app, step, direction) => {
    const {from, to, merged} = step;
    const isUndo = direction === 'undo';
    const title = conversationTitle(app.state, from);
    const there = isUndo ? composed`back to ${title}` : composed`to ${title} again`;
    const isResolving = isResolved(from.topic) !== isResolved(to.topic);
    return {
      send: () => moveAll(app, step, isResolving),
      doneText: (count) => {
        if (count < merged.length)
          return `Moved ${count} of ${merged.length} messages ${there}; the others could not be moved`;
        redirectViews(app, to, from);
        if (isResolving)
          return isResolved(from.topic) ? composed`Resolved again: ${title}` : composed`Unresolved again: ${title}`;
        return `Moved ${there}`;
      },
      progressText: `Moving ${there}…`,
      failureText: isUndo ? 'Not moved back' : 'Not moved again',
    };
  },
});

/**
 * Returns how many of the merged messages were moved. The server's notices about the move go along if nothing else would be
 * left: otherwise a topic that the move began would stay without a message.
 */
async function moveAll(app: App, step: MoveStep, notifyNewTopic: boolean): Promise<number> {
  const {from, to, mode, messageId, merged} = step;
  const {context} = app.session;
  const request: MoveRequest = {
    ...(from.channelId !== to.channelId && {channelId: from.channelId}),
    ...(from.topic !== to.topic && {topic: from.topic}),
    notifyOldTopic: false,
    notifyNewTopic,
    messageId,
    mode,
  };
  const moved = merged.length === 0 && mode === 'change_one' ? [messageId] : merged;
  const isWhole = moved.length > 0 && (await hasOnlyNoticesBeside(app, to, moved));
  if (isWhole || merged.length === 0) {
    const outcome = await moveMessages(context, isWhole ? {...request, mode: 'change_all'} : request);
    if (outcome.kind === 'partOnly') throw new Error(outcome.problem);
    return merged.length;
  }
  let count = 0;
  for (const id of merged) {
    try {
      await moveMessages(context, {...request, messageId: id, mode: 'change_one'});
      count += 1;
    } catch (error) {
      // A message that was deleted since does not keep the others from moving.
      if (!isRefusal(error)) throw error;
    }
  }
  return count;
}
