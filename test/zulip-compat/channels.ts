import {includeIf, type Json} from './people.ts';

/** Returns a channel as a member gets it. */
export function channel(level: number, id: number, fields: Json = {}): Json {
  return {
    stream_id: id,
    name: `channel ${id}`,
    description: 'About **trees**',
    rendered_description: '<p>About <strong>trees</strong></p>',
    date_created: 1_691_057_093,
    invite_only: false,
    is_web_public: false,
    history_public_to_subscribers: true,
    stream_post_policy: 1,
    is_announcement_only: false,
    first_message_id: null,
    message_retention_days: null,
    ...includeIf(level >= 142 && level < 161, {can_remove_subscribers_group_id: 2}),
    ...includeIf(level >= 161, {can_remove_subscribers_group: 2}),
    ...includeIf(level >= 199, {stream_weekly_traffic: null}),
    ...includeIf(level >= 254, {creator_id: null}),
    ...includeIf(level >= 315, {is_archived: false}),
    ...includeIf(level >= 323, {is_recently_active: true}),
    ...includeIf(level >= 325, {can_administer_channel_group: {direct_members: [11], direct_subgroups: []}}),
    ...includeIf(level >= 333, {can_send_message_group: 1}),
    ...includeIf(level >= 342, {can_add_subscribers_group: 8}),
    ...includeIf(level >= 357, {can_subscribe_group: {direct_members: [], direct_subgroups: [3]}}),
    ...includeIf(level >= 389, {folder_id: null}),
    ...includeIf(level >= 392, {topics_policy: 'inherit'}),
    ...includeIf(level >= 394, {subscriber_count: 3}),
    ...includeIf(level >= 396, {
      can_move_messages_out_of_channel_group: 8,
      can_move_messages_within_channel_group: 8,
    }),
    ...includeIf(level >= 402, {can_resolve_topics_group: 8}),
    ...includeIf(level >= 407, {can_delete_any_message_group: 8, can_delete_own_message_group: 8}),
    ...includeIf(level >= 441, {can_create_topic_group: 1}),
    ...includeIf(level >= 507, {default_push_notifications: false}),
    ...fields,
  };
}

export function subscription(level: number, id: number, fields: Json = {}): Json {
  return {
    ...channel(level, id),
    color: '#76ce90',
    is_muted: false,
    in_home_view: true,
    pin_to_top: false,
    audible_notifications: null,
    desktop_notifications: null,
    email_notifications: null,
    push_notifications: null,
    wildcard_mentions_notify: null,
    stream_weekly_traffic: 7,
    ...includeIf(level < 226, {email_address: `general.${'0'.repeat(32)}@chat.example.com`}),
    ...fields,
  };
}

/** Full subscriber lists exist only at levels without subscriber_count, as Parley requests them. */
function subscribers(level: number, ids: number[]): Json {
  if (level >= 412) return {partial_subscribers: ids};
  return level < 394 ? {subscribers: ids} : {};
}

export function channelBlocks(level: number): Json {
  return {
    subscriptions: [
      subscription(level, 1, {name: 'general', first_message_id: 101, ...subscribers(level, [10, 11, 12])}),
      subscription(level, 2, {
        name: 'Größe & Gewicht',
        is_muted: true,
        in_home_view: false,
        invite_only: true,
        history_public_to_subscribers: false,
        ...subscribers(level, [10]),
      }),
      ...(level >= 315
        ? [subscription(level, 5, {name: 'old days', is_archived: true, ...subscribers(level, [10])})]
        : []),
    ],
    unsubscribed: [subscription(level, 3, {pin_to_top: true, ...subscribers(level, [11])})],
    never_subscribed: [channel(level, 4, {is_web_public: true, ...subscribers(level, [])})],
    realm_default_streams: level >= 330 ? [1, 4] : [channel(level, 1), channel(level, 4)],
    ...includeIf(level >= 389, {
      channel_folders: [
        {
          id: 1,
          name: 'Nature',
          description: '',
          rendered_description: '',
          date_created: null,
          creator_id: null,
          is_archived: false,
          ...includeIf(level >= 414, {order: 0}),
        },
      ],
    }),
  };
}
