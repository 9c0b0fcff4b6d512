import type {Context} from '#state/session-context.ts';
import {once} from './fetch-once.ts';
import {askMessages, fetchPage} from './fetch-page.ts';

/** Enough for a list of recent conversations that is more than the last minutes of the busiest one. */
const recentMessages = 200;

/** The newest messages of everything. */
export function fetchRecent(context: Context): Promise<void> {
  return once(context, ['recent'], async (signal) => {
    const question = {anchor: 'newest', num_before: recentMessages, num_after: 0} as const;
    await fetchPage(context, {ask: askMessages(context, question)}, signal);
  });
}
