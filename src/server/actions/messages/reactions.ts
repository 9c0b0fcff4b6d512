import {type EmojiReference, requestedEmoji, resolveEmoji} from '#server/actions/inputs.ts';
import {autoFollow} from '#server/actions/topics/user-topics.ts';
import type {ActionContext, RequestContext} from '#server/context.ts';
import type {MessageRow} from '#server/db/rows.ts';
import {ApiError, required} from '#server/errors.ts';
import {type Route, route} from '#server/route.ts';
import {endpoints} from '#wire/endpoints.ts';
import {sameEmoji} from '#wire/objects/message.ts';
import {keepAsHistorical} from './change-flags.ts';
import {messageAudience, requireChangeableMessage} from './message-audience.ts';

type StoredReaction = EmojiReference & {readonly id: number; readonly user_id: number};

export const reactionRoutes: readonly Route[] = [
  route(endpoints.addReaction, 'account', (call, params) => {
    const {actor} = call;
    const message = requireChangeableMessage(call, actor, params.message_id);
    const emoji = requestedEmoji(call, params, {isNameNeeded: true});
    const present = reactionsTo(call, message).filter((reaction) => sameEmoji(reaction, emoji));
    if (present.some((reaction) => reaction.user_id === actor.id)) {
      throw new ApiError('REACTION_ALREADY_EXISTS', 'Reaction already exists.');
    }
    const {emoji_code, reaction_type} = emoji;
    // An emoji that the message already has needs no check, and keeps the name of its first reaction.
    const emoji_name = present[0]?.emoji_name ?? resolveEmoji(call, params).emoji_name;
    const reaction = {message_id: message.id, user_id: actor.id, emoji_name, emoji_code, reaction_type};
    call.db.insertRow('reaction', reaction);
    keepAsHistorical(call, actor.id, [message.id]);
    autoFollowParticipant(call, message);
    call.emit('reaction', messageAudience(call, message), {op: 'add', ...reaction});
  }),
  route(endpoints.removeReaction, 'account', (call, params) => {
    const {actor} = call;
    const message = requireChangeableMessage(call, actor, params.message_id);
    const emoji = requestedEmoji(call, params);
    const found = reactionsTo(call, message).find((each) => each.user_id === actor.id && sameEmoji(each, emoji));
    const missing = () => new ApiError('REACTION_DOES_NOT_EXIST', "Reaction doesn't exist.");
    const {id, user_id, ...reaction} = required(found, missing);
    call.db.deleteRows('reaction', {id});
    const body = {op: 'remove' as const, message_id: message.id, user_id, ...reaction};
    call.emit('reaction', messageAudience(call, message), body);
  }),
];

function reactionsTo({db}: ActionContext, message: MessageRow): StoredReaction[] {
  const sql = `SELECT id, user_id, emoji_name, emoji_code, reaction_type FROM reaction
    WHERE message_id = ? ORDER BY id`;
  return db.all<StoredReaction>(sql, message.id);
}

/** Follows the topic for a user who reacted or voted, if their settings say so. */
export function autoFollowParticipant(act: RequestContext, message: MessageRow): void {
  if (message.channel_id === null) return;
  const topic = {channelId: message.channel_id, topic: message.topic, topicKey: message.topic_key};
  autoFollow(act, act.actor, topic, 'participated');
}
