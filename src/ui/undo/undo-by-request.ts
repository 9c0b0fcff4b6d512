import {voteContent} from '#content/widgets/poll.ts';
import {strikeContent} from '#content/widgets/todo.ts';
import {editMessage} from '#state/actions/edit-message.ts';
import {deleteMessage, sendSubmessage} from '#state/actions/messages.ts';
import {canEditContent} from '#state/selectors/permissions/message-permissions.ts';
import {refusalReason} from '#state/selectors/permissions/permission.ts';
import {requestFromServer} from '#ui/actions/server-request.ts';
import {cancelDelayedSend} from '#ui/composer/delayed-send.ts';
import type {App} from '#ui/core/app.ts';
import {draftsKeyOffer} from '#ui/core/key-offer.ts';
import type {RequestStep, UndoRecord, WidgetStep} from '#ui/core/undo-record.ts';
import type {UndoQuestion} from '#ui/core/undo-stack.ts';
import {excerpt} from '#ui/format/excerpt.ts';
import {messageContext} from '#ui/format/message-context.ts';
import {deleteProblem} from '#ui/message-actions/delete-message.ts';
import {widgetIn} from '#ui/message-actions/vote-picker.ts';
import {moveBackProblem, undoMove} from './undo-move.ts';
import {undoneText} from './undo-record.ts';

/** Returns the step of a record that a request undoes. */
export function requestStepOf(record: UndoRecord | undefined): RequestStep | undefined {
  const step = record?.steps[0];
  return step === undefined || step.kind === 'deed' || step.kind === 'later' ? undefined : step;
}

/** Returns the reason why the step cannot be undone now, as far as it is known without asking the server. */
export function requestStepProblem(app: App, step: RequestStep): string | undefined {
  const problem = problemOf(app, step);
  return problem === undefined ? undefined : `Not undone: ${problem}`;
}

function problemOf(app: App, step: RequestStep): string | undefined {
  switch (step.kind) {
    case 'sent': {
      const id = app.session.outbox.deliveredMessageId(step.id);
      const message = app.state.messages.byId.get(id ?? 0);
      if (message !== undefined) return deleteProblem(app, message);
      const status = app.state.outbox.find((entry) => entry.id === step.id)?.status;
      return id === undefined && status === 'sending' ? 'the message is just being sent. Try again.' : undefined;
    }
    case 'edit': {
      const message = app.state.messages.byId.get(step.messageId);
      if (message === undefined) return undefined;
      // The response to the edit may come before the event that shows it.
      const isAsLeft = [step.before, step.after].some((text) => text.trim() === message.content.trim());
      return isAsLeft ? refusalReason(canEditContent(app.state, message, app.clock.now())) : editedProblem;
    }
    case 'move':
      return moveBackProblem(app, step);
    case 'widget':
      return undefined;
  }
}

const editedProblem = 'the message was edited again since.';

/** Returns what to ask before the undo: only deleting a message is permanent. */
export function undoRequestQuestion({state, session}: App, step: RequestStep): UndoQuestion | undefined {
  const id = step.kind === 'sent' ? session.outbox.deliveredMessageId(step.id) : undefined;
  if (id === undefined) return undefined;
  const message = state.messages.byId.get(id);
  const detail = message === undefined ? '' : excerpt(message.content, messageContext(state), message.facts);
  return {title: 'It is sent already. Delete your message?', yes: 'Delete for everyone', detail};
}

/** Undoes a record with a step that needs a request; returns the text to show until it is done. */
export function undoByRequest(app: App, record: UndoRecord, step: RequestStep): string | undefined {
  switch (step.kind) {
    case 'sent':
      return undoSend(app, record, step.id);
    case 'edit':
      return send(app, record, async ({session}) => {
        const {messageId, before, after} = step;
        const now = app.state.messages.byId.get(messageId)?.content;
        // Servers trim what they store.
        const stored = now?.trim() === after.trim() ? now : after;
        const outcome = await editMessage(session.context, messageId, {before: stored, after: before});
        if (outcome.kind === 'conflict') throw new Error(editedProblem);
      });
    case 'move':
      return undoMove(app, step);
    case 'widget': {
      const content = widgetContent(app, step);
      if (content === undefined) return undefined;
      return send(app, record, ({session}) => sendSubmessage(session.context, step.messageId, JSON.parse(content)));
    }
  }
}

function undoSend(app: App, record: UndoRecord, id: string): string | undefined {
  if (cancelDelayedSend(app, id)) return 'Not sent';
  const {outbox, context} = app.session;
  const messageId = outbox.deliveredMessageId(id);
  if (messageId !== undefined) return send(app, record, () => deleteMessage(context, messageId));
  return outbox.toDraft(id) === undefined ? undefined : `Not sent: it is a draft again${draftsKeyOffer()}`;
}

function send(app: App, record: UndoRecord, request: (app: App) => Promise<void>): string {
  requestFromServer(app, {
    send: () => request(app),
    doneText: () => undoneText(record),
    failureText: 'Not undone',
  });
  return `Undoing: ${record.label}…`;
}

/** Returns the submessage that makes the option or task what it was; undefined when it already is. */
function widgetContent({state}: App, {messageId, widget, key, wasOn}: WidgetStep): string | undefined {
  if (widget === 'poll') return voteContent(key, wasOn);
  const message = state.messages.byId.get(messageId);
  const now = message === undefined ? undefined : widgetIn(message);
  const task = now?.kind === 'todo' ? now.todo.tasks.find((one) => one.key === key) : undefined;
  // A strike changes whatever the task is now.
  return task?.done === wasOn ? undefined : strikeContent(key);
}
