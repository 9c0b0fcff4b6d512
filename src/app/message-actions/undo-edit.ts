import type {App} from '#app/core/app.ts';
import {type StepHandlers, twoWayHandler} from '#app/undo/request-steps.ts';
import type {RequestStep, WidgetStep} from '#app/undo/undo-record.ts';
import {strikeContent, voteContent} from '#content/widgets/widgets.ts';
import {editMessage, sendSubmessage} from '#state/actions/messages.ts';
import {canEditContent} from '#state/selectors/permissions/message-permissions.ts';
import {refusalReason} from '#state/selectors/permissions/permission.ts';
import {widgetIn} from './vote-picker.ts';

type EditStep = Extract<RequestStep, {readonly kind: 'edit'}>;

const editedProblem = 'the message was edited again since.';

/** Gives a message the text that it had before an edit. */
export const undoEditStep: StepHandlers['edit'] = twoWayHandler<EditStep, void>({
  problem: ({state, clock}, step) => {
    const message = state.messages.byId.get(step.messageId);
    if (message === undefined) return undefined;
    // The response to the edit may come before the event that shows it.
    const isAsLeft = [step.before, step.after].some((text) => text.trim() === message.content.trim());
    return isAsLeft ? refusalReason(canEditContent(state, message, clock.now())) : editedProblem;
  },
  inverse: (step) => ({...step, before: step.after, after: step.before}),
  request: ({session}, {messageId, before, after}) => ({
    send: async () => {
      const outcome = await editMessage(session.context, messageId, {before: after, after: before});
      if (outcome.kind === 'conflict') throw new Error(editedProblem);
    },
  }),
});

/** Makes an option of a poll or a task what it was. */
export const undoWidgetStep: StepHandlers['widget'] = twoWayHandler<WidgetStep, void>({
  inverse: (step) => ({...step, wasOn: !step.wasOn}),
  request: (app, step) => {
    const content = widgetContent(app, step);
    if (content === undefined) return undefined;
    return {send: () => sendSubmessage(app.session.context, step.messageId, JSON.parse(content))};
  },
});

/** Returns the submessage that makes the option or task what it was; undefined when it already is. */
function widgetContent({state}: App, {messageId, widget, key, wasOn}: WidgetStep): string | undefined {
  if (widget === 'poll') return voteContent(key, wasOn);
  const message = state.messages.byId.get(messageId);
  const now = message && widgetIn(message);
  const task = now?.kind === 'todo' ? now.todo.tasks.find((one) => one.key === key) : undefined;
  // A strike changes whatever the task is now.
  return task?.done === wasOn ? undefined : strikeContent(key);
}
