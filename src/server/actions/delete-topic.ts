import {cleanTopic} from '#server/actions/inputs/message-text.ts';
import {deleteMessages} from '#server/actions/messages/delete-message.ts';
import type {ActionContext} from '#server/context.ts';
import {type ChannelRow, fold, type MessageRow, type UserRow} from '#server/db/rows.ts';
import {unauthorizedPrincipal} from '#server/http/errors.ts';
import {canDeleteAnyMessage} from '#server/permissions/delete-message.ts';

/** Deletes a topic's messages permanently; in a channel with protected history, only those the actor received. */
export function deleteTopic(
  act: ActionContext,
  actor: UserRow,
  channel: ChannelRow,
  topicName: string,
): void {
  if (!canDeleteAnyMessage(act, actor, {channel_id: channel.id})) {
    throw unauthorizedPrincipal('Must be an organization administrator');
  }
  const key = fold(cleanTopic(act, topicName));
  const inTopic = 'SELECT m.* FROM message AS m WHERE m.channel_id = ? AND m.topic_key = ?';
  const received = `AND EXISTS (SELECT 1 FROM subscription_period AS p
    WHERE p.user_id = ? AND p.channel_id = m.channel_id AND m.id >= p.since_id
      AND (p.until_id IS NULL OR m.id < p.until_id))`;
  const messages =
    channel.history_public_to_subscribers === 1
      ? act.db.all<MessageRow>(inTopic, channel.id, key)
      : act.db.all<MessageRow>(`${inTopic} ${received}`, channel.id, key, actor.id);
  deleteMessages(act, messages);
}
