import type {Message} from '#state/model/message.ts';
import type {Context} from '#state/session-context.ts';
import {invariant} from '#std/invariant.ts';
import type {ResultOf} from '#wire/endpoint.ts';
import type {Endpoints} from '#wire/endpoints.ts';
import {once, patiently} from './fetch-once.ts';
import {askMessage, fetchPage} from './fetch-page.ts';

/** One message by its id, from the server even if it is loaded. */
export function fetchMessage(context: Context, messageId: number): Promise<Message> {
  return once(context, ['message', messageId], async (signal) => {
    const [message] = await fetchPage(context, {ask: askMessage(context, messageId)}, signal);
    invariant(message !== undefined, 'an answer without its message');
    return message;
  });
}

export type MessageHistory = ResultOf<Endpoints['getMessageHistory']>['message_history'];

/** The versions of a message, oldest first. Not kept: it is out of date with the next edit. */
export function fetchHistory(context: Context, messageId: number): Promise<MessageHistory> {
  return once(context, ['history', messageId], async (signal) => {
    const args = {message_id: messageId, allow_empty_topic_name: true};
    const answer = await patiently(context, signal, () => context.api.getMessageHistory(args, {signal}));
    return answer.message_history;
  });
}

/** Who has read a message, as far as they let it be known. */
export function fetchReadReceipts(context: Context, messageId: number): Promise<readonly number[]> {
  return once(context, ['receipts', messageId], async (signal) => {
    const args = {message_id: messageId};
    const answer = await patiently(context, signal, () => context.api.getReadReceipts(args, {signal}));
    return answer.user_ids;
  });
}
