import type {ActionContext} from '#server/context.ts';
import {channelSubscribers} from '#server/db/channels.ts';
import type {ChannelRow, SubscriptionRow, UserRow} from '#server/db/rows.ts';
import type {EventBody, EventQueue} from '#server/event-queues/event-queue.ts';
import {type Audience, channelAudience} from '#server/permissions/channel.ts';
import {Role} from '#server/permissions/permission-rules.ts';
import {channelView, subscriptionView} from '#server/views/channel.ts';

/** Returns whether the queue's client has the channel: archived ones are sent only to clients that support them. */
export function queueKnowsChannel(reader: EventQueue, channel: ChannelRow): boolean {
  return channel.is_archived === 0 || reader.options.capabilities.archived_channels === true;
}

export function subscriberIds(act: Pick<ActionContext, 'server'>, channelId: number): number[] {
  return [...act.server.derivedFacts.get(channelSubscribers(channelId))].sort((a, b) => a - b);
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
  const body = {op: 'create', streams: [channelView(act, channel)]};
  act.emit({type: 'stream', to, body: (reader) => (isFor(reader) ? body : undefined)});
}

/** Emits existing channels, and then their subscribers, to users who may see them from now on without a subscription. */
export function emitChannelsVisible(act: ActionContext, channels: readonly ChannelRow[], to: Audience): void {
  const views = new Map(channels.map((channel) => [channel, channelView(act, channel)]));
  act.emit({
    type: 'stream',
    to,
    body(reader) {
      const streams = channels.filter((channel) => queueKnowsChannel(reader, channel)).map((one) => views.get(one));
      return streams.length === 0 ? undefined : {op: 'create', streams};
    },
  });
  for (const channel of channels) {
    const body = {op: 'peer_add', stream_ids: [channel.id], user_ids: subscriberIds(act, channel.id)};
    act.emit({type: 'subscription', to, body: (reader) => (queueKnowsChannel(reader, channel) ? body : undefined)});
  }
}

export function emitChannelDelete(
  act: ActionContext,
  channels: readonly ChannelRow[],
  to: Audience,
  isFor: (reader: EventQueue, channel: ChannelRow) => boolean = queueKnowsChannel,
): void {
  act.emit({
    type: 'stream',
    to,
    body(reader) {
      const stream_ids = channels.filter((channel) => isFor(reader, channel)).map(({id}) => id);
      if (stream_ids.length === 0) return undefined;
      return {op: 'delete', stream_ids, streams: stream_ids.map((stream_id) => ({stream_id}))};
    },
  });
}

export interface ChannelUpdate {
  readonly property: string;
  readonly value: unknown;
  readonly [extra: string]: unknown;
}

/**
 * Emits a change of one property. `channel` is the row before the change: the event has a renamed channel's old name.
 */
export function emitChannelUpdate(act: ActionContext, channel: ChannelRow, update: ChannelUpdate, to: Audience): void {
  const body = {op: 'update', stream_id: channel.id, name: channel.name, ...update};
  act.emit({type: 'stream', to, body: (reader) => (queueKnowsChannel(reader, channel) ? body : undefined)});
}

export interface NewSubscription {
  readonly channel: ChannelRow;
  readonly subscription: SubscriptionRow;
  readonly subscribers: readonly number[];
}

/** Emits a user's own new subscriptions in one event, with all fields of the channels and all subscribers. */
export function emitSubscriptionAdd(act: ActionContext, user: UserRow, added: readonly NewSubscription[]): void {
  act.emit({
    type: 'subscription',
    to: [user.id],
    body(reader) {
      const known = added.filter(({channel}) => queueKnowsChannel(reader, channel));
      if (known.length === 0) return undefined;
      const subscriptions = known.map(({channel, subscription, subscribers}) => ({
        ...subscriptionView(act, user, channel, subscription, {nullNotifications: true}),
        subscribers,
      }));
      return {op: 'add', subscriptions};
    },
  });
}

export function emitSubscriptionRemove(act: ActionContext, userId: number, channels: readonly ChannelRow[]): void {
  act.emit({
    type: 'subscription',
    to: [userId],
    body(reader) {
      const known = channels.filter((channel) => queueKnowsChannel(reader, channel));
      if (known.length === 0) return undefined;
      return {op: 'remove', subscriptions: known.map(({id, name}) => ({stream_id: id, name}))};
    },
  });
}

/** Users who were subscribed to a channel, or unsubscribed from it. */
export interface PeerChange {
  readonly channel: ChannelRow;
  readonly userIds: readonly number[];
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
  const bodies = new Map<number | undefined, EventBody>();
  // Also to clients without the archived channels among them, as Zulip's servers do.
  const stream_ids = group.map(({channel}) => channel.id);
  act.emit({
    type: 'subscription',
    to: channelAudience(act, first.channel),
    body(reader) {
      const isChanged = changed.has(reader.userId);
      const user_ids = isChanged ? first.userIds.filter((id) => id !== reader.userId) : first.userIds;
      if (user_ids.length === 0 || (isChanged && op === 'peer_add')) return undefined;
      const key = isChanged ? reader.userId : undefined;
      const body = bodies.get(key) ?? {op, stream_ids, user_ids};
      bodies.set(key, body);
      return body;
    },
  });
}
