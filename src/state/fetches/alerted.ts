import {isNarrow} from '#state/model/narrow.ts';
import type {Context} from '#state/session-context.ts';
import {askMessages, fetchPage} from './fetch-page.ts';

/** Older ones are found when their conversation is looked at. */
const most = 200;

/**
 * The unread messages that hold an alert word. A registration names what is unread and who is mentioned, and says nothing of
 * alert words: the messages themselves do.
 */
export async function fetchAlerted(context: Context): Promise<void> {
  if (context.cache.state.alertWords.length === 0) return;
  const narrow = [...isNarrow('alerted'), ...isNarrow('unread')];
  const question = {narrow, anchor: 'newest', num_before: most, num_after: 0} as const;
  await fetchPage(context, {ask: askMessages(context, question)}, context.signal);
}
