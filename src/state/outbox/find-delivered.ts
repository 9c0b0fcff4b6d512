import {type Conversation, directConversation, directKey} from '#state/model/conversation.ts';
import type {Narrow} from '#state/model/narrow.ts';
import type {OutboxEntry} from '#state/model/outbox.ts';
import type {SessionContext} from '#state/session-context.ts';
import type {AccountState} from '#state/state.ts';
import {previousTopic} from '#wire/objects/edit-history.ts';
import type {WireMessage} from '#wire/objects/message.ts';
import {normalizedContent, normalizedTopicKey} from './normalize-text.ts';

const pageSize = 200;
/** No user sends more messages than this before the lookup runs. */
const maxPages = 10;

/**
 * Finds the message that an entry became, if the server has it: own message, newer than any known when the
 * request was sent, with the same text and conversation, and not the message of another entry.
 */
export async function findDelivered(
  context: Pick<SessionContext, 'api' | 'cache' | 'signal'>,
  entry: OutboxEntry,
  isTaken: (messageId: number) => boolean,
): Promise<number | undefined> {
  const {api, cache, signal} = context;
  const narrow = ownMessagesNear(entry.conversation, cache.state.self.userId);
  let after = entry.afterMessageId ?? 0;
  for (let page = 0; page < maxPages; page++) {
    const response = await api.getMessages(
      {
        anchor: Math.max(after, 0),
        include_anchor: false,
        num_before: 0,
        num_after: pageSize,
        narrow: [...narrow],
        apply_markdown: false,
      },
      {signal},
    );
    const newer = response.messages.filter(({id}) => id > after);
    const delivered = newer.find((message) => !isTaken(message.id) && isDeliveryOf(entry, message, cache.state));
    if (delivered !== undefined) return delivered.id;
    const last = newer.at(-1);
    if (last === undefined || response.found_newest === true) return undefined;
    after = last.id;
  }
  return undefined;
}

/** Searches the whole channel: the message or its topic may have been moved since. */
function ownMessagesNear(conversation: Conversation, selfId: number): Narrow {
  const sender = {operator: 'sender', operand: selfId};
  if (conversation.kind === 'topic') return [{operator: 'channel', operand: conversation.channelId}, sender];
  const {userIds} = conversation;
  return [{operator: 'dm', operand: userIds.length === 0 ? [selfId] : [...userIds]}, sender];
}

/** Returns whether a message matches an entry, in its current version or an earlier one. */
export function isDeliveryOf(entry: OutboxEntry, message: WireMessage, state: AccountState): boolean {
  if (message.sender_id !== state.self.userId) return false;
  if (message.id <= (entry.afterMessageId ?? 0)) return false;
  return isInConversation(entry.conversation, message, state) && hasSameContent(entry.content, message, state);
}

function hasSameContent(content: string, message: WireMessage, state: AccountState): boolean {
  const expected = normalizedContent(content, state);
  const versions = [message.content, ...(message.edit_history ?? []).map((edit) => edit.prev_content ?? '')];
  return versions.some((version) => normalizedContent(version, state) === expected);
}

function isInConversation(conversation: Conversation, message: WireMessage, state: AccountState): boolean {
  if (message.type === 'private') {
    if (conversation.kind !== 'direct') return false;
    const people = message.display_recipient.map(({id}) => id);
    return directKey(directConversation(people, state.self.userId).userIds) === directKey(conversation.userIds);
  }
  if (conversation.kind !== 'topic' || message.stream_id !== conversation.channelId) return false;
  const topics = [
    message.subject,
    ...(message.edit_history ?? []).map((edit) => previousTopic(edit) ?? message.subject),
  ];
  const expected = normalizedTopicKey(conversation.topic, state);
  return topics.some((topic) => normalizedTopicKey(topic, state) === expected);
}
