import type {ApiClient, Reply} from '#test/support/api-client.ts';
import {fullClientCapabilities} from '#wire/register.ts';

const personalTypes = [
  'message',
  'update_message_flags',
  'subscription',
  'user_topic',
  'muted_users',
  'alert_words',
  'saved_snippets',
  'drafts',
  'scheduled_messages',
  'reminders',
  'navigation_views',
];

export const everything = {anchor: 'oldest', num_before: 0, num_after: 5000, apply_markdown: false};

/** Counts what a person has, as the expected numbers of the real export do. */
export async function personalFacts(client: ApiClient, archived: ReadonlySet<number>) {
  const {messages} = await client.get('/messages', everything);
  const state = await client.post('/register', {
    client_capabilities: fullClientCapabilities,
    fetch_event_types: personalTypes,
  });
  const {unread_msgs: unread} = state;
  return {
    messages: messages.length,
    flags: countBy(messages.flatMap(({flags}: Reply) => flags)),
    unread: unread.count,
    subs: state.subscriptions.length,
    // Zulip does not show those of archived channels.
    user_topics: state.user_topics.filter(({stream_id}: {stream_id: number}) => !archived.has(stream_id)).length,
    muted: state.muted_users.length,
    alert: state.alert_words.length,
    snippets: state.saved_snippets.length,
    drafts: state.drafts.length,
    scheduled: state.scheduled_messages.length,
    reminders: state.reminders.length,
    nav: state.navigation_views.length,
  };
}

export function countBy(items: readonly (string | number)[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const item of items) counts[item] = (counts[item] ?? 0) + 1;
  return counts;
}
