import {userSettings} from '#server/accounts/user-settings.ts';
import type {ReadContext} from '#server/context.ts';
import type {Database} from '#server/db/database.ts';
import {firstMessageIdSince} from '#server/db/messages.ts';
import type {ChannelRow, SubscriptionRow, UserRow} from '#server/db/rows.ts';
import {channelPermissions} from '#server/permissions/channel.ts';
import {SystemGroup} from '#server/permissions/system-groups.ts';
import type {WireChannel} from '#wire/objects/channel.ts';
import type {WireSubscription} from '#wire/objects/subscription.ts';

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
    stream_post_policy: postPolicy(permissions.can_send_message_group),
    is_announcement_only: permissions.can_send_message_group === SystemGroup.administrators,
    ...permissions,
  };
}

/** Returns the legacy post policy that matches the group; groups without one are shown as "everyone". */
function postPolicy(sendGroup: unknown): number {
  if (sendGroup === SystemGroup.administrators) return 2;
  if (sendGroup === SystemGroup.fullMembers) return 3;
  if (sendGroup === SystemGroup.moderators) return 4;
  return 1;
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
  const rows = db.all<{id: number; messages: number}>(
    `SELECT c.id, (SELECT COUNT(*) FROM message AS m WHERE m.channel_id = c.id AND m.id >= ?) AS messages
     FROM channel AS c`,
    firstMessageIdSince(db, now - weekSeconds),
  );
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
