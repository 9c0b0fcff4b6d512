import {exportTypes} from '#server/actions/organization/data-exports.ts';
import type {ServerContext} from '#server/context.ts';
import {findMessage} from '#server/db/messages.ts';
import type {UserRow} from '#server/db/rows.ts';
import {findUser} from '#server/db/users.ts';
import type {Json, RequestParams, SentEvent} from '#server/downgrade.ts';
import type {ApiError} from '#server/errors.ts';
import type {EventBody} from '#server/event-queues/event-queues.ts';
import type {OrganizationSettings} from '#server/organization/organization-settings.ts';
import {SystemGroup} from '#server/organization/permission-rules.ts';
import {apiEmail, botAvatar} from '#server/views/user.ts';
import {levels} from '#wire/levels.ts';
import {groupSettingLevels} from '#wire/objects/group.ts';
import {settingLevels} from '#wire/objects/user-settings.ts';

/** The data that a rewrite may look up. */
export interface DowngradeContext {
  readonly server: ServerContext;
  readonly level: number;
}

/** The data that the rewrite of a request may look up. */
export interface RequestDowngradeContext extends DowngradeContext {
  readonly actor: UserRow | undefined;
}

/** Turns the newer form of an object or response into the older one. */
export type JsonRewrite = (value: Json, context: DowngradeContext) => Json;
/** Changes the parameters of an older request into those of a newer one, or refuses them. */
export type RequestRewrite = (params: RequestParams, context: RequestDowngradeContext) => void;
type EventRewrite = (body: EventBody, context: DowngradeContext) => readonly SentEvent[];

/**
 * One difference between a server before `level` and one from it on, as data. `before` turns the newer form into the
 * older one. Changes apply from the newest down to the one just above the simulated level.
 */
export type LevelChange = {readonly level: number} & (
  | {readonly kind: 'fields'; readonly object: ObjectName; readonly names: readonly string[]}
  | {readonly kind: 'object'; readonly object: ObjectName; readonly before: JsonRewrite}
  | {readonly kind: 'responseFields'; readonly endpoint: string; readonly without: readonly string[]}
  | {readonly kind: 'reshape'; readonly endpoint: string; readonly before: JsonRewrite}
  | {readonly kind: 'eventType'; readonly type: string}
  | {readonly kind: 'event'; readonly type: string; readonly before: EventRewrite}
  | {readonly kind: 'error'; readonly error: string; readonly before: (error: ApiError) => ApiError}
  | {readonly kind: 'request'; readonly endpoint: string; readonly before: RequestRewrite}
  /** Before the level, all clients have the capability, or none has it, whatever they sent. */
  | {readonly kind: 'capability'; readonly name: string; readonly before: boolean}
  /** Before the level, every organization has this value of the setting. */
  | {readonly kind: 'setting'; readonly before: Partial<OrganizationSettings>}
  /** Before the level, users with `role` may do at the endpoint what needs the role `now` from the level on. */
  | {readonly kind: 'role'; readonly endpoint: string; readonly role: number; readonly now: number}
);

/** The objects that occur in several responses and events; see `object-locations.ts`. */
export type ObjectName =
  | 'user'
  | 'channel'
  | 'message'
  | 'group'
  | 'linkifier'
  | 'attachment'
  | 'profileField'
  | 'reaction'
  | 'bot'
  | 'settings'
  | 'playground'
  | 'export';

/** Returns the object without some of its keys. */
export function without(value: Json, names: readonly string[]): Json {
  const rest = {...value};
  for (const name of names) delete rest[name];
  return rest;
}

/** Makes the change for fields that an object does not have before `level`. */
function removedFields(level: number, object: ObjectName, ...names: string[]): LevelChange {
  return {kind: 'fields', level, object, names};
}

/** Makes the change for an endpoint's response that has another form before `level`. */
export function reshaped(level: number, endpoint: string, before: JsonRewrite): LevelChange {
  return {kind: 'reshape', level, endpoint, before};
}

/** Makes the change for fields that an endpoint's response does not have before `level`. */
export function removedResponseFields(level: number, endpoint: string, ...names: string[]): LevelChange {
  return {kind: 'responseFields', level, endpoint, without: names};
}

function object(level: number, name: ObjectName, before: JsonRewrite): LevelChange {
  return {kind: 'object', level, object: name, before};
}

/** Properties that had other values on older servers; event changes for them are made from this table. */
export const valueChanges: readonly {
  readonly level: number;
  readonly object: ObjectName;
  readonly property: string;
  readonly before: (value: unknown) => unknown;
}[] = [
  {
    level: 454,
    object: 'settings',
    property: 'web_home_view',
    before: (view) => (view === 'recent' ? 'recent_topics' : view),
  },
  {
    level: 408,
    object: 'settings',
    property: 'twenty_four_hour_time',
    before: (value) => value ?? false,
  },
  {
    level: 320,
    object: 'channel',
    property: 'can_remove_subscribers_group',
    before: (group) => (typeof group === 'object' ? SystemGroup.administrators : group),
  },
];

export const objectChanges: readonly LevelChange[] = [
  removedFields(levels.exportTypes, 'export', 'export_type'),
  object(levels.exportTypeNames, 'export', (row) => ({
    ...row,
    export_type: exportTypes[row.export_type as keyof typeof exportTypes],
  })),
  object(levels.playgroundTemplates, 'playground', ({url_template, ...playground}) => ({
    ...playground,
    url_prefix: String(url_template).replace('{code}', ''),
  })),

  removedFields(433, 'user', 'is_imported_stub'),
  removedFields(490, 'user', 'is_deleted'),
  object(363, 'user', (user) => ('user_id' in user && 'role' in user ? {...user, is_billing_admin: false} : user)),
  object(163, 'user', (user) => (user.delivery_email === null ? without(user, ['delivery_email']) : user)),

  removedFields(254, 'channel', 'creator_id'),
  removedFields(315, 'channel', 'is_archived'),
  removedFields(389, 'channel', 'folder_id'),
  removedFields(392, 'channel', 'topics_policy'),
  removedFields(323, 'channel', 'is_recently_active'),
  removedFields(394, 'channel', 'subscriber_count'),
  removedFields(507, 'channel', 'default_push_notifications'),
  removedFields(342, 'channel', 'can_add_subscribers_group'),
  removedFields(142, 'channel', 'can_remove_subscribers_group'),
  removedFields(325, 'channel', 'can_administer_channel_group'),
  removedFields(333, 'channel', 'can_send_message_group'),
  removedFields(357, 'channel', 'can_subscribe_group'),
  removedFields(396, 'channel', 'can_move_messages_out_of_channel_group', 'can_move_messages_within_channel_group'),
  removedFields(402, 'channel', 'can_resolve_topics_group'),
  removedFields(407, 'channel', 'can_delete_any_message_group', 'can_delete_own_message_group'),
  removedFields(441, 'channel', 'can_create_topic_group'),
  object(226, 'channel', (channel, {server}) =>
    'color' in channel
      ? {...channel, email_address: `channel-${channel.stream_id}@${new URL(server.url).hostname}`}
      : channel,
  ),

  object(365, 'message', olderEditTime),
  object(328, 'message', (message, context) => ({
    ...message,
    reactions: listOf(message.reactions).map((reaction) => ({
      ...reaction,
      user: reactor(reaction.user_id, context, 'id'),
    })),
  })),
  // In events, the user was removed at 328, restored at 339 and removed again at 484.
  object(484, 'reaction', (event, context) => {
    if (!('message_id' in event) || (context.level >= 328 && context.level < 339)) return event;
    return {...event, user: reactor(event.user_id, context, 'user_id')};
  }),
  object(224, 'message', (message) =>
    Array.isArray(message.flags) ? {...message, flags: olderFlags(message.flags)} : message,
  ),

  removedFields(290, 'group', 'deactivated'),
  ...Object.entries(groupSettingLevels).map(([name, level]) => removedFields(level, 'group', name)),
  removedFields(295, 'group', 'date_created'),
  removedFields(292, 'group', 'creator_id'),
  object(131, 'group', ({direct_subgroup_ids, ...group}) => ({...group, subgroups: direct_subgroup_ids})),
  removedFields(127, 'group', 'subgroups'),

  removedFields(471, 'linkifier', 'example_input', 'reverse_template'),
  removedFields(478, 'linkifier', 'alternative_url_templates'),
  object(176, 'linkifier', ({url_template, ...linkifier}) => ({
    ...linkifier,
    url_format: String(url_template)
      .replaceAll('%', '%%')
      .replaceAll(/\{[+/?&#]?(\w+)\}/g, '%($1)s'),
  })),

  object(474, 'bot', fullBot),

  object(472, 'attachment', ({message_ids, ...attachment}, {server}) =>
    message_ids === undefined
      ? attachment
      : {
          ...attachment,
          messages: (message_ids as number[]).map((id) => ({id, date_sent: findMessage(server.db, id)?.sent_at ?? 0})),
        },
  ),
  object(443, 'attachment', (attachment) =>
    typeof attachment.create_time === 'number'
      ? {
          ...attachment,
          create_time: attachment.create_time * 1000,
          messages: listOf(attachment.messages).map((message) => ({
            ...message,
            date_sent: Number(message.date_sent) * 1000,
          })),
        }
      : attachment,
  ),

  removedFields(455, 'profileField', 'use_for_user_matching'),
  removedFields(296, 'profileField', 'editable_by_user'),
  removedFields(244, 'profileField', 'required'),
  removedFields(146, 'profileField', 'display_in_profile_summary'),

  ...Object.entries(settingLevels).map(([name, level]) => removedFields(level, 'settings', name)),
  ...valueChanges.map(({level, object: name, property, before}) =>
    object(level, name, (object) => (property in object ? {...object, [property]: before(object[property])} : object)),
  ),
];

/** Returns the older form of an object that older responses contain where newer ones do not. */
export function olderObject(name: ObjectName, value: Json, context: DowngradeContext): Json {
  return objectChanges
    .filter((change) => change.level > context.level)
    .sort((a, b) => b.level - a.level)
    .reduce((current, change) => {
      if (change.kind === 'fields' && change.object === name) return without(current, change.names);
      return change.kind === 'object' && change.object === name ? change.before(current, context) : current;
    }, value);
}

/** Merges the times of the last edit and move: before 365 there was one for both. */
function olderEditTime({last_moved_timestamp: moved, ...message}: Json): Json {
  if (typeof moved !== 'number') return message;
  const edited = typeof message.last_edit_timestamp === 'number' ? message.last_edit_timestamp : 0;
  return {...message, last_edit_timestamp: Math.max(edited, moved)};
}

/** Returns the flags of older servers: before 224 there was one flag for both wildcards. */
export function olderFlags(flags: readonly unknown[]): unknown[] {
  const isWildcard = (flag: unknown) => typeof flag === 'string' && flag.endsWith('wildcard_mentioned');
  return [...flags.filter((flag) => !isWildcard(flag)), ...(flags.some(isWildcard) ? ['wildcard_mentioned'] : [])];
}

/** Returns a bot with its API key and account: before 474 everyone who could see a bot got them. */
function fullBot(bot: Json, {server}: DowngradeContext): Json {
  const user = 'services' in bot ? findUser(server.db, Number(bot.user_id)) : undefined;
  if (user === undefined) return bot;
  return {
    ...bot,
    api_key: server.secrets.apiKey(user),
    email: user.delivery_email,
    full_name: user.full_name,
    avatar_url: botAvatar(user),
    bot_type: user.bot_type,
    owner_id: user.bot_owner_id,
    is_active: user.is_active === 1,
  };
}

function reactor(userId: unknown, {server}: DowngradeContext, idKey: 'id' | 'user_id'): Json {
  const user = findUser(server.db, Number(userId));
  return {
    [idKey]: userId,
    email: user === undefined ? '' : apiEmail(server, user),
    full_name: user?.full_name ?? '',
    is_mirror_dummy: false,
  };
}

function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value : [];
}
