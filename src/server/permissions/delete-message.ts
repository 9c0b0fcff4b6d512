import type {ReadContext} from '#server/context.ts';
import {findChannel} from '#server/db/channels.ts';
import type {MessageRow, UserRow} from '#server/db/rows.ts';
import {findUser} from '#server/db/users.ts';
import {badRequest} from '#server/http/errors.ts';
import {hasChannelPermission} from './channel.ts';
import {hasMemberPermission, hasPermission, organization} from './has-permission.ts';

/** Returns whether the user may delete messages of all senders in that channel, without a time limit. */
export function canDeleteAnyMessage(act: ReadContext, user: UserRow, message: Pick<MessageRow, 'channel_id'>): boolean {
  if (hasMemberPermission(act, user, organization(act).can_delete_any_message_group)) return true;
  const channel = message.channel_id === null ? undefined : findChannel(act.server.db, message.channel_id);
  return channel !== undefined && hasChannelPermission(act, user, channel, 'can_delete_any_message_group');
}

export function checkCanDeleteMessage(act: ReadContext, user: UserRow, message: MessageRow): void {
  if (canDeleteAnyMessage(act, user, message)) return;
  if (!isOwn(act, user, message) || !mayDeleteOwn(act, user, message)) {
    throw badRequest("You don't have permission to delete this message");
  }
  const limit = organization(act).message_content_delete_limit_seconds;
  if (limit !== null && act.now - message.sent_at > limit) {
    throw badRequest('The time limit for deleting this message has passed');
  }
}

/** Messages of a user's bot count as the user's own. */
function isOwn({server}: ReadContext, user: UserRow, message: MessageRow): boolean {
  if (message.sender_id === user.id) return true;
  return findUser(server.db, message.sender_id)?.bot_owner_id === user.id;
}

function mayDeleteOwn(act: ReadContext, user: UserRow, message: MessageRow): boolean {
  if (hasPermission(act, user, organization(act).can_delete_own_message_group)) return true;
  const channel = message.channel_id === null ? undefined : findChannel(act.server.db, message.channel_id);
  return channel !== undefined && hasChannelPermission(act, user, channel, 'can_delete_own_message_group');
}
