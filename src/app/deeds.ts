import type {ReversibleAction} from '#state/actions/reversible.ts';
import type {TopicPolicyAction} from '#state/actions/topic-policy.ts';
import {topicConversationKey} from '#state/model/conversation.ts';
import type {AccountState} from '#state/state.ts';
import type {App} from './app.ts';
import {changeProblem} from './asking.ts';
import {type KeptUndo, takeBack, type UndoStep} from './kept-undo.ts';

/**
 * Does what can be taken back: shown at once, sent when possible, undone with one key. False when there was nothing to do.
 * `label` is what was done, in the past tense.
 */
export function doUndoably(app: App, action: ReversibleAction, label: string): boolean {
  return doAllUndoably(app, [action], label);
}

/** Several at once, which are taken back as one. */
export function doAllUndoably(app: App, actions: readonly ReversibleAction[], label: string): boolean {
  const steps = actions.flatMap((action) => attempt(app, action) ?? []);
  if (steps.length === 0) return false;
  const kept: KeptUndo = {label, at: app.clock.now(), keys: [], steps};
  app.undoStack.push({label, kept, undo: () => takeBack(app, kept)});
  app.toast(`${label} · ${undoKey(app)} undo`);
  return true;
}

/** Gives what takes it back; undefined when it was not done, and then it is said why, if there is a reason. */
export function attempt(app: App, action: ReversibleAction): UndoStep | undefined {
  const problem = changeProblem(app);
  if (problem !== undefined) {
    app.toast(problem, 'warning');
    return undefined;
  }
  try {
    const near = action.kind === 'topicPolicy' ? newestIn(app.state, action) : undefined;
    const done = app.session.deeds.do(action);
    return done === undefined ? undefined : {kind: 'deed', inverse: done.inverse, near};
  } catch (error) {
    app.toast(`Not done: ${error instanceof Error ? error.message : String(error)}`, 'error');
    return undefined;
  }
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
