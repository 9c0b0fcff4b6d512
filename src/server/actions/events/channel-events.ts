import type {ActionContext, ServerAccess} from '#server/context.ts';
import {findChannel} from '#server/db/channels.ts';
import type {Database} from '#server/db/database.ts';
import type {ChannelRow, IdSet, Ids, SubscriptionRow, UserRow} from '#server/db/rows.ts';
import {findUser} from '#server/db/users.ts';
import type {EventQueue} from '#server/event-queues/event-queues.ts';
import {Role, SystemGroup} from '#server/organization/permission-rules.ts';
import {
  type Audience,
  channelAudience,
  channelPermissions,
  channelsVisibleTo,
  isSubscribed,
  subscribersOf,
} from '#server/permissions/channel.ts';
import {hasPermission, isAdmin, isGuest} from '#server/permissions/has-permission.ts';
import {activeWithinSeconds, channelView, subscriptionView} from '#server/views/channel.ts';
import type {OutgoingBody} from '#wire/events.ts';
import type {GroupSetting} from '#wire/objects/group.ts';

/** Returns whether the queue's client has the channel: archived ones are sent only to clients that support them. */
function queueKnowsChannel(reader: EventQueue, channel: ChannelRow): boolean {
  return channel.is_archived === 0 || reader.options.capabilities.archived_channels === true;
}

export function subscriberIds(act: ServerAccess, channelId: number): number[] {
  return [...subscribersOf(act, channelId)].sort((a, b) => a - b);
}

/**
 * Emits a channel to users who did not see it before; later events tell its subscribers. The body is built now, not at
 * delivery, because later changes of the same action are emitted as separate events.
 */
export function emitChannelCreate(
  act: ActionContext,
  channel: ChannelRow,
  to: Audience,
  isFor: (reader: EventQueue) => boolean = (reader) => queueKnowsChannel(reader, channel),
): void {
  if (to !== 'everyone' && to.size === 0) return;
  const body = {op: 'create' as const, streams: [channelView(act, channel)]};
  act.emit('stream', to, (reader) => (isFor(reader) ? body : undefined));
}

/** Emits existing channels, and then their subscribers, to users who may see them from now on without a subscription. */
export function emitChannelsVisible(act: ActionContext, channels: readonly ChannelRow[], to: Audience): void {
  const views = new Map(channels.map((channel) => [channel, channelView(act, channel)]));
  act.emit('stream', to, (reader) => {
    const streams = [...views].filter(([channel]) => queueKnowsChannel(reader, channel)).map(([, view]) => view);
    return streams.length === 0 ? undefined : {op: 'create', streams};
  });
  for (const channel of channels) {
    const body = {op: 'peer_add' as const, stream_ids: [channel.id], user_ids: subscriberIds(act, channel.id)};
    act.emit('subscription', to, (reader) => (queueKnowsChannel(reader, channel) ? body : undefined));
  }
}

export function emitChannelDelete(
  act: ActionContext,
  channels: readonly ChannelRow[],
  to: Audience,
  isFor: (reader: EventQueue, channel: ChannelRow) => boolean = queueKnowsChannel,
): void {
  act.emit('stream', to, (reader) => {
    const stream_ids = channels.filter((channel) => isFor(reader, channel)).map(({id}) => id);
    if (stream_ids.length === 0) return undefined;
    return {op: 'delete', stream_ids, streams: stream_ids.map((stream_id) => ({stream_id}))};
  });
}

export interface ChannelUpdate {
  readonly property: string;
  readonly value: unknown;
  readonly rendered_description?: string;
  readonly history_public_to_subscribers?: boolean;
  readonly is_web_public?: boolean;
}

/**
 * Emits a change of one property. `channel` is the row before the change: the event has a renamed channel's old name.
 */
export function emitChannelUpdate(act: ActionContext, channel: ChannelRow, update: ChannelUpdate, to: Audience): void {
  const body = {op: 'update' as const, stream_id: channel.id, name: channel.name, ...update};
  act.emit('stream', to, (reader) => (queueKnowsChannel(reader, channel) ? body : undefined));
}

export interface NewSubscription {
  readonly channel: ChannelRow;
  readonly subscription: SubscriptionRow;
  readonly subscribers: Ids;
}

/** Emits a user's own new subscriptions in one event, with all fields of the channels and all subscribers. */
export function emitSubscriptionAdd(act: ActionContext, user: UserRow, added: readonly NewSubscription[]): void {
  act.emit('subscription', [user.id], (reader) => {
    const known = added.filter(({channel}) => queueKnowsChannel(reader, channel));
    if (known.length === 0) return undefined;
    const subscriptions = known.map(({channel, subscription, subscribers}) => ({
      ...subscriptionView(act, user, channel, subscription, {nullNotifications: true}),
      subscribers,
    }));
    return {op: 'add', subscriptions};
  });
}

export function emitSubscriptionRemove(act: ActionContext, userId: number, channels: readonly ChannelRow[]): void {
  act.emit('subscription', [userId], (reader) => {
    const known = channels.filter((channel) => queueKnowsChannel(reader, channel));
    if (known.length === 0) return undefined;
    return {op: 'remove', subscriptions: known.map(({id, name}) => ({stream_id: id, name}))};
  });
}

/** Users who were subscribed to a channel, or unsubscribed from it. */
export interface PeerChange {
  readonly channel: ChannelRow;
  readonly userIds: Ids;
}

/**
 * Emits new or removed subscribers to the others: new subscribers get each other in the lists of their own `add` events,
 * and removed ones get only the other removed users. Public channels with the same change and the same audience share
 * one event.
 */
export function emitPeers(act: ActionContext, op: 'peer_add' | 'peer_remove', changes: readonly PeerChange[]): void {
  const groups = new Map<string, PeerChange[]>();
  for (const change of changes) {
    const key = sharedEventKey(act, change) ?? `${change.channel.id}`;
    groups.set(key, [...(groups.get(key) ?? []), change]);
  }
  const isShared = (key: string) => (key.includes(' ') ? 1 : 0);
  for (const [, group] of [...groups].sort(([a], [b]) => isShared(a) - isShared(b))) emitPeerGroup(act, op, group);
}

/** Returns undefined for a channel whose audience depends on its subscribers: it is private or has guests. */
function sharedEventKey(act: ActionContext, {channel, userIds}: PeerChange): string | undefined {
  if (channel.invite_only === 1) return undefined;
  if (channel.is_web_public === 1) return `web ${userIds.join()}`;
  const guests = `SELECT 1 FROM subscription AS s JOIN user AS u ON u.id = s.user_id AND u.is_active = 1
    WHERE s.channel_id = ? AND s.active = 1 AND u.role = ?`;
  return act.db.get(guests, channel.id, Role.guest) === undefined ? `public ${userIds.join()}` : undefined;
}

function emitPeerGroup(act: ActionContext, op: 'peer_add' | 'peer_remove', group: readonly PeerChange[]): void {
  const [first] = group;
  if (first === undefined) return;
  const changed = new Set(first.userIds);
  const bodies = new Map<number | undefined, OutgoingBody<'subscription'>>();
  // Also to clients without the archived channels among them, as Zulip's servers do.
  const stream_ids = group.map(({channel}) => channel.id);
  act.emit('subscription', channelAudience(act, first.channel), (reader) => {
    const isChanged = changed.has(reader.userId);
    const user_ids = isChanged ? first.userIds.filter((id) => id !== reader.userId) : first.userIds;
    if (user_ids.length === 0 || (isChanged && op === 'peer_add')) return undefined;
    const key = isChanged ? reader.userId : undefined;
    const body = bodies.get(key) ?? {op, stream_ids, user_ids};
    bodies.set(key, body);
    return body;
  });
}

/** Updates the channel's first message, without an event, and the time of its last message after a send. */
export function recordChannelActivity(act: ActionContext, channel: ChannelRow, messageId: number): void {
  if (channel.first_message_id === null) {
    const sql = 'UPDATE channel SET first_message_id = ? WHERE id = ? AND first_message_id IS NULL';
    act.db.run(sql, messageId, channel.id);
  }
  if (channel.last_message_at === act.now) return;
  act.db.updateRow('channel', channel.id, {last_message_at: act.now});
  const lastActivity = channel.last_message_at ?? channel.created_at;
  if (act.now - lastActivity >= activeWithinSeconds) emitProperty(act, channel, 'is_recently_active', true);
}

/** Recomputes the channel's first message if it was deleted. As on Zulip's servers, a move does not change it. */
export function updateFirstMessage(act: ActionContext, channelId: number, deletedIds: Ids): void {
  const channel = findChannel(act.db, channelId);
  if (channel?.first_message_id == null || !deletedIds.includes(channel.first_message_id)) return;
  const sql = 'SELECT MIN(id) FROM message WHERE channel_id = ?';
  const oldest = act.db.value<number | null>(sql, channelId) ?? null;
  act.db.updateRow('channel', channelId, {first_message_id: oldest});
  emitProperty(act, channel, 'first_message_id', oldest);
}

function emitProperty(act: ActionContext, channel: ChannelRow, property: string, value: unknown): void {
  emitChannelUpdate(act, channel, {property, value}, channelAudience(act, channel));
}

/**
 * Runs a change of group memberships and emits to connected users the private channels that become visible or hidden to
 * them. Does nothing else unless a private channel grants a permission to a custom group.
 */
export function trackGroupChannelAccess(act: ActionContext, change: () => void): void {
  const channels = channelsVisibleByGroups(act);
  if (channels.length === 0) {
    change();
    return;
  }
  const people = connectedMembers(act);
  const before = visibleChannelIds(act, people, channels);
  change();
  const after = visibleChannelIds(act, people, channels);
  for (const person of people) {
    const channelsBefore = before.get(person.id) ?? new Set<number>();
    const channelsAfter = after.get(person.id) ?? new Set<number>();
    const reader = new Set([person.id]);
    for (const channel of notSubscribed(act, person, channels, channelsAfter.difference(channelsBefore))) {
      emitChannelsVisible(act, [channel], reader);
    }
    for (const channel of notSubscribed(act, person, channels, channelsBefore.difference(channelsAfter))) {
      emitChannelDelete(act, [channel], reader);
    }
  }
}

const visibilityPermissions = [
  'can_administer_channel_group',
  'can_add_subscribers_group',
  'can_subscribe_group',
] as const;

function channelsVisibleByGroups(act: ActionContext): ChannelRow[] {
  const candidates = act.db.all<ChannelRow>(`SELECT * FROM channel WHERE invite_only = 1 AND permissions <> '{}'`);
  return candidates.filter((channel) => {
    const permissions = channelPermissions(channel);
    return visibilityPermissions.some((name) => includesCustomGroup(permissions[name]));
  });
}

function includesCustomGroup(setting: GroupSetting): boolean {
  const groups = typeof setting === 'number' ? [setting] : setting.direct_subgroups;
  return groups.some((id) => id > SystemGroup.nobody);
}

/** Returns the connected users without administrators and guests, whose visible channels do not depend on groups. */
function connectedMembers(act: ActionContext): UserRow[] {
  const people: UserRow[] = [];
  for (const id of act.server.queues.connectedUsers()) {
    const user = findUser(act.db, id);
    if (user !== undefined && !isAdmin(user) && !isGuest(user)) people.push(user);
  }
  return people;
}

function visibleChannelIds(
  act: ActionContext,
  people: readonly UserRow[],
  channels: readonly ChannelRow[],
): Map<number, Set<number>> {
  const visible = new Map<number, Set<number>>();
  for (const person of people) {
    const ids = new Set<number>();
    for (const channel of channels) {
      const permissions = channelPermissions(channel);
      if (visibilityPermissions.some((name) => hasPermission(act, person, permissions[name]))) ids.add(channel.id);
    }
    visible.set(person.id, ids);
  }
  return visible;
}

function notSubscribed(act: ActionContext, person: UserRow, channels: readonly ChannelRow[], ids: IdSet): ChannelRow[] {
  return channels.filter(({id}) => ids.has(id) && !isSubscribed(act, person.id, id));
}

/** Runs a change of a user's role and emits an event to that user for each channel that becomes visible or hidden. */
export function trackRoleChannelAccess(act: ActionContext, user: UserRow, change: () => UserRow): UserRow {
  if (!act.server.queues.isConnected(user.id)) return change();
  const before = new Map(channelsVisibleTo(act, user).map((channel) => [channel.id, channel]));
  const changed = change();
  const after = new Map(channelsVisibleTo(act, changed).map((channel) => [channel.id, channel]));
  const to = new Set([user.id]);
  emitChannelsVisible(act, missingFrom(before, after), to);
  // As on Zulip's servers, clients keep archived public channels; private ones are hidden from them.
  const isHidden = (channel: ChannelRow) => channel.is_archived === 0 || channel.invite_only === 1;
  emitChannelDelete(act, missingFrom(after, before).filter(isHidden), to);
  if (isGuest(user) !== isGuest(changed)) emitDefaultChannelsTo(act, changed);
  return changed;
}

function missingFrom(some: ReadonlyMap<number, ChannelRow>, all: ReadonlyMap<number, ChannelRow>): ChannelRow[] {
  return [...all.values()].filter(({id}) => !some.has(id));
}

/** Sends the user the list of default channels, which is empty for guests. */
function emitDefaultChannelsTo(act: ActionContext, user: UserRow): void {
  const default_streams = isGuest(user) ? [] : defaultChannelIds(act.db);
  act.emit('default_streams', [user.id], {default_streams});
  const groups = defaultChannelGroups(act.db);
  if (groups.length === 0) return;
  act.emit('default_stream_groups', [user.id], {default_stream_groups: isGuest(user) ? [] : groups});
}

/** Returns the ids of the channels that new users are subscribed to. */
export function defaultChannelIds(db: Database): number[] {
  return db.pluck('SELECT id FROM channel WHERE is_default = 1 AND is_archived = 0 ORDER BY id');
}

export interface GroupRow {
  readonly id: number;
  readonly name: string;
  readonly description: string;
}

/** Returns the groups of channels that new users can choose, with the ids of their channels in the order of names. */
export function defaultChannelGroups(db: Database) {
  const channels = `SELECT c.id FROM channel AS c JOIN default_channel_group_channel AS g ON g.channel_id = c.id
    WHERE g.group_id = ? ORDER BY c.name_key`;
  return db
    .all<GroupRow>('SELECT * FROM default_channel_group ORDER BY name')
    .map(({id, name, description}) => ({id, name, description, streams: db.pluck(channels, id)}));
}
