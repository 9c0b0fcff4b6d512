import {type Conversation, directConversation, directKey} from '#state/model/conversation.ts';
import type {Narrow} from '#state/model/narrow.ts';
import type {OutboxEntry} from '#state/model/outbox.ts';
import type {SessionContext} from '#state/session-context.ts';
import type {AccountState} from '#state/state.ts';
import {previousTopic} from '#wire/objects/edit-history.ts';
import type {WireMessage} from '#wire/objects/message.ts';
import {normalizedContent, normalizedTopicKey} from './normalize-text.ts';

const pageSize = 200;
/** Nobody writes more than this before finding out about one message. */
const mostPages = 10;

/**
 * The message an entry became, if the server has it: ours, newer than all we knew when the request left, the same text
 * in the same place, and not what another entry became.
 */
export async function findDelivered(
  context: Pick<SessionContext, 'api' | 'cache' | 'signal'>,
  entry: OutboxEntry,
  isTaken: (messageId: number) => boolean,
): Promise<number | undefined> {
  const {api, cache, signal} = context;
  const narrow = ownMessagesNear(entry.conversation, cache.state.self.userId);
  let after = entry.afterMessageId ?? 0;
  for (let page = 0; page < mostPages; page++) {
    const answer = await api.getMessages(
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
    const newer = answer.messages.filter(({id}) => id > after);
    const found = newer.find((message) => !isTaken(message.id) && isDeliveryOf(entry, message, cache.state));
    if (found !== undefined) return found.id;
    const last = newer.at(-1);
    if (last === undefined || answer.found_newest === true) return undefined;
    after = last.id;
  }
  return undefined;
}

/** The whole channel: the message may have been moved to another topic since, or its topic renamed. */
function ownMessagesNear(conversation: Conversation, selfId: number): Narrow {
  const sender = {operator: 'sender', operand: selfId};
  if (conversation.kind === 'topic') return [{operator: 'channel', operand: conversation.channelId}, sender];
  const {userIds} = conversation;
  return [{operator: 'dm', operand: userIds.length === 0 ? [selfId] : [...userIds]}, sender];
}

/** Does this message hold what the entry says? Edits and moves since do not count against it. */
export function isDeliveryOf(entry: OutboxEntry, message: WireMessage, state: AccountState): boolean {
  if (message.sender_id !== state.self.userId) return false;
  if (message.id <= (entry.afterMessageId ?? 0)) return false;
  return isInPlace(entry.conversation, message, state) && hasSameContent(entry.content, message, state);
}

function hasSameContent(content: string, message: WireMessage, state: AccountState): boolean {
  const wanted = normalizedContent(content, state);
  const versions = [message.content, ...(message.edit_history ?? []).map((edit) => edit.prev_content ?? '')];
  return versions.some((version) => normalizedContent(version, state) === wanted);
}

function isInPlace(conversation: Conversation, message: WireMessage, state: AccountState): boolean {
  if (message.type === 'private') {
    if (conversation.kind !== 'direct') return false;
    const people = message.display_recipient.map(({id}) => id);
    return (
      directKey(directConversation(people, state.self.userId).userIds) === directKey(conversation.userIds)
    );
  }
  if (conversation.kind !== 'topic' || message.stream_id !== conversation.channelId) return false;
  const topics = [
    message.subject,
    ...(message.edit_history ?? []).map((edit) => previousTopic(edit) ?? message.subject),
  ];
  const wanted = normalizedTopicKey(conversation.topic, state);
  return topics.some((topic) => normalizedTopicKey(topic, state) === wanted);
}
