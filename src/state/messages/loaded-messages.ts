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

/** Adds, replaces, and files under another conversation what went there. Costs what is given. */
export function withMessages(messages: LoadedMessages, given: readonly Message[]): LoadedMessages {
  const changed = given.filter((message) => messages.byId.get(message.id) !== message);
  if (changed.length === 0) return messages;
  const refiled = new ConversationMoves();
  const byId = messages.byId.edit((draft) => {
    for (const message of changed) {
      const before = draft.get(message.id);
      draft.set(message.id, message);
      if (before?.conversationKey === message.conversationKey) continue;
      if (before !== undefined) refiled.remove(before);
      refiled.add(message);
    }
  });
  return {...messages, byId, byConversation: refiled.appliedTo(messages.byConversation)};
}

export function withMessage(messages: LoadedMessages, message: Message): LoadedMessages {
  return withMessages(messages, [message]);
}

export function withoutMessages(messages: LoadedMessages, ids: readonly number[]): LoadedMessages {
  const gone = ids.flatMap((id) => messages.byId.get(id) ?? []);
  if (gone.length === 0) return messages;
  const refiled = new ConversationMoves();
  const byId = messages.byId.edit((draft) => {
    for (const message of gone) {
      draft.delete(message.id);
      refiled.remove(message);
    }
  });
  return {...messages, byId, byConversation: refiled.appliedTo(messages.byConversation)};
}

/** With what the disk has; what is loaded already is at least as new. */
export function withSavedOnly(messages: LoadedMessages, given: readonly Message[]): LoadedMessages {
  const unknown = given.filter(({id}) => !messages.byId.has(id));
  if (unknown.length === 0) return messages;
  const recalled = (messages.savedOnlyIds ?? SortedSet.empty<number>()).withAll(unknown.map(({id}) => id));
  return {...withMessages(messages, unknown), savedOnlyIds: recalled};
}

/** The server told of these. */
export function withServerConfirmed(messages: LoadedMessages, ids: readonly number[]): LoadedMessages {
  const {savedOnlyIds: recalled} = messages;
  if (recalled === undefined || !ids.some((id) => recalled.has(id))) return messages;
  return {...messages, savedOnlyIds: recalled.withoutAll(ids)};
}

/** A message that the server told of; undefined for what only the disk has. */
export function confirmedMessage(
  {byId, savedOnlyIds: recalled}: LoadedMessages,
  id: number,
): Message | undefined {
  return recalled?.has(id) === true ? undefined : byId.get(id);
}

/** Collects per conversation, so that each is written once. */
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

/** Throws when the parts contradict each other. Costs as much as there is: for tests. */
export function checkMessages({byId, byConversation}: LoadedMessages): void {
  let count = 0;
  for (const [key, ids] of byConversation) {
    invariant(ids.size > 0, `a conversation without messages: ${key}`);
    count += ids.size;
    for (const id of ids) {
      const message = byId.get(id);
      invariant(message?.conversationKey === key, `message ${id} is not of ${key}`);
      const place =
        message.kind === 'channel'
          ? topicConversationKey(message.channelId, message.topic)
          : directKey(message.userIds);
      invariant(place === key, `message ${id} says ${key} but is of ${place}`);
      invariant(!message.flags.includes('read'), `message ${id} has a flag of its own for being read`);
    }
  }
  invariant(count === byId.size, `${byId.size} messages, but ${count} in conversations`);
}
