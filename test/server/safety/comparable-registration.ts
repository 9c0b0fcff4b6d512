import type {Reply} from '#test/support/api-client.ts';
import {personalSubscriptionKeys} from './reference-client.ts';

/** Keys that differ between any two registrations or that no event updates. */
const volatile = [
  'queue_id',
  'last_event_id',
  'server_timestamp',
  'server_generation',
  'presence_last_update_id',
  'result',
  'msg',
  // It decreases when the newest message is deleted.
  'max_message_id',
  // Clients compute these from the user's role and groups.
  'can_create_public_streams',
  'can_create_private_streams',
  'can_create_web_public_streams',
  'can_create_streams',
  'can_invite_others_to_realm',
];

export function comparableRegistration(state: Reply): Reply {
  const copy = structuredClone(state);
  for (const key of volatile) delete copy[key];
  for (const key of ['subscriptions', 'unsubscribed', 'never_subscribed', 'streams']) {
    copy[key] = byKey(
      copy[key].map((channel: Reply) => plainChannel(channel, key)),
      'stream_id',
    );
  }
  for (const key of ['realm_users', 'realm_non_active_users', 'cross_realm_bots', 'realm_bots']) {
    copy[key] = byKey(copy[key], 'user_id');
  }
  for (const group of copy.realm_user_groups) {
    group.members.sort((a: number, b: number) => a - b);
    group.direct_subgroup_ids.sort((a: number, b: number) => a - b);
  }
  copy.realm_user_groups = byKey(copy.realm_user_groups, 'id');
  // A renamed channel may move in its group without an event.
  for (const group of copy.realm_default_stream_groups) group.streams.sort((a: number, b: number) => a - b);
  copy.drafts = byKey(copy.drafts, 'id');
  copy.scheduled_messages = byKey(copy.scheduled_messages, 'scheduled_message_id');
  // A reminder quotes what its owner may read when it is asked for.
  copy.reminders = byKey(copy.reminders, 'reminder_id').map(
    ({content: _quote, rendered_content: _html, ...one}) => one,
  );
  copy.saved_snippets = byKey(copy.saved_snippets, 'id');
  copy.navigation_views = byKey(copy.navigation_views, 'fragment');
  // A registration leaves out those of archived channels, and no event removes them or brings them back.
  const active = new Set<number>(
    ['subscriptions', 'unsubscribed', 'never_subscribed'].flatMap((key) =>
      copy[key].filter((channel: Reply) => channel.is_archived !== true).map((channel: Reply) => channel.stream_id),
    ),
  );
  const activeTopics = copy.user_topics.filter((one: Reply) => active.has(one.stream_id));
  copy.user_topics = byKey(byKey(activeTopics, 'stream_id'), 'topic_name');
  copy.muted_users = byKey(copy.muted_users, 'id');
  copy.starred_messages.sort((a: number, b: number) => a - b);
  copy.alert_words.sort();
  copy.unread_msgs = plainUnread(copy.unread_msgs);
  for (const one of copy.recent_private_conversations) one.user_ids.sort((a: number, b: number) => a - b);
  return copy;
}

function plainChannel(channel: Reply, list: string): Reply {
  const copy = {...channel};
  delete copy.stream_weekly_traffic;
  delete copy.is_recently_active;
  // Events update subscribers only in the subscription lists, not in the plain list of channels.
  if (list === 'streams') {
    delete copy.subscribers;
    delete copy.subscriber_count;
  }
  copy.subscribers?.sort((a: number, b: number) => a - b);
  if (list === 'never_subscribed' || list === 'streams') for (const key of personalSubscriptionKeys) delete copy[key];
  return copy;
}

function plainUnread(unread: Reply): Reply {
  return {
    pms: byKey(
      unread.pms.map(({sender_id: _s, ...entry}: Reply) => entry),
      'other_user_id',
    ),
    huddles: byKey(unread.huddles, 'user_ids_string'),
    streams: unread.streams
      .map((entry: Reply) => ({...entry, topic: entry.topic.toLowerCase()}))
      .sort((a: Reply, b: Reply) => a.stream_id - b.stream_id || (a.topic < b.topic ? -1 : 1)),
    mentions: [...unread.mentions].sort((a, b) => a - b),
  };
}

function byKey(list: Reply[], key: string): Reply[] {
  return [...list].sort((a, b) => (a[key] < b[key] ? -1 : a[key] > b[key] ? 1 : 0));
}
