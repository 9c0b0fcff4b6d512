import type {ReadContext} from '#server/context.ts';
import type {ChannelRow, UserRow} from '#server/db/rows.ts';
import {subscribedChannelIds} from '#server/db/subscriptions.ts';
import {isChannelReadable, isChannelVisible} from '#server/permissions/channel.ts';
import {isGuest} from '#server/permissions/has-permission.ts';
import type {ParamsOf} from '#wire/endpoint.ts';
import type {endpoints} from '#wire/endpoints.ts';
import type {WireChannel} from '#wire/objects/channel.ts';
import {channelView} from './channel.ts';

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
