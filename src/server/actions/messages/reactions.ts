import {type EmojiReference, type EmojiRequest, resolveEmoji} from '#server/actions/inputs/resolve-emoji.ts';
import {autoFollow} from '#server/actions/topics/auto-follow.ts';
import type {ActionContext} from '#server/context.ts';
import type {MessageRow, UserRow} from '#server/db/rows.ts';
import {ApiError, badRequest} from '#server/http/errors.ts';
import {normalizedReactionType, sameEmoji} from '#wire/objects/reaction.ts';
import {messageAudience} from './message-audience.ts';
import {keepAsHistorical} from './personal-flags.ts';

type StoredReaction = EmojiReference & {readonly id: number; readonly user_id: number};

export function addReaction(act: ActionContext, actor: UserRow, message: MessageRow, request: EmojiRequest): void {
  const present = reactionsTo(act, message);
  // An emoji that the message already has needs no check, so a deactivated custom emoji can still be added.
  const emoji = present.find((reaction) => matchesRequest(request, reaction)) ?? resolveEmoji(act, request);
  if (present.some((reaction) => reaction.user_id === actor.id && sameEmoji(reaction, emoji))) {
    throw new ApiError('REACTION_ALREADY_EXISTS', 'Reaction already exists.');
  }
  // All reactions with one emoji have the name of the first one.
  const name = present.find((reaction) => sameEmoji(reaction, emoji))?.emoji_name ?? emoji.emoji_name;
  act.db.run(
    'INSERT INTO reaction (message_id, user_id, emoji_name, emoji_code, reaction_type) VALUES (?, ?, ?, ?, ?)',
    message.id,
    actor.id,
    name,
    emoji.emoji_code,
    emoji.reaction_type,
  );
  keepAsHistorical(act, actor.id, [message.id]);
  emitReaction(act, 'add', actor, message, {...emoji, emoji_name: name});
  autoFollowParticipant(act, actor, message);
}

export function removeReaction(act: ActionContext, actor: UserRow, message: MessageRow, request: EmojiRequest): void {
  if (request.emoji_name === undefined && request.emoji_code === undefined) {
    throw badRequest('Specify the emoji by emoji_name or emoji_code');
  }
  const own = reactionsTo(act, message).filter((reaction) => reaction.user_id === actor.id);
  const requested = own.find((reaction) => matchesRequest(request, reaction));
  const emoji = requested ?? resolveEmoji(act, request);
  const reaction = requested ?? own.find((candidate) => sameEmoji(candidate, emoji));
  if (reaction === undefined) throw new ApiError('REACTION_DOES_NOT_EXIST', "Reaction doesn't exist.");
  act.db.run('DELETE FROM reaction WHERE id = ?', reaction.id);
  emitReaction(act, 'remove', actor, message, reaction);
}

function reactionsTo({db}: ActionContext, message: MessageRow): StoredReaction[] {
  const sql = `SELECT id, user_id, emoji_name, emoji_code, reaction_type FROM reaction
    WHERE message_id = ? ORDER BY id`;
  return db.all<StoredReaction>(sql, message.id);
}

/** Returns whether a request refers to this reaction by its code, or by its name alone. */
function matchesRequest({emoji_name, emoji_code, reaction_type}: EmojiRequest, reaction: StoredReaction): boolean {
  if (reaction_type !== undefined && normalizedReactionType(reaction_type) !== reaction.reaction_type) return false;
  if (emoji_code === undefined) return emoji_name === reaction.emoji_name;
  if (reaction_type === undefined && reaction.reaction_type !== 'unicode_emoji') {
    return emoji_code === reaction.emoji_code && emoji_name === reaction.emoji_name;
  }
  return emoji_code === reaction.emoji_code;
}

function emitReaction(
  act: ActionContext,
  op: 'add' | 'remove',
  actor: UserRow,
  message: MessageRow,
  {emoji_name, emoji_code, reaction_type}: EmojiReference,
): void {
  act.emit({
    type: 'reaction',
    to: messageAudience(act, message),
    body: {op, message_id: message.id, user_id: actor.id, emoji_name, emoji_code, reaction_type},
  });
}

/** Follows the topic for a user who reacted or voted, if their settings say so. */
export function autoFollowParticipant(act: ActionContext, actor: UserRow, message: MessageRow): void {
  if (message.channel_id === null) return;
  const topic = {channelId: message.channel_id, topic: message.topic, topicKey: message.topic_key};
  autoFollow(act, actor, topic, 'participated');
}
