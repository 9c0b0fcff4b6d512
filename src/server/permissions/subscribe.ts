import type {ReadContext} from '#server/context.ts';
import type {ChannelRow, UserRow} from '#server/db/rows.ts';
import type {UserViewRow} from '#server/db/users.ts';
import {canReadChannel, canSeeChannel, hasChannelPermission, isSubscribed} from './channel.ts';
import {hasPermission, isAdmin, isGuest, organization} from './has-permission.ts';

/** Returns whether the user may subscribe to the channel without an invitation. */
export function canSubscribeSelf(act: ReadContext, user: UserRow, channel: ChannelRow): boolean {
  if (isSubscribed(act, user.id, channel.id)) return true;
  return canReadChannel(act, user, channel);
}

/** Returns whether the user may subscribe others: they must read the channel and have the permission. */
export function canAddSubscribers(act: ReadContext, user: UserRow, channel: ChannelRow): boolean {
  if (channel.is_archived === 1 || !canReadChannel(act, user, channel)) return false;
  return canAddOthers(act, user, channel);
}

/**
 * Same as `canAddSubscribers` without the check that the user reads the channel, for a channel that is being created.
 */
export function canAddOthers(act: ReadContext, user: UserRow, channel: ChannelRow): boolean {
  if (isGuest(user)) return false;
  return (
    hasPermission(act, user, organization(act).can_add_subscribers_group) ||
    hasChannelPermission(act, user, channel, 'can_add_subscribers_group')
  );
}

/** Returns whether the user may unsubscribe `target` from the channel. */
export function canRemoveSubscriber(
  act: ReadContext,
  user: UserRow,
  channel: ChannelRow,
  target: UserViewRow,
): boolean {
  if (target.id === user.id || (target.is_bot === 1 && target.bot_owner_id === user.id)) return true;
  if (!canSeeChannel(act, user, channel)) return false;
  return isAdmin(user) || hasChannelPermission(act, user, channel, 'can_remove_subscribers_group');
}
