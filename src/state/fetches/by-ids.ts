import type {Context} from '#state/session-context.ts';
import {askMessages, fetchPage} from './fetch-page.ts';

/** These messages, as far as they exist; nothing from servers that give them only one by one. */
export async function fetchByIds(context: Context, ids: readonly number[]): Promise<void> {
  const {abilities} = context.cache.state.server;
  if (ids.length === 0 || !abilities.messagesByIds) return;
  await fetchPage(context, {ask: askMessages(context, {message_ids: [...ids]})}, context.signal);
}
