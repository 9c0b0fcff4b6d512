import type {ActionContext, ReadContext} from '#server/context.ts';
import type {ChannelRow, SubscriptionRow, UserRow} from '#server/db/rows.ts';
import {LruCache} from '#std/lru-cache.ts';
import type {GroupSetting, Person} from './group-index.ts';
import {hasMemberPermission, hasPermission, isAdmin, isGuest, organization} from './has-permission.ts';
import {channelPermissionRules} from './permission-rules.ts';
import {isSpectator} from './spectator.ts';
import {SystemGroup} from './system-groups.ts';

/** The default of each channel permission. On creation, `can_administer_channel_group` is set to the creator. */
const channelPermissionDefaults = {
  can_add_subscribers_group: SystemGroup.nobody as GroupSetting,
  can_administer_channel_group: SystemGroup.nobody as GroupSetting,
  can_create_topic_group: SystemGroup.everyone as GroupSetting,
  can_delete_any_message_group: SystemGroup.nobody as GroupSetting,
  can_delete_own_message_group: SystemGroup.nobody as GroupSetting,
  can_move_messages_out_of_channel_group: SystemGroup.nobody as GroupSetting,
  can_move_messages_within_channel_group: SystemGroup.nobody as GroupSetting,
  can_remove_subscribers_group: SystemGroup.administrators as GroupSetting,
  can_resolve_topics_group: SystemGroup.nobody as GroupSetting,
  can_send_message_group: SystemGroup.everyone as GroupSetting,
  can_subscribe_group: SystemGroup.nobody as GroupSetting,
};

export type ChannelPermissions = typeof channelPermissionDefaults;
export type ChannelPermission = keyof ChannelPermissions;

/** The permissions of recently used channels by their JSON: most channels have one of a few. */
const parsedPermissions = new LruCache<string, ChannelPermissions>(1000);

export function channelPermissions({permissions}: Pick<ChannelRow, 'permissions'>): Readonly<ChannelPermissions> {
  if (permissions === '{}') return channelPermissionDefaults;
  return parsedPermissions.getOrCompute(permissions, () => ({
    ...channelPermissionDefaults,
    ...JSON.parse(permissions),
  }));
}

export function hasChannelPermission(
  act: ReadContext,
  user: Person,
  channel: ChannelRow,
  permission: ChannelPermission,
): boolean {
  const isForGuests = channelPermissionRules[permission]?.allow_everyone_group === true;
  return (isForGuests ? hasPermission : hasMemberPermission)(act, user, channelPermissions(channel)[permission]);
}

export function subscriptionOf(
  act: Pick<ActionContext, 'server'>,
  userId: number,
  channelId: number,
): SubscriptionRow | undefined {
  return act.server.db.get<SubscriptionRow>(
    'SELECT * FROM subscription WHERE user_id = ? AND channel_id = ?',
    userId,
    channelId,
  );
}

export function isSubscribed(act: Pick<ActionContext, 'server'>, userId: number, channelId: number): boolean {
  return subscriptionOf(act, userId, channelId)?.active === 1;
}

/** Returns whether the user may know that the channel exists, its name and its settings. */
export function canSeeChannel(act: ReadContext, user: UserRow, channel: ChannelRow): boolean {
  return isChannelVisible(act, user, channel, () => isSubscribed(act, user.id, channel.id));
}

/** Same as `canSeeChannel` for callers that already loaded the subscriptions; makes no query. */
export function isChannelVisible(
  act: ReadContext,
  person: Person,
  channel: ChannelRow,
  subscribed: () => boolean,
): boolean {
  if (isChannelReadable(act, person, channel, subscribed)) return true;
  if (isGuest(person)) return false;
  return isAdmin(person) || hasPermission(act, person, channelPermissions(channel).can_administer_channel_group);
}

/** Returns whether the user may read the channel's messages. For a private channel the admin role is not enough. */
export function canReadChannel(act: ReadContext, user: UserRow, channel: ChannelRow): boolean {
  return isChannelReadable(act, user, channel, () => isSubscribed(act, user.id, channel.id));
}

export function isChannelReadable(
  act: ReadContext,
  person: Person,
  channel: ChannelRow,
  subscribed: () => boolean,
): boolean {
  if (channel.is_web_public === 1) return channel.is_archived === 0 || !isSpectator(person);
  if (channel.invite_only === 0 && !isGuest(person)) return true;
  if (subscribed()) return true;
  if (isGuest(person)) return false;
  const permissions = channelPermissions(channel);
  return (
    hasPermission(act, person, permissions.can_add_subscribers_group) ||
    hasPermission(act, person, permissions.can_subscribe_group)
  );
}

/**
 * Returns whether the user may change the channel's settings: as an administrator who can see it, or by its permission.
 */
export function canAdministerChannel(act: ReadContext, user: UserRow, channel: ChannelRow): boolean {
  if (!canSeeChannel(act, user, channel)) return false;
  return isAdmin(user) || hasChannelPermission(act, user, channel, 'can_administer_channel_group');
}

/** Returns the policy that decides whether messages may go to the empty topic, to named topics, or both. */
export function effectiveTopicsPolicy(act: Pick<ActionContext, 'server'>, channel: ChannelRow): string {
  return channel.topics_policy === 'inherit' ? organization(act).topics_policy : channel.topics_policy;
}
