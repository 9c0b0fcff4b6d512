import type {ReadContext} from '#server/context.ts';
import type {ChannelRow, UserRow} from '#server/db/rows.ts';
import {canReadChannel, canSeeChannel, hasChannelPermission, isSubscribed} from './channel.ts';
import {hasPermission, isAdmin, isGuest, organization} from './has-permission.ts';

/** May join without anybody's help. Nobody joins an archived channel. */
export function canSubscribeSelf(act: ReadContext, user: UserRow, channel: ChannelRow): boolean {
  if (channel.is_archived === 1) return false;
  if (isSubscribed(act, user.id, channel.id)) return true;
  return canReadChannel(act, user, channel);
}

/** May add other people: needs to read the channel, and the organization's or the channel's word. */
export function canAddSubscribers(act: ReadContext, user: UserRow, channel: ChannelRow): boolean {
  if (channel.is_archived === 1 || !canReadChannel(act, user, channel)) return false;
  return canAddOthers(act, user, channel);
}

/** The same without looking at the channel's content, for one that is being made. */
export function canAddOthers(act: ReadContext, user: UserRow, channel: ChannelRow): boolean {
  if (isGuest(user)) return false;
  return (
    hasPermission(act, user, organization(act).can_add_subscribers_group) ||
    hasChannelPermission(act, user, channel, 'can_add_subscribers_group')
  );
}

/** May take this person out of the channel. */
export function canRemoveSubscriber(
  act: ReadContext,
  user: UserRow,
  channel: ChannelRow,
  target: UserRow,
): boolean {
  if (target.id === user.id || (target.is_bot === 1 && target.bot_owner_id === user.id)) return true;
  if (!canSeeChannel(act, user, channel)) return false;
  return isAdmin(user) || hasChannelPermission(act, user, channel, 'can_remove_subscribers_group');
}
