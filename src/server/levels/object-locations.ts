import type {Json} from './downgrade.ts';
import type {ObjectName} from './level-change.ts';

/** A key of a response or event that contains an object, or a list of objects; 'self' means the whole value. */
type ObjectLocation = readonly [key: string, object: ObjectName, shape: 'one' | 'list' | 'self'];

const users: readonly ObjectLocation[] = [
  ['realm_users', 'user', 'list'],
  ['realm_non_active_users', 'user', 'list'],
  ['cross_realm_bots', 'user', 'list'],
];
const channels: readonly ObjectLocation[] = [
  ['subscriptions', 'channel', 'list'],
  ['unsubscribed', 'channel', 'list'],
  ['never_subscribed', 'channel', 'list'],
  ['streams', 'channel', 'list'],
];

/** The locations of objects in responses, by endpoint id. */
export const responseObjectLocations: Readonly<Record<string, readonly ObjectLocation[]>> = {
  'queue.register': [
    ...users,
    ...channels,
    ['realm_user_groups', 'group', 'list'],
    ['realm_linkifiers', 'linkifier', 'list'],
    ['custom_profile_fields', 'profileField', 'list'],
    ['realm_bots', 'bot', 'list'],
    ['user_settings', 'settings', 'one'],
    ['realm_user_settings_defaults', 'settings', 'one'],
    ['realm_playgrounds', 'playground', 'list'],
  ],
  'user.list': [['members', 'user', 'list']],
  'user.get': [['user', 'user', 'one']],
  'user.get-by-email': [['user', 'user', 'one']],
  'user.own': [['', 'user', 'self']],
  'channel.list': channels,
  'channel.get': [['stream', 'channel', 'one']],
  'subscription.list': channels,
  'message.list': [['messages', 'message', 'list']],
  'message.get': [['message', 'message', 'one']],
  'message.edit': [['detached_uploads', 'attachment', 'list']],
  'group.list': [['user_groups', 'group', 'list']],
  'linkifier.list': [['linkifiers', 'linkifier', 'list']],
  'attachment.list': [['attachments', 'attachment', 'list']],
  'export.list': [['exports', 'export', 'list']],
  'profile-field.list': [['custom_fields', 'profileField', 'list']],
};

/** The locations of objects in events, by event type. */
export const eventObjectLocations: Readonly<Record<string, readonly ObjectLocation[]>> = {
  message: [['message', 'message', 'one']],
  stream: [['streams', 'channel', 'list']],
  subscription: [['subscriptions', 'channel', 'list']],
  realm_user: [['person', 'user', 'one']],
  user_group: [['group', 'group', 'one']],
  realm_linkifiers: [['realm_linkifiers', 'linkifier', 'list']],
  custom_profile_fields: [['fields', 'profileField', 'list']],
  attachment: [['attachment', 'attachment', 'one']],
  reaction: [['', 'reaction', 'self']],
  realm_bot: [['bot', 'bot', 'one']],
  realm_playgrounds: [['realm_playgrounds', 'playground', 'list']],
  realm_export: [['exports', 'export', 'list']],
};

/** Applies `change` to every occurrence of the object; copies only the values that contain one. */
export function mapObjects(
  value: Json,
  locations: readonly ObjectLocation[],
  object: ObjectName,
  change: (occurrence: Json) => Json,
): Json {
  let result = value;
  for (const [key, name, shape] of locations) {
    if (name !== object) continue;
    if (shape === 'self') {
      result = change(result);
      continue;
    }
    const content = result[key];
    if (content === undefined || content === null) continue;
    result = {...result, [key]: shape === 'list' ? (content as Json[]).map(change) : change(content as Json)};
  }
  return result;
}
