import type {ReversibleAction} from '#state/actions/reversible-actions.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import {
  type Conversation,
  type ConversationKey,
  conversationKey,
  topicConversationKey,
} from '#state/model/conversation.ts';
import type {AccountState} from '#state/state.ts';
import type {App} from '#ui/core/app.ts';
import type {UndoRecord, UndoStep} from '#ui/core/undo-stack.ts';
import {restoreSnoozes} from '#ui/inbox/snooze/snooze-store.ts';

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
