import type {App} from '#app/core/app.ts';
import type {UndoRecord, UndoStep} from '#app/core/undo-stack.ts';
import {restoreSnoozes} from '#app/inbox/snooze/snooze-store.ts';
import type {ReversibleAction} from '#state/actions/reversible-actions.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import {
  type Conversation,
  type ConversationKey,
  conversationKey,
  topicConversationKey,
} from '#state/model/conversation.ts';
import type {AccountState} from '#state/state.ts';
import {noteRestoredUnreads} from './unreads-restored-by-undo.ts';

/**
 * Gives what to say; undefined when nothing is left to take back. What was marked read is unread again, all of it, also what
 * another client has read since: whether that one or this one was first is chance, and who undoes wants to see it again.
 * Throws when the disk does not take it; then it can be tried again.
 */
export function applyUndoRecord(app: App, {label, said, steps}: UndoRecord): string | undefined {
  const changed = steps.toReversed().filter((step) => undoStep(app, step));
  return changed.length === 0 ? undefined : (said ?? `Undone: ${label}`);
}

function undoStep(app: App, step: UndoStep): boolean {
  if (step.kind === 'later') return restoreSnoozes(app, step);
  const done = app.session.pendingChanges.perform(atCurrentTopic(app.state, step.inverse, step.near));
  if (done === undefined) return false;
  const {action} = done;
  if (action.kind === 'flags' && action.flag === 'read' && action.op === 'remove') {
    noteRestoredUnreads(app, action.ids);
    const {byId} = app.state.unreads;
    const keys = new Set(action.ids.flatMap((id) => byId.get(id) ?? []));
    const order = app.screen.inbox.order.welcoming([...keys]);
    app.update((screen) => ({...screen, inbox: {...screen.inbox, order}}));
  }
  return true;
}

/** A topic that was renamed or moved took along how one listens to it, and its old name has nothing left. */
function atCurrentTopic(
  state: AccountState,
  inverse: ReversibleAction,
  near: number | undefined,
): ReversibleAction {
  if (inverse.kind !== 'topicPolicy' || near === undefined) return inverse;
  const key = topicConversationKey(inverse.channelId, inverse.topic);
  const where = conversationOfMessageId(state, near);
  const isElsewhere = where?.kind === 'topic' && conversationKey(where) !== key && !state.userTopics.has(key);
  return isElsewhere ? {...inverse, channelId: where.channelId, topic: where.topic} : inverse;
}

/** What the conversations that it was about are called by now; those that had the cursor first. */
export function currentConversationKeys(
  {state, screen}: App,
  {keys, near, from}: UndoRecord,
): readonly string[] {
  const named = (key: string, id: number | undefined) => {
    const where = id === undefined ? undefined : conversationOfMessageId(state, id);
    return where === undefined ? screen.inbox.order.currentKey(key) : conversationKey(where);
  };
  const now = keys.map((key, at) => named(key, near?.[at]));
  if (from === undefined) return now;
  const first = now[keys.indexOf(from)] ?? from;
  return [first, ...now.filter((key) => key !== first)];
}

/** A message of each, the newest that is unread or known here. */
export function newestKnownMessageIds(
  {messages, unreads}: AccountState,
  keys: readonly ConversationKey[],
): number[] {
  return keys.map(
    (key) => unreads.conversations.get(key)?.ids.last() ?? messages.byConversation.get(key)?.last() ?? 0,
  );
}

function conversationOfMessageId({messages, unreads}: AccountState, id: number): Conversation | undefined {
  const message = messages.byId.get(id);
  if (message !== undefined) return conversationOf(message);
  return unreads.conversations.get(unreads.byId.get(id) ?? '')?.conversation;
}
