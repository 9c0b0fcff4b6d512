import type {Conversation, ConversationKey} from '#state/model/conversation.ts';
import {directKey, topicConversationKey} from '#state/model/conversation.ts';
import type {Message} from '#state/model/message.ts';
import type {LoadedMessages} from '#state/state.ts';
import {invariant} from '#std/invariant.ts';
import {SortedSet} from '#std/sorted-map.ts';

export function conversationOf(message: Message): Conversation {
  return message.kind === 'channel'
    ? {kind: 'topic', channelId: message.channelId, topic: message.topic}
    : {kind: 'direct', userIds: message.userIds};
}

/** Adds or replaces messages and moves them between conversations as needed. Costs O(messages given). */
export function withMessages(messages: LoadedMessages, added: readonly Message[]): LoadedMessages {
  const changed = added.filter((message) => messages.byId.get(message.id) !== message);
  if (changed.length === 0) return messages;
  const moves = new ConversationMoves();
  const byId = messages.byId.edit((draft) => {
    for (const message of changed) {
      const before = draft.get(message.id);
      draft.set(message.id, message);
      if (before?.conversationKey === message.conversationKey) continue;
      if (before !== undefined) moves.remove(before);
      moves.add(message);
    }
  });
  return {...messages, byId, byConversation: moves.appliedTo(messages.byConversation)};
}

export function withMessage(messages: LoadedMessages, message: Message): LoadedMessages {
  return withMessages(messages, [message]);
}

export function withoutMessages(messages: LoadedMessages, ids: readonly number[]): LoadedMessages {
  const removed = ids.flatMap((id) => messages.byId.get(id) ?? []);
  if (removed.length === 0) return messages;
  const moves = new ConversationMoves();
  const byId = messages.byId.edit((draft) => {
    for (const message of removed) {
      draft.delete(message.id);
      moves.remove(message);
    }
  });
  return {...messages, byId, byConversation: moves.appliedTo(messages.byConversation)};
}

/** Adds messages from disk, except those that are loaded already, which are at least as new. */
export function withSavedOnly(messages: LoadedMessages, added: readonly Message[]): LoadedMessages {
  const unknown = added.filter(({id}) => !messages.byId.has(id));
  if (unknown.length === 0) return messages;
  const savedOnlyIds = (messages.savedOnlyIds ?? SortedSet.empty<number>()).withAll(unknown.map(({id}) => id));
  return {...withMessages(messages, unknown), savedOnlyIds};
}

/** Marks messages as reported by the server, no longer as known from disk only. */
export function withServerConfirmed(messages: LoadedMessages, ids: readonly number[]): LoadedMessages {
  const {savedOnlyIds} = messages;
  if (savedOnlyIds === undefined || !ids.some((id) => savedOnlyIds.has(id))) return messages;
  return {...messages, savedOnlyIds: savedOnlyIds.withoutAll(ids)};
}

/** Returns a message that the server reported; undefined for one known from disk only. */
export function confirmedMessage({byId, savedOnlyIds}: LoadedMessages, id: number): Message | undefined {
  return savedOnlyIds?.has(id) === true ? undefined : byId.get(id);
}

/** Collects the changes per conversation, so that each conversation is written once. */
class ConversationMoves {
  readonly #changes = new Map<ConversationKey, {added: number[]; removed: number[]}>();

  add(message: Message): void {
    this.#of(message).added.push(message.id);
  }

  remove(message: Message): void {
    this.#of(message).removed.push(message.id);
  }

  #of({conversationKey}: Message): {added: number[]; removed: number[]} {
    let change = this.#changes.get(conversationKey);
    if (change === undefined) {
      change = {added: [], removed: []};
      this.#changes.set(conversationKey, change);
    }
    return change;
  }

  appliedTo(byConversation: LoadedMessages['byConversation']): LoadedMessages['byConversation'] {
    if (this.#changes.size === 0) return byConversation;
    return byConversation.edit((draft) => {
      for (const [key, {added, removed}] of this.#changes) {
        const before = draft.get(key) ?? SortedSet.empty<number>();
        const ids = before.withoutAll(removed).withAll(added);
        if (ids.size === 0) draft.delete(key);
        else draft.set(key, ids);
      }
    });
  }
}

/** Throws when the indexes contradict each other. Used in tests: it visits every message. */
export function checkMessages({byId, byConversation}: LoadedMessages): void {
  let count = 0;
  for (const [key, ids] of byConversation) {
    invariant(ids.size > 0, `a conversation without messages: ${key}`);
    count += ids.size;
    for (const id of ids) {
      const message = byId.get(id);
      invariant(message?.conversationKey === key, `message ${id} is not of ${key}`);
      const expectedKey =
        message.kind === 'channel'
          ? topicConversationKey(message.channelId, message.topic)
          : directKey(message.userIds);
      invariant(expectedKey === key, `message ${id} says ${key} but is of ${expectedKey}`);
      invariant(!message.flags.includes('read'), `message ${id} has a flag of its own for being read`);
    }
  }
  invariant(count === byId.size, `${byId.size} messages, but ${count} in conversations`);
}
