import {isRefusal} from '#api/failure.ts';
import {cancelDelayedSend, pushSent, sendComposedMessage} from '#app/composer/send-message.ts';
import type {App} from '#app/core/app.ts';
import {deleteProblem} from '#app/message-actions/delete-and-report.ts';
import {hasOnlyNoticesBeside, showMovedConversation} from '#app/message-actions/move-messages.ts';
import {widgetIn} from '#app/message-actions/vote-picker.ts';
import {requestFromServer} from '#app/requests/server-request.ts';
import {strikeContent, voteContent} from '#content/widgets/widgets.ts';
import {deleteMessage, editMessage, type MoveRequest, moveMessages, sendSubmessage} from '#state/actions/messages.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import {conversationKey, sameConversation} from '#state/model/conversation.ts';
import type {LocalDraft} from '#state/model/draft.ts';
import {conversationTitle, isResolved} from '#state/selectors/names/names.ts';
import {canEditContent} from '#state/selectors/permissions/message-permissions.ts';
import {refusalReason} from '#state/selectors/permissions/permission.ts';
import {type ToastMessage, withDraftsKey, withRedoKey, withUndoKey} from '#ui/core/toast-message.ts';
import {excerpt, messageContext} from '#ui/format/message-context.ts';
import {redoneText, undoneText} from './perform-undoable.ts';
import type {MoveStep, RequestStep, UndoRecord, WidgetStep} from './undo-record.ts';
import type {Undone, UndoQuestion} from './undo-stack.ts';

type Direction = 'undo' | 'redo';
/** A step that is carried out in the same way in both directions. */
type TwoWayStep = Exclude<RequestStep, {readonly kind: 'sent' | 'send'}>;
type SendStep = Extract<RequestStep, {readonly kind: 'send'}>;

/** Returns the step of a record that a request carries out. */
export function requestStepOf(record: UndoRecord | undefined): RequestStep | undefined {
  const step = record?.steps[0];
  return step === undefined || step.kind === 'change' || step.kind === 'snooze' ? undefined : step;
}

/** Returns the reason why the step cannot be carried out now, as far as it is known without asking the server. */
export function requestStepProblem(app: App, step: RequestStep, direction: Direction): string | undefined {
  const problem = problemOf(app, step);
  return problem === undefined ? undefined : `Not ${direction === 'undo' ? 'undone' : 'redone'}: ${problem}`;
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
    case 'send':
      return isDraftAsLeft(app, step) ? undefined : 'the draft was changed or sent since.';
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

/** Whether the draft still has the text that a redo sends, in the composer too. */
function isDraftAsLeft({session, screen}: App, {draftId, content}: SendStep): boolean {
  if (draftId === undefined) return true;
  const {composer} = screen;
  const text =
    composer.isOpen && composer.draftId === draftId ? composer.field.text : session.drafts.get(draftId)?.content;
  return text?.trim() === content.trim();
}

/** Returns what to ask before the step: deleting a message is permanent, and others see a message that is sent. */
export function requestStepQuestion({state, session}: App, step: RequestStep): UndoQuestion | undefined {
  if (step.kind === 'send') {
    const detail = excerpt(step.content, messageContext(state));
    return {title: `Send to ${conversationTitle(state, step.conversation)} after all?`, yes: 'Send', detail};
  }
  const id = step.kind === 'sent' ? session.outbox.deliveredMessageId(step.id) : undefined;
  if (id === undefined) return undefined;
  const message = state.messages.byId.get(id);
  if (message === undefined) return {title: 'It is sent already. Delete your message?', yes: 'Delete for everyone'};
  const title = `Sent to ${conversationTitle(state, conversationOf(message))} already. Delete your message?`;
  const detail = excerpt(message.content, messageContext(state), message.facts);
  return {title, yes: 'Delete for everyone', detail};
}

/** Undoes a record with a step that needs a request; returns the text to show until it is done. */
export function undoByRequest(app: App, record: UndoRecord, step: RequestStep): Undone | undefined {
  if (step.kind === 'send') return undefined;
  if (step.kind === 'sent') return undoSend(app, record, step.id);
  const text = request(app, record, step, 'undo');
  return text === undefined ? undefined : {text, redoSteps: [inverseOf(step)]};
}

/** Redoes a record with a step that needs a request; returns the text to show until it is done. */
export function redoByRequest(app: App, record: UndoRecord, step: RequestStep): string | ToastMessage | undefined {
  if (step.kind === 'sent') return undefined;
  if (step.kind === 'send') return sendAfterAll(app, step);
  return request(app, record, step, 'redo') ?? `Nothing is left to redo: ${record.label}`;
}

function inverseOf(step: TwoWayStep): TwoWayStep {
  switch (step.kind) {
    case 'edit':
      return {...step, before: step.after, after: step.before};
    case 'move':
      return {...step, from: step.to, to: step.from};
    case 'widget':
      return {...step, wasOn: !step.wasOn};
  }
}

/** Carries out a step; returns the text to show until it is done, or undefined when nothing is left to do. */
function request(app: App, record: UndoRecord, step: TwoWayStep, direction: Direction): string | undefined {
  switch (step.kind) {
    case 'edit':
      return send(app, record, step, direction, async ({session}) => {
        const {messageId, before, after} = step;
        const now = app.state.messages.byId.get(messageId)?.content;
        // Servers trim what they store.
        const stored = now?.trim() === after.trim() ? now : after;
        const outcome = await editMessage(session.context, messageId, {before: stored, after: before});
        if (outcome.kind === 'conflict') throw new Error(editedProblem);
      });
    case 'move':
      return moveBetween(app, record, step, direction);
    case 'widget': {
      const content = widgetContent(app, step);
      if (content === undefined) return undefined;
      return send(app, record, step, direction, ({session}) =>
        sendSubmessage(session.context, step.messageId, JSON.parse(content)),
      );
    }
  }
}

function undoSend(app: App, record: UndoRecord, id: string): Undone | undefined {
  const {delayedSend} = app.screen.composer;
  const notSent = cancelDelayedSend(app, id);
  if (delayedSend !== undefined && notSent !== undefined) {
    const {conversation, content, draftId} = delayedSend;
    return {text: notSent, redoSteps: [{kind: 'send', conversation, content, draftId}]};
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
    return {text: `Undoing: ${record.label}…`, redoSteps};
  }
  const draft = outbox.toDraft(id);
  if (draft === undefined || draft.target.kind === 'none') return undefined;
  const {target: conversation, content} = draft;
  const redoSteps = [{kind: 'send', conversation, content, draftId: draft.id} as const];
  const text = `Not sent to ${conversationTitle(app.state, conversation)}: it is a draft again`;
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
  return `Sent to ${conversationTitle(app.state, conversation)}`;
}

function send(
  app: App,
  record: UndoRecord,
  step: TwoWayStep,
  direction: Direction,
  carryOut: (app: App) => Promise<void>,
): string {
  requestFromServer(app, {
    send: () => carryOut(app),
    doneText: () => {
      if (direction === 'undo') return withRedoKey(undoneText(record));
      pushInverse(app, record, step);
      return withUndoKey(redoneText(record));
    },
    failureText: direction === 'undo' ? 'Not undone' : 'Not redone',
  });
  return `${direction === 'undo' ? 'Undoing' : 'Redoing'}: ${record.label}…`;
}

/** Puts an action that was redone into the history again. */
function pushInverse(app: App, record: UndoRecord, step: TwoWayStep): void {
  app.undoStack.pushRecord({...record, at: app.clock.now(), steps: [inverseOf(step)]});
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

/** Returns the reason why the messages cannot be moved back. */
function moveBackProblem({state}: App, {from, to, messageId}: MoveStep): string | undefined {
  const message = state.messages.byId.get(messageId);
  const current = message === undefined ? to : conversationOf(message);
  // The response may come before the event that moves the message here.
  if (sameConversation(current, to) || sameConversation(current, from)) return undefined;
  return 'the messages were moved again since.';
}

/**
 * Moves the messages back as they were moved: one, the later ones, or the whole topic with what was sent there since.
 * From a topic that existed before, and of a part of a topic, only the messages that were moved go back. A redo moves them
 * once more in the same way.
 */
function moveBetween(app: App, record: UndoRecord, step: MoveStep, direction: Direction): string {
  const {from, to, messageId, mode, merged} = step;
  const isUndo = direction === 'undo';
  const title = conversationTitle(app.state, from);
  const there = isUndo ? `back to ${title}` : `to ${title} again`;
  const isResolving = isResolved(from.topic) !== isResolved(to.topic);
  const whole: MoveRequest = {
    ...(from.channelId !== to.channelId && {channelId: from.channelId}),
    ...(from.topic !== to.topic && {topic: from.topic}),
    notifyOldTopic: false,
    notifyNewTopic: isResolving,
    messageId,
    mode,
  };
  const movedText = (count: number): string => {
    if (count < merged.length)
      return `Moved ${count} of ${merged.length} messages ${there}; the others could not be moved`;
    showMovedConversation(app, to, from);
    if (isResolving) return isResolved(from.topic) ? `Resolved again: ${title}` : `Unresolved again: ${title}`;
    return `Moved ${there}`;
  };
  requestFromServer(app, {
    send: () => moveAll(app, step, whole),
    doneText: (count) => {
      if (!isUndo) pushInverse(app, record, step);
      return isUndo ? withRedoKey(movedText(count)) : withUndoKey(movedText(count));
    },
    failureText: isUndo ? 'Not moved back' : 'Not moved again',
  });
  return `Moving ${there}…`;
}

/**
 * Returns how many of the merged messages were moved. The server's notices about the move go along if nothing else would be
 * left: otherwise a topic that the move began would stay without a message.
 */
async function moveAll(app: App, {to, mode, messageId, merged}: MoveStep, request: MoveRequest): Promise<number> {
  const {context} = app.session;
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
