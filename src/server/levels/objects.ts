import {findUser} from '#server/db/users.ts';
import {SystemGroup} from '#server/permissions/system-groups.ts';
import {apiEmail} from '#server/views/user.ts';
import {type Change, fields, type Json, type ObjectName, type Past, without} from './change.ts';

const object = (level: number, name: ObjectName, before: (value: Json, past: Past) => Json): Change => ({
  kind: 'object',
  level,
  object: name,
  before,
});

export const objectChanges: readonly Change[] = [
  fields(433, 'user', 'is_imported_stub'),
  fields(490, 'user', 'is_deleted'),
  object(363, 'user', (user) =>
    'user_id' in user && 'role' in user ? {...user, is_billing_admin: false} : user,
  ),
  object(163, 'user', (user) => (user.delivery_email === null ? without(user, ['delivery_email']) : user)),

  fields(254, 'channel', 'creator_id'),
  fields(315, 'channel', 'is_archived'),
  fields(389, 'channel', 'folder_id'),
  fields(392, 'channel', 'topics_policy'),
  fields(323, 'channel', 'is_recently_active'),
  fields(394, 'channel', 'subscriber_count'),
  fields(507, 'channel', 'default_push_notifications'),
  fields(342, 'channel', 'can_add_subscribers_group'),
  fields(142, 'channel', 'can_remove_subscribers_group'),
  fields(325, 'channel', 'can_administer_channel_group'),
  fields(333, 'channel', 'can_send_message_group'),
  fields(357, 'channel', 'can_subscribe_group'),
  fields(396, 'channel', 'can_move_messages_out_of_channel_group', 'can_move_messages_within_channel_group'),
  fields(402, 'channel', 'can_resolve_topics_group'),
  fields(407, 'channel', 'can_delete_any_message_group', 'can_delete_own_message_group'),
  fields(441, 'channel', 'can_create_topic_group'),
  object(320, 'channel', (channel) =>
    typeof channel.can_remove_subscribers_group === 'object'
      ? {...channel, can_remove_subscribers_group: SystemGroup.administrators}
      : channel,
  ),
  object(226, 'channel', (channel, {world}) =>
    'color' in channel
      ? {...channel, email_address: `channel-${channel.stream_id}@${new URL(world.url).hostname}`}
      : channel,
  ),

  object(365, 'message', olderEditTime),
  object(328, 'message', (message, past) => ({
    ...message,
    reactions: listOf(message.reactions).map((reaction) => ({
      ...reaction,
      user: reactor(reaction.user_id, past, 'id'),
    })),
  })),
  object(328, 'reaction', (event, past) =>
    'message_id' in event ? {...event, user: reactor(event.user_id, past, 'user_id')} : event,
  ),
  object(224, 'message', (message) =>
    Array.isArray(message.flags) ? {...message, flags: olderFlags(message.flags)} : message,
  ),

  fields(290, 'group', 'deactivated'),
  fields(131, 'group', 'direct_subgroup_ids'),
  object(131, 'group', (group) => ({...group, subgroups: []})),

  fields(471, 'linkifier', 'example_input', 'reverse_template'),
  fields(478, 'linkifier', 'alternative_url_templates'),
  object(176, 'linkifier', ({url_template, ...linkifier}) => ({
    ...linkifier,
    url_format: String(url_template)
      .replaceAll('%', '%%')
      .replaceAll(/\{[+/?&#]?(\w+)\}/g, '%($1)s'),
  })),

  object(472, 'attachment', ({message_ids, ...attachment}) =>
    message_ids === undefined
      ? attachment
      : {...attachment, messages: listOf(message_ids).map((id) => ({id, date_sent: 0}))},
  ),
  object(443, 'attachment', (attachment) =>
    typeof attachment.create_time === 'number'
      ? {...attachment, create_time: attachment.create_time * 1000}
      : attachment,
  ),

  fields(455, 'profileField', 'use_for_user_matching'),
  fields(296, 'profileField', 'editable_by_user'),
  fields(244, 'profileField', 'required'),
  fields(146, 'profileField', 'display_in_profile_summary'),
];

/** Before 365 one time stood for edits and moves alike. */
function olderEditTime({last_moved_timestamp: moved, ...message}: Json): Json {
  if (typeof moved !== 'number') return message;
  const edited = typeof message.last_edit_timestamp === 'number' ? message.last_edit_timestamp : 0;
  return {...message, last_edit_timestamp: Math.max(edited, moved)};
}

/** Before 224 there was one flag for both wildcards. */
export function olderFlags(flags: readonly unknown[]): unknown[] {
  return flags.filter((flag) => flag !== 'stream_wildcard_mentioned' && flag !== 'topic_wildcard_mentioned');
}

function reactor(userId: unknown, {world}: Past, idKey: 'id' | 'user_id'): Json {
  const user = findUser(world.db, Number(userId));
  return {
    [idKey]: userId,
    email: user === undefined ? '' : apiEmail(world, user),
    full_name: user?.full_name ?? '',
    is_mirror_dummy: false,
  };
}

function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value : [];
}
