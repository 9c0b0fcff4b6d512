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
/** The channels that any of the asked-for kinds includes, by name. What a bot's owner sees, the bot may know of. */
export function channelList(act: ReadContext, viewer: UserRow, choice: ChannelListParams): WireChannel[] {
  const {db} = act.server;
  const wants = chooser(act, viewer, choice);
  return db
    .all<ChannelRow>(
      'SELECT * FROM channel WHERE is_archived <= ? ORDER BY name',
      choice.exclude_archived ? 0 : 1,
    )
    .filter(wants)
    .map((channel) => ({
      ...channelView(act, channel),
      ...(choice.include_default ? {is_default: channel.is_default === 1} : {}),
    }));
}

function chooser(
  act: ReadContext,
  viewer: UserRow,
  choice: ChannelListParams,
): (channel: ChannelRow) => boolean {
  const {db} = act.server;
  const own = new Set(subscribedChannelIds(db, viewer.id));
  const ownersToo = choice.include_owner_subscribed && viewer.is_bot === 1 && viewer.bot_owner_id !== null;
  const owners = new Set(ownersToo ? subscribedChannelIds(db, viewer.bot_owner_id) : []);
  return (channel) => {
    const subscribed = () => own.has(channel.id);
    const isPublic = channel.invite_only === 0 && !isGuest(viewer);
    return (
      (choice.include_public && isPublic) ||
      (choice.include_web_public && channel.is_web_public === 1) ||
      (choice.include_subscribed && subscribed()) ||
      owners.has(channel.id) ||
      (choice.include_all && isChannelVisible(act, viewer, channel, subscribed)) ||
      (choice.include_can_access_content && isChannelReadable(act, viewer, channel, subscribed))
    );
  };
}
