import type {Message} from '#state/model/message.ts';
import {narrowIs} from '#state/model/narrow.ts';
import type {SessionContext} from '#state/session-context.ts';
import {invariant} from '#std/invariant.ts';
import type {ResultOf} from '#wire/endpoint.ts';
import type {Endpoints} from '#wire/endpoints.ts';
import {fetchOnce, fetchWithRetries} from './fetch-once.ts';
import {fetchPage, messagesRequest, singleMessageRequest} from './fetch-page.ts';

/** These messages, as far as they exist; nothing from servers that give them only one by one. */
export async function fetchMessagesByIds(context: SessionContext, ids: readonly number[]): Promise<void> {
  const {abilities} = context.cache.state.server;
  if (ids.length === 0 || !abilities.messagesByIds) return;
  await fetchPage(context, {send: messagesRequest(context, {message_ids: [...ids]})}, context.signal);
}

/** Enough for a list of recent conversations that is more than the last minutes of the busiest one. */
const recentMessageCount = 200;

/** The newest messages of everything. */
export function fetchRecentMessages(context: SessionContext): Promise<void> {
  return fetchOnce(context, ['recent'], async (signal) => {
    const question = {anchor: 'newest', num_before: recentMessageCount, num_after: 0} as const;
    await fetchPage(context, {send: messagesRequest(context, question)}, signal);
  });
}

/** Older ones are found when their conversation is looked at. */
const maxAlertedMessages = 200;

/**
 * The unread messages that hold an alert word. A registration names what is unread and who is mentioned, and says nothing of
 * alert words: the messages themselves do.
 */
export async function fetchAlertedMessages(context: SessionContext): Promise<void> {
  if (context.cache.state.alertWords.length === 0) return;
  const narrow = [...narrowIs('alerted'), ...narrowIs('unread')];
  const question = {narrow, anchor: 'newest', num_before: maxAlertedMessages, num_after: 0} as const;
  await fetchPage(context, {send: messagesRequest(context, question)}, context.signal);
}

/** One message by its id, from the server even if it is loaded. */
export function fetchMessage(context: SessionContext, messageId: number): Promise<Message> {
  return fetchOnce(context, ['message', messageId], async (signal) => {
    const [message] = await fetchPage(context, {send: singleMessageRequest(context, messageId)}, signal);
    invariant(message !== undefined, 'an answer without its message');
    return message;
  });
}

export type MessageEditHistory = ResultOf<Endpoints['getMessageHistory']>['message_history'];

/** The versions of a message, oldest first. Not kept: it is out of date with the next edit. */
export function fetchEditHistory(context: SessionContext, messageId: number): Promise<MessageEditHistory> {
  return fetchOnce(context, ['history', messageId], async (signal) => {
    const args = {message_id: messageId, allow_empty_topic_name: true};
    const answer = await fetchWithRetries(context, signal, () =>
      context.api.getMessageHistory(args, {signal}),
    );
    return answer.message_history;
  });
}

/** Who has read a message, as far as they let it be known. */
export function fetchReadReceipts(context: SessionContext, messageId: number): Promise<readonly number[]> {
  return fetchOnce(context, ['receipts', messageId], async (signal) => {
    const args = {message_id: messageId};
    const answer = await fetchWithRetries(context, signal, () => context.api.getReadReceipts(args, {signal}));
    return answer.user_ids;
  });
}
