import type {SessionContext} from '#state/session-context.ts';
import {fetchOnce} from './fetch-once.ts';
import {fetchPage, messagesRequest} from './fetch-page.ts';

/** Enough for a list of recent conversations that is more than the last minutes of the busiest one. */
const recentMessageCount = 200;

/** The newest messages of everything. */
export function fetchRecentMessages(context: SessionContext): Promise<void> {
  return fetchOnce(context, ['recent'], async (signal) => {
    const question = {anchor: 'newest', num_before: recentMessageCount, num_after: 0} as const;
    await fetchPage(context, {send: messagesRequest(context, question)}, signal);
  });
}
