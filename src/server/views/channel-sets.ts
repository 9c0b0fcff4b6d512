import type {ReadContext} from '#server/context.ts';
import {listChannels} from '#server/db/channels.ts';
import type {ChannelRow, SubscriptionRow, UserRow} from '#server/db/rows.ts';
import {recentlyActiveUserIds, subscriberLists, subscriptionsOf} from '#server/db/subscriptions.ts';
import {isChannelVisible} from '#server/permissions/channel.ts';
import type {WireChannel} from '#wire/objects/channel.ts';
import type {WireSubscription} from '#wire/objects/subscription.ts';
import {channelView, subscriptionView} from './channel.ts';

export interface ChannelSetOptions {
  readonly includeArchived: boolean;
  readonly nullNotifications: boolean;
  readonly includeSubscribers: 'true' | 'false' | 'partial';
}

/** The channels that a user may see, split by the user's subscription. */
export interface ChannelSets {
  readonly subscriptions: WireSubscription[];
  readonly unsubscribed: WireSubscription[];
  readonly neverSubscribed: WireChannel[];
}

/** From this many subscribers on, a partial list contains only recently active users. */
const minPartialSize = 250;
const recentSeconds = 14 * 86_400;

/** Returns the channels `viewer` may see, with a fixed number of queries whatever the number of channels. */
export function channelSets(act: ReadContext, viewer: UserRow, options: ChannelSetOptions): ChannelSets {
  const own = subscriptionsOf(act.server.db, viewer.id);
  const channels = visibleChannels(act, viewer, own, options.includeArchived);
  const subscribersOf = subscriberFields(act, viewer, channels, options.includeSubscribers);
  const sets: ChannelSets = {subscriptions: [], unsubscribed: [], neverSubscribed: []};
  for (const channel of channels) {
    const subscription = own.get(channel.id);
    if (subscription === undefined) {
      sets.neverSubscribed.push({...channelView(act, channel), ...subscribersOf(channel)});
      continue;
    }
    const view = subscriptionView(act, viewer, channel, subscription, options);
    (subscription.active === 1 ? sets.subscriptions : sets.unsubscribed).push({
      ...view,
      ...subscribersOf(channel),
    });
  }
  return sets;
}

/** Returns the channels that `viewer` may see, by id. */
export function visibleChannels(
  act: ReadContext,
  viewer: UserRow,
  own: ReadonlyMap<number, SubscriptionRow>,
  includeArchived: boolean,
): ChannelRow[] {
  return listChannels(act.server.db)
    .filter(({is_archived}) => includeArchived || is_archived === 0)
    .filter((channel) => isChannelVisible(act, viewer, channel, () => own.get(channel.id)?.active === 1));
}

interface SubscriberFields {
  readonly subscribers?: number[];
  readonly partial_subscribers?: number[];
}

function subscriberFields(
  act: ReadContext,
  viewer: UserRow,
  channels: readonly ChannelRow[],
  include: ChannelSetOptions['includeSubscribers'],
): (channel: ChannelRow) => SubscriberFields {
  if (include === 'false') return () => ({});
  const {db} = act.server;
  const lists = subscriberLists(
    db,
    channels.map((channel) => channel.id),
  );
  if (include === 'true') return (channel) => ({subscribers: lists.get(channel.id) ?? []});
  const recentIds = recentlyActiveUserIds(db, act.now - recentSeconds).add(viewer.id);
  return (channel) => {
    const all = lists.get(channel.id) ?? [];
    return all.length < minPartialSize
      ? {subscribers: all}
      : {partial_subscribers: all.filter((id) => recentIds.has(id))};
  };
}
