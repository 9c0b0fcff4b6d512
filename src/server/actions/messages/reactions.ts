import {
  type EmojiReference,
  type EmojiRequest,
  requestedEmoji,
  resolveEmoji,
} from '#server/actions/inputs/resolve-emoji.ts';
import {autoFollow} from '#server/actions/topics/user-topics.ts';
import type {ActionContext} from '#server/context.ts';
import type {MessageRow, UserRow} from '#server/db/rows.ts';
import {ApiError} from '#server/http/errors.ts';
import {sameEmoji} from '#wire/objects/reaction.ts';
import {keepAsHistorical} from './flag-events.ts';
import {messageAudience} from './message-audience.ts';

type StoredReaction = EmojiReference & {readonly id: number; readonly user_id: number};

export function addReaction(act: ActionContext, actor: UserRow, message: MessageRow, request: EmojiRequest): void {
  const emoji = requestedEmoji(act, request, {isNameNeeded: true});
  const present = reactionsTo(act, message).filter((reaction) => sameEmoji(reaction, emoji));
  if (present.some((reaction) => reaction.user_id === actor.id)) {
    throw new ApiError('REACTION_ALREADY_EXISTS', 'Reaction already exists.');
  }
  // An emoji that the message already has needs no check, and keeps the name of its first reaction.
  const name = present[0]?.emoji_name ?? resolveEmoji(act, request).emoji_name;
  act.db.insertRow('reaction', {
    message_id: message.id,
    user_id: actor.id,
    emoji_name: name,
    emoji_code: emoji.emoji_code,
    reaction_type: emoji.reaction_type,
  });
  keepAsHistorical(act, actor.id, [message.id]);
  autoFollowParticipant(act, actor, message);
  emitReaction(act, 'add', actor, message, {...emoji, emoji_name: name});
}

export function removeReaction(act: ActionContext, actor: UserRow, message: MessageRow, request: EmojiRequest): void {
  const emoji = requestedEmoji(act, request);
  const reaction = reactionsTo(act, message).find((each) => each.user_id === actor.id && sameEmoji(each, emoji));
  if (reaction === undefined) throw new ApiError('REACTION_DOES_NOT_EXIST', "Reaction doesn't exist.");
  act.db.run('DELETE FROM reaction WHERE id = ?', reaction.id);
  emitReaction(act, 'remove', actor, message, reaction);
}

function reactionsTo({db}: ActionContext, message: MessageRow): StoredReaction[] {
  const sql = `SELECT id, user_id, emoji_name, emoji_code, reaction_type FROM reaction
    WHERE message_id = ? ORDER BY id`;
  return db.all<StoredReaction>(sql, message.id);
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
