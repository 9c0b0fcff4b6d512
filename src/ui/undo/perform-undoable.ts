import type {ReversibleAction} from '#state/actions/reversible-actions.ts';
import type {TopicPolicyAction} from '#state/actions/topic-policy.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import {
  type Conversation,
  type ConversationKey,
  conversationKey,
  sameConversation,
  topicConversationKey,
} from '#state/model/conversation.ts';
import type {PlannedChange} from '#state/pending-changes/pending-changes.ts';
import {conversationTitle} from '#state/selectors/names/names.ts';
import type {AccountState} from '#state/state.ts';
import {errorText} from '#std/error-text.ts';
import {changeProblem} from '#ui/actions/server-request.ts';
import type {App} from '#ui/core/app.ts';
import {withUndoKey} from '#ui/core/toast-message.ts';
import type {UndoRecord, UndoStep} from '#ui/core/undo-record.ts';
import {restoreSnoozes} from '#ui/inbox/snooze/snooze-store.ts';

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

/**
 * Undoes the steps of a record; returns the text to show, or undefined when nothing is left to undo. Messages
 * that were marked read become unread again, all of them, also those that another client has read since:
 * which client was first is chance, and a user who undoes wants to see them again. Throws when writing to
 * disk fails; undo can then be tried again.
 */
export function applyUndoRecord(app: App, record: UndoRecord): string | undefined {
  const changed = record.steps.toReversed().filter((step) => undoStep(app, step));
  return changed.length === 0 ? undefined : undoneText(record);
}

/** Returns the text after undo: what was undone, and where. */
export function undoneText({label, said, place}: UndoRecord): string {
  return said ?? `Undone: ${label}${place === undefined ? '' : ` · ${place}`}`;
}

/** Marks messages as unread again: the next key may refer to them although no paint shows them yet. */
function noteRestoredUnreads(app: App, ids: readonly number[]): void {
  app.set({restored: new Set([...app.screen.restored, ...ids])});
}

function undoStep(app: App, step: UndoStep): boolean {
  if (step.kind === 'snooze') return restoreSnoozes(app, step);
  if (step.kind !== 'change') return false;
  const change = app.session.pendingChanges.perform(atCurrentTopic(app.state, step.inverse, step.near));
  if (change === undefined) return false;
  const {action} = change;
  if (action.kind === 'flags' && action.flag === 'read' && action.op === 'remove') {
    noteRestoredUnreads(app, action.ids);
    const {byId} = app.state.unreads;
    const keys = new Set(action.ids.flatMap((id) => byId.get(id) ?? []));
    const order = app.screen.inbox.order.withReturning([...keys]);
    app.update((screen) => ({...screen, inbox: {...screen.inbox, order}}));
  }
  return true;
}

/**
 * Returns the action for the topic's current name. A topic that was renamed or moved took its visibility
 * policy along, and its old name has no messages left.
 */
function atCurrentTopic(state: AccountState, inverse: ReversibleAction, near: number | undefined): ReversibleAction {
  if (inverse.kind !== 'topicPolicy' || near === undefined) return inverse;
  const key = topicConversationKey(inverse.channelId, inverse.topic);
  const current = conversationOfMessageId(state, near);
  const isElsewhere = current?.kind === 'topic' && conversationKey(current) !== key && !state.userTopics.has(key);
  return isElsewhere ? {...inverse, channelId: current.channelId, topic: current.topic} : inverse;
}

/** Returns the current keys of the conversations that a record is about, the one that had the cursor first. */
export function currentConversationKeys({state, screen}: App, {keys, near, from}: UndoRecord): readonly string[] {
  const named = (key: string, id: number | undefined) => {
    const current = id === undefined ? undefined : conversationOfMessageId(state, id);
    return current === undefined ? screen.inbox.order.currentKey(key) : conversationKey(current);
  };
  const now = keys.map((key, at) => named(key, near?.[at]));
  if (from === undefined) return now;
  const first = now[keys.indexOf(from)] ?? from;
  return [first, ...now.filter((key) => key !== first)];
}

/** Returns a message id for each conversation: its newest unread or loaded message. */
export function newestKnownMessageIds({messages, unreads}: AccountState, keys: readonly ConversationKey[]): number[] {
  return keys.map((key) => unreads.conversations.get(key)?.ids.last() ?? messages.byConversation.get(key)?.last() ?? 0);
}

function conversationOfMessageId({messages, unreads}: AccountState, id: number): Conversation | undefined {
  const message = messages.byId.get(id);
  if (message !== undefined) return conversationOf(message);
  return unreads.conversations.get(unreads.byId.get(id) ?? '')?.conversation;
}

export function isMarkReadAction(action: ReversibleAction): boolean {
  return action.kind === 'flags' && action.flag === 'read' && action.op === 'add';
}
