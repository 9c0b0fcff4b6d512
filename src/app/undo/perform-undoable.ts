import type {App} from '#app/core/app.ts';
import {readSnoozes, restoreSnoozes} from '#app/snoozes/snooze-store.ts';
import type {TopicPolicyAction} from '#state/actions/own-settings.ts';
import type {ReversibleAction} from '#state/actions/reversible-actions.ts';
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
import {composed} from '#std/composed-text.ts';
import {errorText} from '#std/error-text.ts';
import {changeProblem} from '#ui/core/change-problem.ts';
import {type ToastMessage, withUndoKey} from '#ui/core/toast-message.ts';
import type {UndoRecord, UndoStep} from './undo-record.ts';
import type {Undone} from './undo-stack.ts';

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
  try {
    return performPlans(app, plans, record);
  } catch (error) {
    app.toast(`Could not save the change: ${errorText(error)}`, 'error');
    return undefined;
  }
}

export function wouldChange({session}: App, actions: readonly ReversibleAction[]): boolean {
  return actions.some((action) => session.pendingChanges.plan(action) !== undefined);
}

/** Performs changes and persists how to undo them, after the steps that `record` has. Throws when writing to disk fails. */
function performPlans(app: App, plans: readonly PlannedChange[], record: UndoRecord): UndoRecord {
  const steps = plans.map((plan) => undoStepOf(app.state, plan));
  const fullRecord: UndoRecord = {...record, steps: [...record.steps, ...steps]};
  app.session.pendingChanges.performAll(plans, app.undoStack.valuesToPersist(fullRecord));
  return fullRecord;
}

/** Returns the conversation of the messages that actions change, for the user; undefined when they are in several. */
function placeOf(state: AccountState, actions: readonly ReversibleAction[]): string | undefined {
  const ids = actions.flatMap((action) =>
    action.kind === 'flags' ? action.ids : 'messageId' in action ? [action.messageId] : [],
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
 * Undoes the steps of a record; returns undefined when nothing is left to undo. Messages that were marked read become unread
 * again, all of them, also those that another client has read since: which client was first is chance, and a user who undoes
 * wants to see them again. Throws when writing to disk fails; undo can then be tried again.
 */
export function applyUndoRecord(app: App, record: UndoRecord): Undone | undefined {
  const redoSteps = record.steps.toReversed().flatMap((step) => applyStep(app, step) ?? []);
  return redoSteps.length === 0 ? undefined : {text: undoneText(record), redoSteps: redoSteps.toReversed()};
}

/**
 * Redoes an action by the steps that its undo returned, and puts it into the history again: how to undo it is on disk before or
 * with the changes. Returns the text to show. Throws when writing to disk fails; redo can then be tried again.
 */
export function redoRecord(app: App, record: UndoRecord): string | ToastMessage {
  const snoozeSteps = record.steps.filter((step) => step.kind === 'snooze');
  const {pendingChanges} = app.session;
  const plans = record.steps.flatMap((step) =>
    step.kind === 'change' ? (pendingChanges.plan(atCurrentTopic(app.state, step.inverse, step.near)) ?? []) : [],
  );
  if (plans.length + snoozeSteps.length === 0) return composed`Nothing is left to redo: ${record.label}`;
  const first: UndoRecord = {
    ...record,
    at: app.clock.now(),
    steps: snoozeSteps.map((step) => inverseSnoozeStep(app, step)),
  };
  app.undoStack.pushRecord(plans.length === 0 ? first : performPlans(app, plans, first));
  for (const step of snoozeSteps) restoreSnoozes(app, step);
  for (const {action} of plans) showRestoredUnreads(app, action);
  return withUndoKey(redoneText(record));
}

/** Returns the text after undo: what was undone, and where. */
export function undoneText({label, said, place}: UndoRecord): string {
  return said ?? composed`Undone: ${label}${place === undefined ? '' : composed` · ${place}`}`;
}

export function redoneText({label, place}: UndoRecord): string {
  return composed`Redone: ${label}${place === undefined ? '' : composed` · ${place}`}`;
}

/** Marks messages as unread again: the next key may refer to them although no paint shows them yet. */
function showRestoredUnreads(app: App, action: ReversibleAction): void {
  if (action.kind !== 'flags' || action.flag !== 'read' || action.op !== 'remove') return;
  app.set({restored: new Set([...app.screen.restored, ...action.ids])});
  const {byId} = app.state.unreads;
  const keys = new Set(action.ids.flatMap((id) => byId.get(id) ?? []));
  const order = app.screen.inbox.order.withReturning([...keys]);
  app.setIn('inbox', {order});
}

type SnoozeStep = Extract<UndoStep, {readonly kind: 'snooze'}>;

/** Returns the step that makes the snoozes of the conversations what they are now, also before the inbox was shown. */
function inverseSnoozeStep(app: App, {keys, before}: SnoozeStep): SnoozeStep {
  const snoozes = readSnoozes(app);
  return {kind: 'snooze', keys, before: keys.flatMap((key) => snoozes.get(key) ?? []), since: before[0]?.since};
}

/** Carries out a step; returns the step that takes that back, or undefined when nothing changed. */
function applyStep(app: App, step: UndoStep): UndoStep | undefined {
  if (step.kind === 'snooze') {
    const inverse = inverseSnoozeStep(app, step);
    return restoreSnoozes(app, step) ? inverse : undefined;
  }
  if (step.kind !== 'change') return undefined;
  const change = app.session.pendingChanges.perform(atCurrentTopic(app.state, step.inverse, step.near));
  if (change === undefined) return undefined;
  showRestoredUnreads(app, change.action);
  return {kind: 'change', inverse: change.inverse, near: step.near};
}

/**
 * Returns the action for the topic's current name. A topic that was renamed or moved took its visibility
 * policy along, and its old name has no messages left.
 */
export function atCurrentTopic(
  state: AccountState,
  action: ReversibleAction,
  near: number | undefined,
): ReversibleAction {
  if (action.kind !== 'topicPolicy' || near === undefined) return action;
  const key = topicConversationKey(action.channelId, action.topic);
  const current = conversationOfMessageId(state, near);
  const isElsewhere = current?.kind === 'topic' && conversationKey(current) !== key && !state.userTopics.has(key);
  return isElsewhere ? {...action, channelId: current.channelId, topic: current.topic} : action;
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
