import type {Message} from '#state/model/message.ts';
import type {SessionContext} from '#state/session-context.ts';
import {invariant} from '#std/invariant.ts';
import type {ResultOf} from '#wire/endpoint.ts';
import type {Endpoints} from '#wire/endpoints.ts';
import {fetchOnce, fetchWithRetries} from './fetch-once.ts';
import {fetchPage, singleMessageRequest} from './fetch-page.ts';

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
