import type {ActionContext} from '#server/context.ts';
import {channelSubscribers} from '#server/db/channels.ts';
import type {ChannelRow, SubscriptionRow, UserRow} from '#server/db/rows.ts';
import type {EventBody} from '#server/event-queues/emitted-event.ts';
import type {EventQueue} from '#server/event-queues/event-queue.ts';
import {type Audience, channelAudience} from '#server/permissions/audience.ts';
import {channelView, subscriptionView} from '#server/views/channel.ts';

/** Queues that did not ask for archived channels know nothing of them. */
export function queueKnowsChannel(reader: EventQueue, channel: ChannelRow): boolean {
  return channel.is_archived === 0 || reader.options.capabilities.archived_channels === true;
}

export function subscriberIds(act: Pick<ActionContext, 'world'>, channelId: number): number[] {
  return [...act.world.derivedFacts.get(channelSubscribers(channelId))].sort((a, b) => a - b);
}

/**
 * Tells people of a channel they did not know of. The body is made now, not at delivery: what happens to the channel
 * later in the same act comes as events of its own.
 */
export function emitChannelCreate(
  act: ActionContext,
  channel: ChannelRow,
  to: Audience,
  isFor: (reader: EventQueue) => boolean = (reader) => queueKnowsChannel(reader, channel),
): void {
  if (to !== 'everyone' && to.size === 0) return;
  const view = channelView(act, channel);
  const plain = {op: 'create', streams: [view]};
  const full = {op: 'create', streams: [{...view, subscribers: subscriberIds(act, channel.id)}]};
  act.emit({
    type: 'stream',
    to,
    body: (reader) => {
      if (!isFor(reader)) return undefined;
      return reader.options.includeSubscribers ? full : plain;
    },
  });
}

export function emitChannelDelete(
  act: ActionContext,
  channelIds: readonly number[],
  to: Audience,
  isFor: (reader: EventQueue) => boolean = () => true,
): void {
  const body = {op: 'delete', stream_ids: channelIds, streams: channelIds.map((id) => ({stream_id: id}))};
  act.emit({type: 'stream', to, body: (reader) => (isFor(reader) ? body : undefined)});
}

export interface ChannelUpdate {
  readonly property: string;
  readonly value: unknown;
  readonly [extra: string]: unknown;
}

/** `channel` is the row before the change: a renamed channel is still called by its old name here. */
export function emitChannelUpdate(
  act: ActionContext,
  channel: ChannelRow,
  update: ChannelUpdate,
  to: Audience,
): void {
  const body = {op: 'update', stream_id: channel.id, name: channel.name, ...update};
  act.emit({type: 'stream', to, body: (reader) => (queueKnowsChannel(reader, channel) ? body : undefined)});
}

/** A person's own subscription, with everything about the channel. */
export function emitSubscriptionAdd(
  act: ActionContext,
  user: UserRow,
  channel: ChannelRow,
  subscription: SubscriptionRow,
  options: {subscribers: readonly number[]; isFor?: (reader: EventQueue) => boolean},
): void {
  const isFor = options.isFor ?? ((reader: EventQueue) => queueKnowsChannel(reader, channel));
  act.emit({
    type: 'subscription',
    to: [user.id],
    body(reader) {
      if (!isFor(reader)) return undefined;
      const nullNotifications = reader.options.capabilities.notification_settings_null === true;
      const view = subscriptionView(act, user, channel, subscription, {nullNotifications});
      const list = reader.options.includeSubscribers ? {subscribers: options.subscribers} : {};
      return {op: 'add', subscriptions: [{...view, ...list}]};
    },
  });
}

export function emitSubscriptionRemove(
  act: ActionContext,
  channel: ChannelRow,
  userIds: readonly number[],
): void {
  const body = {op: 'remove', subscriptions: [{stream_id: channel.id, name: channel.name}]};
  act.emit({
    type: 'subscription',
    to: new Set(userIds),
    body: (reader) => (queueKnowsChannel(reader, channel) ? body : undefined),
  });
}

/** New subscribers are told of each other by the lists in their own `add` events. */
export function emitPeerAdd(act: ActionContext, channel: ChannelRow, added: readonly number[]): void {
  const altered = new Set(added);
  const body = {op: 'peer_add', stream_ids: [channel.id], user_ids: added};
  emitToPeers(act, channel, (reader) => (altered.has(reader.userId) ? undefined : body));
}

/** Somebody who left learns from this who left with them; that they themselves did, they know already. */
export function emitPeerRemove(act: ActionContext, channel: ChannelRow, removed: readonly number[]): void {
  const altered = new Set(removed);
  const body = {op: 'peer_remove', stream_ids: [channel.id], user_ids: removed};
  emitToPeers(act, channel, (reader) => {
    if (!altered.has(reader.userId)) return body;
    const others = removed.filter((id) => id !== reader.userId);
    return others.length === 0 ? undefined : {...body, user_ids: others};
  });
}

function emitToPeers(
  act: ActionContext,
  channel: ChannelRow,
  body: (reader: EventQueue) => EventBody | undefined,
): void {
  act.emit({
    type: 'subscription',
    to: channelAudience(act, channel),
    body: (reader) => (queueKnowsChannel(reader, channel) ? body(reader) : undefined),
  });
}
