import {isRefusal} from '#api/failure.ts';
import {strikeContent, voteContent} from '#content/widgets/widgets.ts';
import {editMessage} from '#state/actions/edit-message.ts';
import {deleteMessage, sendSubmessage} from '#state/actions/messages.ts';
import {type MoveRequest, moveMessages} from '#state/actions/move-messages.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import {type ConversationKey, conversationKey, sameConversation} from '#state/model/conversation.ts';
import {conversationTitle, isResolved} from '#state/selectors/names/names.ts';
import {canEditContent} from '#state/selectors/permissions/message-permissions.ts';
import {refusalReason} from '#state/selectors/permissions/permission.ts';
import {requestFromServer} from '#ui/actions/server-request.ts';
import {targetConversation} from '#ui/composer/destination.ts';
import {cancelDelayedSend} from '#ui/composer/send-message.ts';
import type {App} from '#ui/core/app.ts';
import {shownConversation} from '#ui/core/frame.ts';
import type {Picker} from '#ui/core/overlay.ts';
import type {ListId} from '#ui/core/screen-state.ts';
import {type ToastMessage, toastMessage, withDraftsKey} from '#ui/core/toast-message.ts';
import type {MoveStep, RequestStep, UndoRecord, WidgetStep} from '#ui/core/undo-record.ts';
import type {Undoable, UndoQuestion} from '#ui/core/undo-stack.ts';
import {excerpt, messageContext} from '#ui/format/message-context.ts';
import {ageText} from '#ui/format/moment-text.ts';
import {focusedList} from '#ui/lists/list-source.ts';
import {setListCursor} from '#ui/lists/move-in-list.ts';
import {visibleRowsOf} from '#ui/lists/visible-rows.ts';
import {deleteProblem} from '#ui/message-actions/delete-and-report.ts';
import {hasOnlyNoticesBeside, showMovedConversation} from '#ui/message-actions/send-move.ts';
import {widgetIn} from '#ui/message-actions/vote-picker.ts';
import {changeTimeline, goBack} from '#ui/navigation/navigation.ts';
import {activeWalk, walkWithoutLastStep} from '#ui/navigation/unread-walk.ts';
import {confirm, openPicker, refreshPicker} from '#ui/overlays/picker.ts';
import {currentConversationKeys, undoneText} from './perform-undoable.ts';

/** Undoes the latest action and returns to where it was done. One that cannot be undone stays the latest. */
export function undoLatest(app: App): void {
  const latest = app.undoStack.latest();
  if (latest === undefined) app.toast('Nothing to undo.');
  else undoAction(app, latest);
}

/** Undoes an action, after a question if it has one. `onUndone` runs when something was undone. */
function undoAction(app: App, action: Undoable, onUndone?: () => void): void {
  const question = app.undoStack.questionFor(action);
  const undo = () => {
    const {resultText, undone} = app.undoStack.undoOne(action);
    const keys = undone?.noOpKeys ?? (undone?.record && currentConversationKeys(app, undone.record));
    if (keys !== undefined) returnToConversations(app, keys);
    if (undone === undefined) {
      const {record} = action;
      const isStuck = app.undoStack.latest() === action && (record?.problem ?? requestStepOf(record)) !== undefined;
      const offer = isStuck ? {label: 'lists older actions', commands: ['triage.review']} : undefined;
      app.toast({...toastMessage(resultText), ...(offer && {offer})}, 'warning');
      return;
    }
    app.toast(undone.undoAlso?.() ?? resultText);
    onUndone?.();
  };
  if (question === undefined) undo();
  else confirm(app, {...question, onYes: undo});
}

/**
 * Moves to the conversations that an action changed: to their row in the focused list, if it has one; among
 * messages back to the conversation that was open just before. Anywhere else the view stays.
 */
function returnToConversations(app: App, keys: readonly ConversationKey[]): void {
  const id = focusedList(app.screen);
  if (id !== undefined) returnToRow(app, id, keys);
  else returnToConversation(app, keys);
}

function returnToRow(app: App, id: ListId, keys: readonly ConversationKey[]): void {
  const {indexByKey} = visibleRowsOf(app.frame, id);
  const row = keys.flatMap((key) => rowKeys(app, key)).find((one) => indexByKey.has(one));
  if (row !== undefined) setListCursor(app, id, row);
}

/**
 * Returns the possible row keys of a conversation: its own, its channel's, or its person's. Lists have one or
 * the other.
 */
function rowKeys({state}: App, key: ConversationKey): readonly string[] {
  const conversation = state.unreads.conversations.get(key)?.conversation;
  if (conversation?.kind === 'topic') return [key, `channel ${conversation.channelId}`];
  const [userId, ...others] = conversation?.userIds ?? [];
  return userId === undefined || others.length > 0 ? [key] : [key, `person ${userId}`];
}

/** Goes back to the conversation. Messages that are unread again stay unread: showing them does not mark them read. */
function returnToConversation(app: App, [key, ...others]: readonly ConversationKey[]): void {
  const before = app.screen.back.at(-1);
  const previous = before === undefined ? undefined : shownConversation({view: before});
  const isShown = shownConversation(app.screen) !== undefined;
  if (!isShown || others.length > 0 || previous === undefined || conversationKey(previous) !== key) return;
  const walk = activeWalk(app.screen);
  goBack(app);
  if (walk !== undefined) app.set({unreadWalk: walkWithoutLastStep(walk)});
  changeTimeline(app, app.screen.view, (state) => ({...state, isPeek: true}));
}

/** Returns what the user did, latest first, without keys that changed nothing. */
function listedActions(app: App): readonly Undoable[] {
  return app.undoStack.list().filter(({record}) => record !== undefined);
}

/** Opens the undo history: every action, each of which can be undone separately. */
export function openUndoHistory(app: App): void {
  openPicker(app, undoHistoryPicker(listedActions(app)));
}

function undoHistoryPicker(shown: readonly Undoable[]): Picker {
  return {
    id: 'review',
    title: 'Undo history',
    isMenu: true,
    columns: 76,
    rowsShown: 16,
    helpLines: 1,
    hint: {Enter: 'undoes', Esc: 'closes'},
    empty: 'Nothing to undo yet.',
    // The rows stay as they were when the picker opened: a refusal from the server meanwhile moves nothing
    // under the cursor.
    rows: ({minute}) =>
      shown.map(({label, record}, at) => ({
        key: String(at),
        label,
        detail: record?.place,
        right: ageText(record?.at ?? minute, minute),
        rightRole: 'dim',
        disabled: record?.problem,
        help: [record?.place, record?.problem].filter((text) => text !== undefined).join(' · '),
      })),
    accept: (app, {key}) => {
      const undoable = shown[Number(key)];
      if (undoable === undefined) return;
      undoAction(app, undoable, () => refreshPicker(app, 'review', undoHistoryPicker(listedActions(app))));
    },
  };
}

/** Returns the step of a record that a request undoes. */
export function requestStepOf(record: UndoRecord | undefined): RequestStep | undefined {
  const step = record?.steps[0];
  return step === undefined || step.kind === 'change' || step.kind === 'snooze' ? undefined : step;
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
  if (message === undefined) return {title: 'It is sent already. Delete your message?', yes: 'Delete for everyone'};
  const title = `Sent to ${conversationTitle(state, conversationOf(message))} already. Delete your message?`;
  const detail = excerpt(message.content, messageContext(state), message.facts);
  return {title, yes: 'Delete for everyone', detail};
}

/** Undoes a record with a step that needs a request; returns the text to show until it is done. */
export function undoByRequest(app: App, record: UndoRecord, step: RequestStep): string | ToastMessage | undefined {
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

function undoSend(app: App, record: UndoRecord, id: string): string | ToastMessage | undefined {
  const notSent = cancelDelayedSend(app, id);
  if (notSent !== undefined) return notSent;
  const {outbox, context} = app.session;
  const messageId = outbox.deliveredMessageId(id);
  if (messageId !== undefined) {
    const message = app.state.messages.byId.get(messageId);
    return send(
      app,
      record,
      () => deleteMessage(context, messageId),
      () => {
        if (message === undefined) return undoneText(record);
        app.session.drafts.edit(undefined, {target: conversationOf(message), content: message.content});
        return withDraftsKey(`${undoneText(record)}. Its text is a draft again`);
      },
    );
  }
  const draft = outbox.toDraft(id);
  const title = draft && targetConversation(draft.target);
  return title && withDraftsKey(`Not sent to ${conversationTitle(app.state, title)}: it is a draft again`);
}

function send(
  app: App,
  record: UndoRecord,
  request: (app: App) => Promise<void>,
  doneText: () => string | ToastMessage = () => undoneText(record),
): string {
  requestFromServer(app, {
    send: () => request(app),
    doneText,
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
 * From a topic that existed before, and of a part of a topic, only the messages that were moved go back.
 */
function undoMove(app: App, step: MoveStep): string {
  const {from, to, messageId, mode, merged} = step;
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
    send: () => moveBack(app, step, back),
    doneText: (count) => {
      if (count < merged.length) {
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

/**
 * Returns how many of the merged messages were moved back. The server's notices about the move go along if nothing else would
 * be left: otherwise a topic that the move began would stay without a message.
 */
async function moveBack(app: App, {to, mode, messageId, merged}: MoveStep, back: MoveRequest): Promise<number> {
  const {context} = app.session;
  const moved = merged.length === 0 && mode === 'change_one' ? [messageId] : merged;
  const isWhole = moved.length > 0 && (await hasOnlyNoticesBeside(app, to, moved));
  if (isWhole || merged.length === 0) {
    const outcome = await moveMessages(context, isWhole ? {...back, mode: 'change_all'} : back);
    if (outcome.kind === 'partOnly') throw new Error(outcome.problem);
    return merged.length;
  }
  let count = 0;
  for (const id of merged) {
    try {
      await moveMessages(context, {...back, messageId: id, mode: 'change_one'});
      count += 1;
    } catch (error) {
      // A message that was deleted since does not keep the others from moving back.
      if (!isRefusal(error)) throw error;
    }
  }
  return count;
}
