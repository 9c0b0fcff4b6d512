import {cancelDelayedSend, pushSent} from '#app/composer/deliver-message.ts';
import {sendComposedMessage} from '#app/composer/send-message.ts';
import type {App} from '#app/core/app.ts';
import {requestFromServer} from '#app/requests/server-request.ts';
import {undoneText} from '#app/undo/perform-undoable.ts';
import type {StepHandlers} from '#app/undo/request-steps.ts';
import type {RequestStep, UndoRecord} from '#app/undo/undo-record.ts';
import type {Undone} from '#app/undo/undo-stack.ts';
import {deleteMessage} from '#state/actions/messages.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import {conversationKey} from '#state/model/conversation.ts';
import type {LocalDraft} from '#state/model/draft.ts';
import {conversationTitle} from '#state/selectors/names/names.ts';
import {composed} from '#std/composed-text.ts';
import {withDraftsKey} from '#ui/core/toast-message.ts';
import {excerpt, messageContext} from '#ui/format/message-context.ts';
import {deleteProblem} from './delete-and-report.ts';

type SendStep = Extract<RequestStep, {readonly kind: 'send'}>;

/** Takes a sent message back. Asks before one that is delivered: deleting it is permanent. */
export const undoSentStep: StepHandlers['sent'] = {
  problem: (app, step) => {
    const id = app.session.outbox.deliveredMessageId(step.id);
    const message = app.state.messages.byId.get(id ?? 0);
    if (message !== undefined) return deleteProblem(app, message);
    const status = app.state.outbox.find((entry) => entry.id === step.id)?.status;
    return id === undefined && status === 'sending' ? 'the message is just being sent. Try again.' : undefined;
  },
  question: ({state, session}, step) => {
    const id = session.outbox.deliveredMessageId(step.id);
    if (id === undefined) return undefined;
    const message = state.messages.byId.get(id);
    if (message === undefined) return {title: 'It is sent already. Delete your message?', yes: 'Delete for everyone'};
    const title = composed`Sent to ${conversationTitle(state, conversationOf(message))} already. Delete your message?`;
    const detail = excerpt(message.content, messageContext(state), message.facts);
    return {title, yes: 'Delete for everyone', detail};
  },
  undo: (app, record, step) => undoSend(app, record, step.id),
  redo: () => undefined,
};

/** Sends a message that was taken back. Asks first, because others see it. */
export const sendAgainStep: StepHandlers['send'] = {
  problem: (app, step) => (isDraftAsLeft(app, step) ? undefined : 'the draft was changed or sent since.'),
  question: ({state}, step) => {
    const detail = excerpt(step.content, messageContext(state));
    return {title: composed`Send to ${conversationTitle(state, step.conversation)} after all?`, yes: 'Send', detail};
  },
  undo: () => undefined,
  redo: (app, _, step) => sendAfterAll(app, step),
};

/** Whether the draft still has the text that a redo sends, in the composer too. */
function isDraftAsLeft({session, screen}: App, {draftId, content}: SendStep): boolean {
  if (draftId === undefined) return true;
  const {composer} = screen;
  const text =
    composer.isOpen && composer.draftId === draftId ? composer.field.text : session.drafts.get(draftId)?.content;
  return text?.trim() === content.trim();
}

function undoSend(app: App, record: UndoRecord, id: string): Undone | undefined {
  const {delayedSend} = app.screen.composer;
  const notSent = cancelDelayedSend(app, id);
  if (delayedSend !== undefined && notSent !== undefined) {
    const {conversation, content, draftId} = delayedSend;
    return {...notSent, redoSteps: [{kind: 'send', conversation, content, draftId}]};
  }
  const {outbox, context} = app.session;
  const messageId = outbox.deliveredMessageId(id);
  if (messageId !== undefined) {
    const message = app.state.messages.byId.get(messageId);
    const redoSteps = message && [
      {kind: 'send', conversation: conversationOf(message), content: message.content} as const,
    ];
    requestFromServer(app, {
      send: () => deleteMessage(context, messageId),
      doneText: () => {
        if (message === undefined) return undoneText(record);
        app.session.drafts.edit(undefined, {target: conversationOf(message), content: message.content});
        return withDraftsKey(`${undoneText(record)}. Its text is a draft again`);
      },
      failureText: 'Not undone',
    });
    return {text: composed`Undoing: ${record.label}…`, redoSteps};
  }
  const draft = outbox.toDraft(id);
  if (draft === undefined || draft.target.kind === 'none') return undefined;
  const {target: conversation, content} = draft;
  const redoSteps = [{kind: 'send', conversation, content, draftId: draft.id} as const];
  const text = composed`Not sent to ${conversationTitle(app.state, conversation)}: it is a draft again`;
  return {...withDraftsKey(text), redoSteps};
}

/** Sends a message that was taken back: from the composer if it is there. */
function sendAfterAll(app: App, {conversation, content, draftId}: SendStep): string | undefined {
  const {composer} = app.screen;
  if (draftId !== undefined && composer.isOpen && composer.draftId === draftId) {
    sendComposedMessage(app);
    return undefined;
  }
  const {drafts, outbox} = app.session;
  const target = conversationKey(conversation);
  // The text of a message that was deleted is a draft, too.
  const isSame = (draft: LocalDraft) =>
    draft.content === content && draft.target.kind !== 'none' && conversationKey(draft.target) === target;
  const {id} = outbox.send({conversation, content, draftId: draftId ?? drafts.all().find(isSame)?.id});
  pushSent(app, id, conversation);
  return composed`Sent to ${conversationTitle(app.state, conversation)}`;
}
