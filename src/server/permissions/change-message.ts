import {createHash} from 'node:crypto';
import type {ReadContext} from '#server/context.ts';
import {findChannel} from '#server/db/channels.ts';
import type {ChannelRow, MessageRow, UserRow} from '#server/db/rows.ts';
import {findUser} from '#server/db/users.ts';
import {ApiError, badRequest, check} from '#server/errors.ts';
import {canAdministerChannel, hasChannelPermission} from './channel.ts';
import {hasMemberPermission, hasPermission, isModerator, organization} from './has-permission.ts';

/** Added to every edit limit, so that an edit that was begun in time can be saved. */
const graceSeconds = 20;

/** Throws unless the user may begin to edit the text now; `checkCanEditContent` allows some more time to save it. */
export function checkCanStartEditing(act: ReadContext, user: UserRow, message: MessageRow, grace = 0): void {
  const settings = organization(act);
  check(settings.allow_message_editing, 'Your organization has turned off message editing');
  check(message.sender_id === user.id, "You don't have permission to edit this message");
  const limit = settings.message_content_edit_limit_seconds;
  if (limit !== null && act.now - message.sent_at > limit + grace) {
    throw badRequest('The time limit for editing this message has passed');
  }
}

export function checkCanEditContent(act: ReadContext, user: UserRow, message: MessageRow): void {
  checkCanStartEditing(act, user, message, graceSeconds);
}

export function checkIsNoWidget(act: ReadContext, message: MessageRow): void {
  const widget = act.server.db.get('SELECT 1 FROM submessage WHERE message_id = ?', message.id);
  check(widget === undefined, 'Widgets cannot be edited.');
}

/**
 * Throws unless `sha256` is the hash of the current text: the editor must have seen the text that the edit replaces.
 */
export function checkExpectedContent(message: MessageRow, sha256: string | undefined): void {
  if (sha256 === undefined) return;
  if (createHash('sha256').update(message.content).digest('hex') === sha256) return;
  throw new ApiError('EXPECTATION_MISMATCH', "'prev_content_sha256' value does not match the expected value.", 400, {
    field_name: 'prev_content_sha256',
  });
}

export function checkCanResolveTopic(act: ReadContext, user: UserRow, channel: ChannelRow): void {
  if (
    hasPermission(act, user, organization(act).can_resolve_topics_group) ||
    hasChannelPermission(act, user, channel, 'can_resolve_topics_group')
  )
    return;
  throw badRequest("You don't have permission to resolve topics in this channel.");
}

export function checkCanRenameTopic(act: ReadContext, user: UserRow, message: MessageRow, channel: ChannelRow): void {
  if (
    !hasPermission(act, user, organization(act).can_move_messages_between_topics_group) &&
    !hasChannelPermission(act, user, channel, 'can_move_messages_within_channel_group') &&
    !canAdministerChannel(act, user, channel)
  ) {
    throw badRequest("You don't have permission to edit this message");
  }
  checkAge(act, message, topicMoveLimit(act, user), "The time limit for editing this message's topic has passed.");
}

export function checkCanMoveToOtherChannel(
  act: ReadContext,
  user: UserRow,
  message: MessageRow,
  channel: ChannelRow,
): void {
  if (
    !hasMemberPermission(act, user, organization(act).can_move_messages_between_channels_group) &&
    !hasChannelPermission(act, user, channel, 'can_move_messages_out_of_channel_group') &&
    !canAdministerChannel(act, user, channel)
  ) {
    throw badRequest("You don't have permission to move this message");
  }
  const passed = "The time limit for editing this message's channel has passed";
  checkAge(act, message, channelMoveLimit(act, user), passed);
}

export function topicMoveLimit(act: ReadContext, user: UserRow): number | null {
  return isModerator(user) ? null : organization(act).move_messages_within_stream_limit_seconds;
}

export function channelMoveLimit(act: ReadContext, user: UserRow): number | null {
  return isModerator(user) ? null : organization(act).move_messages_between_streams_limit_seconds;
}

function checkAge(act: ReadContext, message: MessageRow, limit: number | null, passed: string): void {
  if (limit !== null && act.now - message.sent_at > limit + graceSeconds) throw badRequest(passed);
}

/** Throws if some messages of the topic are too old to move; the error says which messages may move. */
export function checkAllMovable(
  act: ReadContext,
  moving: readonly {readonly id: number; readonly sent_at: number}[],
  limits: readonly (number | null)[],
): void {
  const limit = Math.min(...limits.map((seconds) => seconds ?? Number.POSITIVE_INFINITY));
  const oldest = act.now - limit - graceSeconds;
  const allowed = moving.filter((message) => message.sent_at >= oldest);
  if (allowed.length === moving.length) return;
  throw new ApiError(
    'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
    `You only have permission to move the ${allowed.length}/${moving.length} most recent messages in this topic.`,
    400,
    {
      first_message_id_allowed_to_move: allowed[0]?.id ?? null,
      total_messages_in_topic: moving.length,
      total_messages_allowed_to_move: allowed.length,
    },
  );
}

/** Returns whether the user may delete messages of all senders in that channel, without a time limit. */
export function canDeleteAnyMessage(act: ReadContext, user: UserRow, message: Pick<MessageRow, 'channel_id'>): boolean {
  if (hasMemberPermission(act, user, organization(act).can_delete_any_message_group)) return true;
  const channel = message.channel_id === null ? undefined : findChannel(act.server.db, message.channel_id);
  return channel !== undefined && hasChannelPermission(act, user, channel, 'can_delete_any_message_group');
}

export function checkCanDeleteMessage(act: ReadContext, user: UserRow, message: MessageRow): void {
  if (canDeleteAnyMessage(act, user, message)) return;
  check(
    isOwn(act, user, message) && mayDeleteOwn(act, user, message),
    "You don't have permission to delete this message",
  );
  const limit = organization(act).message_content_delete_limit_seconds;
  check(limit === null || act.now - message.sent_at <= limit, 'The time limit for deleting this message has passed');
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
