import type {ReadContext, ServerAccess} from '#server/context.ts';
import {channelSubscribers, findChannel, findChannelByName} from '#server/db/channels.ts';
import type {ChannelRow, IdSet, SubscriptionRow, UserRow} from '#server/db/rows.ts';
import {check} from '#server/errors.ts';
import {channelPermissionDefaults, channelPermissionRules} from '#server/organization/permission-rules.ts';
import {LruCache} from '#std/lru-cache.ts';
import {hasMemberPermission, hasPermission, isAdmin, isGuest, organization, type Person} from './has-permission.ts';
import {isSpectator} from './spectator.ts';

export type ChannelPermissions = typeof channelPermissionDefaults;
type ChannelPermission = keyof ChannelPermissions;

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

export function subscriptionOf(act: ServerAccess, userId: number, channelId: number): SubscriptionRow | undefined {
  return act.server.db.find<SubscriptionRow>('subscription', {user_id: userId, channel_id: channelId});
}

/** Returns the ids of the active subscribers of a channel. */
export function subscribersOf({server}: ServerAccess, channelId: number): IdSet {
  return server.derivedFacts.get(channelSubscribers(channelId));
}

export function isSubscribed(act: ServerAccess, userId: number, channelId: number): boolean {
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
export function effectiveTopicsPolicy(act: ServerAccess, channel: ChannelRow): string {
  return channel.topics_policy === 'inherit' ? organization(act).topics_policy : channel.topics_policy;
}

/** Returns the channel if the user may see it. The error is the same for an unknown and a hidden channel. */
export function requireVisibleChannel(act: ReadContext, user: UserRow, id: number): ChannelRow {
  const channel = findChannel(act.server.db, id);
  check(channel !== undefined && canSeeChannel(act, user, channel), 'Invalid channel ID');
  return channel;
}

/** Returns the channel if the user may read its messages; throws otherwise. */
export function requireReadableChannel(act: ReadContext, user: UserRow, id: number): ChannelRow {
  const channel = findChannel(act.server.db, id);
  check(channel !== undefined && canReadChannel(act, user, channel), 'Invalid channel ID');
  return channel;
}

/** Returns the channel with the name if it is not archived and the user may read its messages; throws otherwise. */
export function requireReadableChannelByName(act: ReadContext, user: UserRow, name: string): ChannelRow {
  const channel = findChannelByName(act.server.db, name);
  check(
    channel !== undefined && channel.is_archived !== 1 && canReadChannel(act, user, channel),
    `Invalid channel name '${name}'`,
  );
  return channel;
}

/** Returns the channel unless it is archived; the error is that of an unknown channel. */
export function requireActive(channel: ChannelRow): ChannelRow {
  check(channel.is_archived !== 1, 'Invalid channel ID');
  return channel;
}

/** Returns the channel if it is not archived and the user may read its messages; throws otherwise. */
export function requireOpenChannel(act: ReadContext, user: UserRow, id: number): ChannelRow {
  return requireActive(requireReadableChannel(act, user, id));
}

/** Returns whether the user may subscribe others to a channel that they can read. */
export function canAddOthers(act: ReadContext, user: UserRow, channel: ChannelRow): boolean {
  if (isGuest(user)) return false;
  return (
    isAdmin(user) ||
    hasPermission(act, user, organization(act).can_add_subscribers_group) ||
    hasChannelPermission(act, user, channel, 'can_administer_channel_group') ||
    hasChannelPermission(act, user, channel, 'can_add_subscribers_group')
  );
}

/** Returns whether the user may unsubscribe others from all of these channels, which they can see. */
export function canRemoveOthers(act: ReadContext, user: UserRow, channels: readonly ChannelRow[]): boolean {
  if (isAdmin(user)) return true;
  const may = (permission: ChannelPermission) =>
    channels.every((channel) => hasChannelPermission(act, user, channel, permission));
  return may('can_administer_channel_group') || may('can_remove_subscribers_group');
}

/** The connected users that an event is meant for. */
export type Audience = 'everyone' | Set<number>;

/** Returns the users with an event queue. Events reach only them, so an audience is computed from them alone. */
export function connectedPeople({server}: ServerAccess): Person[] {
  const sql = 'SELECT id, role, joined_at FROM user WHERE id IN (SELECT value FROM json_each(?))';
  return server.db.all<Person>(sql, JSON.stringify([...server.queues.connectedUsers()]));
}

/** Returns the connected users who may see the channel's settings and, by the same rule, its subscribers. */
export function channelAudience(act: ReadContext, channel: ChannelRow): Audience {
  if (channel.is_web_public === 1) return 'everyone';
  const subscribed = subscribersOf(act, channel.id);
  const audience = new Set<number>();
  for (const person of connectedPeople(act)) {
    if (isChannelVisible(act, person, channel, () => subscribed.has(person.id))) audience.add(person.id);
  }
  return audience;
}

export function audienceIds(act: ServerAccess, audience: Audience): Set<number> {
  return audience === 'everyone' ? new Set(act.server.queues.connectedUsers()) : audience;
}

/** Returns the audience of events about default channels, which guests do not see. */
export function connectedNonGuests(act: ServerAccess): Set<number> {
  return new Set(
    connectedPeople(act)
      .filter((person) => !isGuest(person))
      .map((person) => person.id),
  );
}

/** Returns the channels that the user may see, with one query for all of their subscriptions. */
export function channelsVisibleTo(act: ReadContext, person: Person): ChannelRow[] {
  const {db} = act.server;
  const own = new Set(db.pluck('SELECT channel_id FROM subscription WHERE user_id = ? AND active = 1', person.id));
  return db
    .all<ChannelRow>('SELECT * FROM channel ORDER BY id')
    .filter((channel) => isChannelVisible(act, person, channel, () => own.has(channel.id)));
}
