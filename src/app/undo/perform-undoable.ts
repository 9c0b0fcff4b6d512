import {changeProblem} from '#app/actions/server-request.ts';
import type {App} from '#app/core/app.ts';
import type {UndoRecord, UndoStep} from '#app/core/undo-stack.ts';
import type {ReversibleAction} from '#state/actions/reversible-actions.ts';
import type {TopicPolicyAction} from '#state/actions/topic-policy.ts';
import {topicConversationKey} from '#state/model/conversation.ts';
import type {PlannedChange} from '#state/pending-changes/pending-changes.ts';
import type {AccountState} from '#state/state.ts';
import {applyUndoRecord} from './undo-record.ts';

/**
 * Does what can be taken back: shown at once, sent when possible, undone with one key. False when there was nothing to do.
 * `label` is what was done, in the past tense.
 */
export function performUndoable(app: App, action: ReversibleAction, label: string): boolean {
  return performAllUndoable(app, [action], label);
}

/** Several at once, which are taken back as one. */
export function performAllUndoable(app: App, actions: readonly ReversibleAction[], label: string): boolean {
  const kept = performWithUndoRecord(app, actions, {label, at: app.clock.now(), keys: [], steps: []});
  if (kept === undefined) return false;
  app.undoStack.push({label, record: kept, undo: () => applyUndoRecord(app, kept)});
  app.toast(`${label} · ${undoKey(app)} undo`);
  return true;
}

/**
 * Does them in order, all or none. What takes them back, after what `kept` says already, is on disk with them. Undefined when
 * nothing was done, and then it is said why, if there is a reason.
 */
export function performWithUndoRecord(
  app: App,
  actions: readonly ReversibleAction[],
  kept: UndoRecord,
): UndoRecord | undefined {
  const {pendingChanges: deeds} = app.session;
  const problem = changeProblem(app);
  if (problem !== undefined && actions.length > 0) {
    app.toast(problem, 'warning');
    return undefined;
  }
  const plans = actions.flatMap((action) => deeds.plan(action) ?? []);
  if (plans.length === 0) return undefined;
  const steps = plans.map((plan) => undoStepOf(app.state, plan));
  const all: UndoRecord = {...kept, steps: [...kept.steps, ...steps]};
  try {
    deeds.performAll(plans, app.undoStack.valuesToPersist(all));
    return all;
  } catch (error) {
    app.toast(`Not done: ${error instanceof Error ? error.message : String(error)}`, 'error');
    return undefined;
  }
}

function undoStepOf(state: AccountState, {action, inverse}: PlannedChange): UndoStep {
  const near = action.kind === 'topicPolicy' ? newestIn(state, action) : undefined;
  return {kind: 'deed', inverse, near};
}

/** The newest message of a topic that is known here. */
function newestIn(
  {messages, unreads}: AccountState,
  {channelId, topic}: TopicPolicyAction,
): number | undefined {
  const key = topicConversationKey(channelId, topic);
  return messages.byConversation.get(key)?.last() ?? unreads.conversations.get(key)?.ids.last();
}

/** `z` where a list has the keys, `Z` everywhere else. */
export function undoKey({screen}: App): 'z' | 'Z' {
  const {focus, view} = screen;
  const hasMain = focus === 'main' && view.kind !== 'messages' && view.kind !== 'channels';
  return hasMain || focus === 'channels' || focus === 'topics' || focus === 'people' ? 'z' : 'Z';
}
