import type {ReadContext} from '#server/context.ts';
import type {ChannelRow, UserRow} from '#server/db/rows.ts';
import {type ChannelPermission, hasChannelPermission} from './channel.ts';
import {hasPermission, isAdmin, isGuest, organization} from './has-permission.ts';

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
  if (isGuest(user)) return false;
  const may = (permission: ChannelPermission) =>
    channels.every((channel) => hasChannelPermission(act, user, channel, permission));
  return may('can_administer_channel_group') || may('can_remove_subscribers_group');
}
