import type {SessionContext} from '#state/session-context.ts';
import {fetchPage, messagesRequest} from './fetch-page.ts';

/** These messages, as far as they exist; nothing from servers that give them only one by one. */
export async function fetchMessagesByIds(context: SessionContext, ids: readonly number[]): Promise<void> {
  const {abilities} = context.cache.state.server;
  if (ids.length === 0 || !abilities.messagesByIds) return;
  await fetchPage(context, {send: messagesRequest(context, {message_ids: [...ids]})}, context.signal);
}
