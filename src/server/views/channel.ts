import {userSettings} from '#server/accounts/user-settings.ts';
import type {ReadContext} from '#server/context.ts';
import {
  listChannels,
  recentlyActiveUserIds,
  subscribedChannelIds,
  subscriberLists,
  subscriptionsOf,
} from '#server/db/channels.ts';
import type {Database} from '#server/db/database.ts';
import {firstMessageIdSince} from '#server/db/messages.ts';
import type {ChannelRow, SubscriptionRow, UserRow} from '#server/db/rows.ts';
import {postPolicyCodes, SystemGroup} from '#server/organization/permission-rules.ts';
import {channelPermissions, isChannelReadable, isChannelVisible} from '#server/permissions/channel.ts';
import {isGuest} from '#server/permissions/has-permission.ts';
import type {ParamsOf} from '#wire/endpoint.ts';
import type {endpoints} from '#wire/endpoints.ts';
import type {WireChannel, WireSubscription} from '#wire/objects/channel.ts';

const weekSeconds = 7 * 86_400;
/** The age of the last message from which on a channel is shown as inactive. */
export const activeWithinSeconds = 180 * 86_400;

/** Returns a channel as the API shows it to everyone who may see it. */
export function channelView(act: ReadContext, channel: ChannelRow): WireChannel {
  const permissions = channelPermissions(channel);
  const lastActivity = channel.last_message_at ?? channel.created_at;
  return {
    stream_id: channel.id,
    name: channel.name,
    description: channel.description,
    rendered_description: act.server.renderer.descriptionHtml(channel.description),
    date_created: channel.created_at,
    creator_id: channel.creator_id,
    invite_only: channel.invite_only === 1,
    is_web_public: channel.is_web_public === 1,
    history_public_to_subscribers: channel.history_public_to_subscribers === 1,
    is_archived: channel.is_archived === 1,
    first_message_id: channel.first_message_id,
    folder_id: channel.folder_id,
    message_retention_days: channel.message_retention_days,
    topics_policy: channel.topics_policy,
    is_recently_active: act.now - lastActivity < activeWithinSeconds,
    stream_weekly_traffic: weeklyTraffic(act, channel),
    subscriber_count: channel.subscriber_count,
    default_push_notifications: channel.default_push_notifications === 1,
    // Groups without a number are shown as "everyone".
    stream_post_policy: postPolicyCodes[Number(permissions.can_send_message_group)] ?? 1,
    is_announcement_only: permissions.can_send_message_group === SystemGroup.administrators,
    ...permissions,
  };
}

/** Returns the number of messages in the last week, or null while the channel is younger than that. */
function weeklyTraffic(act: ReadContext, channel: ChannelRow): number | null {
  if (act.now - channel.created_at < weekSeconds) return null;
  return trafficByChannel(act).counts.get(channel.id) ?? 0;
}

interface Traffic {
  readonly hour: number;
  readonly counts: ReadonlyMap<number, number>;
}

/** Returns the traffic of all channels, counted once an hour: a registration shows thousands of channels. */
function trafficByChannel({server, now}: ReadContext): Traffic {
  const hour = Math.floor(now / 3600);
  const fact = {name: 'weekly-traffic', derive: (db: Database) => countTraffic(db, now, hour)};
  const cached = server.derivedFacts.get(fact);
  if (cached.hour === hour) return cached;
  server.derivedFacts.invalidate(fact);
  return server.derivedFacts.get(fact);
}

function countTraffic(db: Database, now: number, hour: number): Traffic {
  const sql = `SELECT c.id, (SELECT COUNT(*) FROM message AS m WHERE m.channel_id = c.id AND m.id >= ?) AS messages
     FROM channel AS c`;
  const rows = db.all<{id: number; messages: number}>(sql, firstMessageIdSince(db, now - weekSeconds));
  return {hour, counts: new Map(rows.map(({id, messages}) => [id, messages]))};
}

/** Returns a channel with the personal settings of a subscriber. */
export function subscriptionView(
  act: ReadContext,
  user: UserRow,
  channel: ChannelRow,
  subscription: SubscriptionRow,
  options: {nullNotifications: boolean},
): WireSubscription {
  const settings = userSettings(user);
  const inherit = (own: number | null, general: boolean): boolean | null => {
    if (own !== null) return own === 1;
    return options.nullNotifications ? null : general;
  };
  return {
    ...channelView(act, channel),
    color: subscription.color,
    is_muted: subscription.is_muted === 1,
    in_home_view: subscription.is_muted === 0,
    pin_to_top: subscription.pin_to_top === 1,
    desktop_notifications: inherit(subscription.desktop_notifications, settings.enable_stream_desktop_notifications),
    audible_notifications: inherit(subscription.audible_notifications, settings.enable_stream_audible_notifications),
    push_notifications: inherit(subscription.push_notifications, settings.enable_stream_push_notifications),
    email_notifications: inherit(subscription.email_notifications, settings.enable_stream_email_notifications),
    wildcard_mentions_notify:
      subscription.wildcard_mentions_notify === null ? null : subscription.wildcard_mentions_notify === 1,
  };
}

type ChannelListParams = ParamsOf<typeof endpoints.getChannels>;
/**
 * Returns the channels that at least one of the requested kinds includes, by name. A bot may ask for the channels that
 * its owner is subscribed to.
 */
export function channelList(act: ReadContext, viewer: UserRow, params: ChannelListParams): WireChannel[] {
  const {db} = act.server;
  const isIncluded = channelFilter(act, viewer, params);
  return db
    .all<ChannelRow>('SELECT * FROM channel WHERE is_archived <= ? ORDER BY name', params.exclude_archived ? 0 : 1)
    .filter(isIncluded)
    .map((channel) => ({
      ...channelView(act, channel),
      ...(params.include_default ? {is_default: channel.is_default === 1} : {}),
    }));
}

function channelFilter(act: ReadContext, viewer: UserRow, params: ChannelListParams): (channel: ChannelRow) => boolean {
  const {db} = act.server;
  const ownChannelIds = new Set(subscribedChannelIds(db, viewer.id));
  const includesOwners = params.include_owner_subscribed && viewer.is_bot === 1 && viewer.bot_owner_id !== null;
  const ownerChannelIds = new Set(includesOwners ? subscribedChannelIds(db, viewer.bot_owner_id) : []);
  return (channel) => {
    const subscribed = () => ownChannelIds.has(channel.id);
    if (params.include_all) return isChannelVisible(act, viewer, channel, subscribed);
    const isPublic = channel.invite_only === 0 && !isGuest(viewer);
    return (
      (params.include_public && isPublic) ||
      (params.include_web_public && channel.is_web_public === 1 && channel.is_archived === 0) ||
      (params.include_subscribed && subscribed()) ||
      ownerChannelIds.has(channel.id) ||
      (params.include_can_access_content && isChannelReadable(act, viewer, channel, subscribed))
    );
  };
}

interface ChannelSetOptions {
  readonly includeArchived: boolean;
  readonly nullNotifications: boolean;
  readonly includeSubscribers: 'true' | 'false' | 'partial';
}

/** The channels that a user may see, split by the user's subscription. */
interface ChannelSets {
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
