import type {ActionContext} from '#server/context.ts';
import {channelSubscribers} from '#server/db/channels.ts';
import type {ChannelRow, SubscriptionRow, UserRow} from '#server/db/rows.ts';
import type {EventBody} from '#server/event-queues/emitted-event.ts';
import type {EventQueue} from '#server/event-queues/event-queue.ts';
import {type Audience, channelAudience} from '#server/permissions/audience.ts';
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

/** Emits an existing channel, and then its subscribers, to users who may see it from now on without a subscription. */
export function emitChannelVisible(act: ActionContext, channel: ChannelRow, to: Audience): void {
  emitChannelCreate(act, channel, to);
  const user_ids = subscriberIds(act, channel.id);
  if (user_ids.length === 0) return;
  const body = {op: 'peer_add', stream_ids: [channel.id], user_ids};
  act.emit({
    type: 'subscription',
    to,
    body: (reader) => (queueKnowsChannel(reader, channel) ? body : undefined),
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

/**
 * Emits a change of one property. `channel` is the row before the change: the event has a renamed channel's old name.
 */
export function emitChannelUpdate(act: ActionContext, channel: ChannelRow, update: ChannelUpdate, to: Audience): void {
  const body = {op: 'update', stream_id: channel.id, name: channel.name, ...update};
  act.emit({type: 'stream', to, body: (reader) => (queueKnowsChannel(reader, channel) ? body : undefined)});
}

/** Emits a user's own new subscription, with all fields of the channel and all subscribers. */
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
      const view = subscriptionView(act, user, channel, subscription, {nullNotifications: true});
      return {op: 'add', subscriptions: [{...view, subscribers: options.subscribers}]};
    },
  });
}

export function emitSubscriptionRemove(act: ActionContext, channel: ChannelRow, userIds: readonly number[]): void {
  const body = {op: 'remove', subscriptions: [{stream_id: channel.id, name: channel.name}]};
  act.emit({
    type: 'subscription',
    to: new Set(userIds),
    body: (reader) => (queueKnowsChannel(reader, channel) ? body : undefined),
  });
}

/** Emits new subscribers to the others. New subscribers get each other in the lists of their own `add` events. */
export function emitPeerAdd(act: ActionContext, channel: ChannelRow, added: readonly number[]): void {
  const changed = new Set(added);
  const body = {op: 'peer_add', stream_ids: [channel.id], user_ids: added};
  emitToPeers(act, channel, (reader) => (changed.has(reader.userId) ? undefined : body));
}

/**
 * Emits removed subscribers to the others. A removed user gets only the other removed users: their own removal has its
 * own event.
 */
export function emitPeerRemove(act: ActionContext, channel: ChannelRow, removed: readonly number[]): void {
  const changed = new Set(removed);
  const body = {op: 'peer_remove', stream_ids: [channel.id], user_ids: removed};
  emitToPeers(act, channel, (reader) => {
    if (!changed.has(reader.userId)) return body;
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
