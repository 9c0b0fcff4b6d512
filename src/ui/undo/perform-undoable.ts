import type {ReversibleAction} from '#state/actions/reversible-actions.ts';
import type {TopicPolicyAction} from '#state/actions/topic-policy.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import {sameConversation, topicConversationKey} from '#state/model/conversation.ts';
import type {PlannedChange} from '#state/pending-changes/pending-changes.ts';
import {conversationTitle} from '#state/selectors/names/names.ts';
import type {AccountState} from '#state/state.ts';
import {errorText} from '#std/error-text.ts';
import {changeProblem, requestFromServer} from '#ui/actions/server-request.ts';
import type {App} from '#ui/core/app.ts';
import type {ToastMessage} from '#ui/core/toast-message.ts';
import {withUndoKey} from '#ui/core/toast-message.ts';
import type {UndoRecord, UndoStep} from '#ui/core/undo-stack.ts';

/**
 * Performs an action that can be undone: shown at once, sent when possible, undone with one key. Returns
 * false when nothing changed. `label` names the action in the past tense.
 */
export function performUndoable(app: App, action: ReversibleAction, label: string): boolean {
  return performAllUndoable(app, [action], label);
}

/** Performs several actions that are undone as one. `said` is the text shown after undo, where it is not just the label. */
export function performAllUndoable(
  app: App,
  actions: readonly ReversibleAction[],
  label: string,
  said?: string,
): boolean {
  const record = performWithUndoRecord(app, actions, {
    label,
    said,
    at: app.clock.now(),
    keys: [],
    place: placeOf(app.state, actions),
    steps: [],
  });
  if (record === undefined) return false;
  app.undoStack.pushRecord(record);
  app.toast(withUndoKey(label));
  return true;
}

/**
 * Performs actions in order, all or none, and persists with them how to undo them, after the steps that
 * `record` has already. Returns undefined when nothing changed; a toast then says why, if there is a reason.
 */
export function performWithUndoRecord(
  app: App,
  actions: readonly ReversibleAction[],
  record: UndoRecord,
): UndoRecord | undefined {
  const {pendingChanges} = app.session;
  const problem = changeProblem(app);
  if (problem !== undefined && actions.length > 0) {
    app.toast(problem, 'warning');
    return undefined;
  }
  const plans = actions.flatMap((action) => pendingChanges.plan(action) ?? []);
  if (plans.length === 0) return undefined;
  const steps = plans.map((plan) => undoStepOf(app.state, plan));
  const fullRecord: UndoRecord = {...record, steps: [...record.steps, ...steps]};
  try {
    pendingChanges.performAll(plans, app.undoStack.valuesToPersist(fullRecord));
    return fullRecord;
  } catch (error) {
    app.toast(`Could not save the change: ${errorText(error)}`, 'error');
    return undefined;
  }
}

/** Returns the conversation of the messages that actions change, for the user; undefined when they are in several. */
function placeOf(state: AccountState, actions: readonly ReversibleAction[]): string | undefined {
  const ids = actions.flatMap((action) =>
    action.kind === 'flags' ? action.ids : action.kind === 'reaction' ? [action.messageId] : [],
  );
  const messages = ids.map((id) => state.messages.byId.get(id));
  const [first, ...others] = messages.map((message) => message && conversationOf(message));
  const isOne = first !== undefined && others.every((other) => other !== undefined && sameConversation(first, other));
  return isOne ? conversationTitle(state, first) : undefined;
}

function undoStepOf(state: AccountState, {action, inverse}: PlannedChange): UndoStep {
  const near = action.kind === 'topicPolicy' ? newestKnownIn(state, action) : undefined;
  return {kind: 'change', inverse, near};
}

/** Returns the newest known message of a topic. */
function newestKnownIn({messages, unreads}: AccountState, {channelId, topic}: TopicPolicyAction): number | undefined {
  const key = topicConversationKey(channelId, topic);
  return messages.byConversation.get(key)?.last() ?? unreads.conversations.get(key)?.ids.last();
}

/** A change that the server has confirmed, and the request that undoes it. */
interface UndoRequest {
  /** Past tense: `Removed the domain zulip.com`. */
  readonly label: string;
  undo(): Promise<unknown>;
  readonly undoneText: string;
  /** Shown before the reason of a failure: `The domain was not added again`. */
  readonly failureText: string;
}

/** Makes a confirmed change undoable. Returns its toast, which names the undo key. */
export function undoOffer(app: App, {label, undo, undoneText, failureText}: UndoRequest): ToastMessage {
  app.undoStack.push({
    label,
    undo: () => {
      requestFromServer(app, {send: undo, doneText: () => undoneText, failureText});
      return `Undoing: ${label}`;
    },
  });
  return withUndoKey(label);
}
