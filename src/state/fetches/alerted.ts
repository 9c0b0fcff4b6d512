import {narrowIs} from '#state/model/narrow.ts';
import type {SessionContext} from '#state/session-context.ts';
import {fetchPage, messagesRequest} from './fetch-page.ts';

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
