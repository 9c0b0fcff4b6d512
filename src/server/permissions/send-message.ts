import {createHash} from 'node:crypto';
import type {ReadContext} from '#server/context.ts';
import {channelSubscribers, findChannel} from '#server/db/channels.ts';
import type {GroupRow} from '#server/db/groups.ts';
import type {ChannelRow, MessageRow, UserRow} from '#server/db/rows.ts';
import {findUser} from '#server/db/users.ts';
import {ApiError, badRequest, check} from '#server/errors.ts';
import {SystemGroup} from '#server/organization/permission-rules.ts';
import type {MessageAnalysis} from '#server/renderer.ts';
import {
  canAdministerChannel,
  canReadChannel,
  canSeeChannel,
  effectiveTopicsPolicy,
  hasChannelPermission,
  isSubscribed,
} from './channel.ts';
import {groupPermissions, hasMemberPermission, hasPermission, isModerator, organization} from './has-permission.ts';

/** A wildcard mention that notifies more users than this needs a permission. */
const maxWildcardMentionUsers = 15;

export function channelNotFoundError(channel: {stream: string} | {stream_id: number}): ApiError {
  const message =
    'stream' in channel
      ? `Channel '${channel.stream}' does not exist`
      : `Channel with ID '${channel.stream_id}' does not exist`;
  return new ApiError('STREAM_DOES_NOT_EXIST', message, 400, channel);
}

/**
 * Returns whether the sender may post in the channel at all; `checkTopicPolicy` and `checkCanCreateTopic` judge topics.
 */
export function canPost(act: ReadContext, sender: UserRow, channel: ChannelRow): boolean {
  return channel.is_archived === 0 && mayPost(act, sender, channel) && canReach(act, sender, channel);
}

/** Returns whether the sender, or the owner of a bot, may know that the channel exists. */
export function knowsChannel(act: ReadContext, sender: UserRow, channel: ChannelRow): boolean {
  if (sender.is_system_bot === 1 || canSeeChannel(act, sender, channel)) return true;
  const owner = ownerOf(act, sender);
  return owner !== undefined && canSeeChannel(act, owner, channel);
}

/** Throws unless the sender may post in the channel. The error is the same for an unknown and a hidden channel. */
export function checkCanPost(act: ReadContext, sender: UserRow, channel: ChannelRow): void {
  if (!knowsChannel(act, sender, channel)) throw channelNotFoundError({stream_id: channel.id});
  if (!mayPost(act, sender, channel)) throw badRequest('You do not have permission to post in this channel.');
  if (!canPost(act, sender, channel)) throw badRequest(`Not authorized to send to channel '${channel.name}'`);
}

/** A bot has the permission if its owner has it. */
function mayPost(act: ReadContext, sender: UserRow, channel: ChannelRow): boolean {
  if (sender.is_system_bot === 1) return true;
  const owner = ownerOf(act, sender);
  return (
    hasChannelPermission(act, sender, channel, 'can_send_message_group') ||
    (owner !== undefined && hasChannelPermission(act, owner, channel, 'can_send_message_group'))
  );
}

/** Returns whether the sender, or the owner of a bot, can reach the channel: messages are for people who can answer. */
function canReach(act: ReadContext, sender: UserRow, channel: ChannelRow): boolean {
  if (sender.is_system_bot === 1 || isSubscribed(act, sender.id, channel.id)) return true;
  const owner = ownerOf(act, sender);
  if (owner !== undefined && isSubscribed(act, owner.id, channel.id)) return true;
  return channel.history_public_to_subscribers === 1 && canReadChannel(act, sender, channel);
}

/** Returns a bot's owner, whose permissions the bot has too. */
function ownerOf(act: ReadContext, user: UserRow): UserRow | undefined {
  return user.is_bot === 1 && user.bot_owner_id !== null ? findUser(act.server.db, user.bot_owner_id) : undefined;
}

export function checkTopicPolicy(act: ReadContext, channel: ChannelRow, topic: string): void {
  const policy = effectiveTopicsPolicy(act, channel);
  if (topic === '' && policy === 'disable_empty_topic') {
    throw badRequest('Sending messages to the general chat is not allowed in this channel.', emptyTopicName(act));
  }
  if (topic !== '' && policy === 'empty_topic_only') {
    throw badRequest('Only the general chat topic is allowed in this channel.', emptyTopicName(act));
  }
}

/** Errors about the empty topic carry the name by which clients show it. */
export function emptyTopicName(act: ReadContext): {empty_topic_display_name: string} {
  return {empty_topic_display_name: organization(act).empty_topic_display_name};
}

export function topicExists(act: ReadContext, channelId: number, topicKey: string): boolean {
  const sql = 'SELECT 1 FROM message WHERE channel_id = ? AND topic_key = ? LIMIT 1';
  return act.server.db.get(sql, channelId, topicKey) !== undefined;
}

export function checkCanCreateTopic(act: ReadContext, sender: UserRow, channel: ChannelRow): void {
  const owner = ownerOf(act, sender);
  if (hasChannelPermission(act, sender, channel, 'can_create_topic_group')) return;
  if (owner !== undefined && hasChannelPermission(act, owner, channel, 'can_create_topic_group')) return;
  throw badRequest('You do not have permission to create new topics in this channel.');
}

/** Throws unless the direct message is permitted. Messages from bots, to bots and to oneself always are. */
export function checkCanSendDirect(
  act: ReadContext,
  sender: UserRow,
  others: readonly UserRow[],
  isNewConversation: boolean,
): void {
  if (sender.is_bot === 1 || others.every((other) => other.is_bot === 1)) return;
  const settings = organization(act);
  const people = [sender, ...others.filter((other) => other.is_bot === 0)];
  if (!people.some((person) => hasPermission(act, person, settings.direct_message_permission_group))) {
    throw badRequest(
      settings.direct_message_permission_group === SystemGroup.nobody
        ? 'Direct messages are disabled in this organization'
        : 'This conversation does not include any users who can authorize it',
    );
  }
  if (isNewConversation && !hasPermission(act, sender, settings.direct_message_initiator_group)) {
    throw badRequest('You do not have permission to initiate direct message conversations');
  }
}

/** Returns the users who sent a message or reacted in the topic and are still subscribed to the channel. */
export function topicParticipants(act: ReadContext, channelId: number, topicKey: string): Set<number> {
  const sql = `SELECT sender_id FROM message WHERE channel_id = ?1 AND topic_key = ?2
     UNION SELECT r.user_id FROM message AS m JOIN reaction AS r ON r.message_id = m.id
       WHERE m.channel_id = ?1 AND m.topic_key = ?2`;
  const participants = act.server.db.pluck(sql, channelId, topicKey);
  const subscribed = act.server.derivedFacts.get(channelSubscribers(channelId));
  return new Set(participants.filter((id) => subscribed.has(id)));
}

export function checkWildcardMentions(
  act: ReadContext,
  sender: UserRow,
  {mentions}: MessageAnalysis,
  channelId: number,
  topicKey: string,
): void {
  if (!mentions.channelWildcard && !mentions.topicWildcard) return;
  if (hasPermission(act, sender, organization(act).can_mention_many_users_group)) return;
  if (
    mentions.channelWildcard &&
    act.server.derivedFacts.get(channelSubscribers(channelId)).size > maxWildcardMentionUsers
  ) {
    throw new ApiError(
      'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
      'You do not have permission to use channel wildcard mentions in this channel.',
    );
  }
  if (mentions.topicWildcard && topicParticipants(act, channelId, topicKey).size > maxWildcardMentionUsers) {
    throw new ApiError(
      'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
      'You do not have permission to use topic wildcard mentions in this topic.',
    );
  }
}

/** Throws if the sender may not mention one of the mentioned groups; each group has its own permission for that. */
export function checkGroupMentions(act: ReadContext, sender: UserRow, {mentions}: MessageAnalysis): void {
  for (const id of mentions.groupIds) {
    const sql = 'SELECT name, is_system, permissions FROM user_group WHERE id = ?';
    const group = act.server.db.get<Pick<GroupRow, 'name' | 'is_system' | 'permissions'>>(sql, id);
    if (group === undefined || hasPermission(act, sender, groupPermissions(group).can_mention_group)) continue;
    throw badRequest(`You are not allowed to mention user group '${group.name}'.`);
  }
}

/** Added to every edit limit, so that an edit that was begun in time can be saved. */
const graceSeconds = 20;

/** Throws unless the user may begin to edit the text now; `checkCanEditContent` allows some more time to save it. */
export function checkCanStartEditing(act: ReadContext, user: UserRow, message: MessageRow, grace = 0): void {
  const settings = organization(act);
  if (!settings.allow_message_editing) throw badRequest('Your organization has turned off message editing');
  if (message.sender_id !== user.id) throw badRequest("You don't have permission to edit this message");
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
  if (widget !== undefined) throw badRequest('Widgets cannot be edited.');
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
  if (!isOwn(act, user, message) || !mayDeleteOwn(act, user, message)) {
    throw badRequest("You don't have permission to delete this message");
  }
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
