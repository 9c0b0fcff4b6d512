import type {ReadContext} from '#server/context.ts';
import type {GroupRow} from '#server/db/groups.ts';
import type {ChannelRow, UserRow} from '#server/db/rows.ts';
import {findUser} from '#server/db/users.ts';
import {ApiError, badRequest, check} from '#server/errors.ts';
import {SystemGroup} from '#server/organization/permission-rules.ts';
import type {MessageAnalysis} from '#server/renderer.ts';
import {
  canReadChannel,
  canSeeChannel,
  effectiveTopicsPolicy,
  hasChannelPermission,
  isSubscribed,
  subscribersOf,
} from './channel.ts';
import {groupPermissions} from './group.ts';
import {hasPermission, organization} from './has-permission.ts';

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
function canPost(act: ReadContext, sender: UserRow, channel: ChannelRow): boolean {
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
  check(mayPost(act, sender, channel), 'You do not have permission to post in this channel.');
  check(canPost(act, sender, channel), `Not authorized to send to channel '${channel.name}'`);
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
  const subscribed = subscribersOf(act, channelId);
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
  if (mentions.channelWildcard && subscribersOf(act, channelId).size > maxWildcardMentionUsers) {
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
