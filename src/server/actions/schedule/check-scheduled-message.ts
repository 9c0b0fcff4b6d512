import {cleanContent, cleanTopic} from '#server/actions/inputs/message-text.ts';
import {conversationUserIds, otherRecipients} from '#server/actions/inputs/recipients.ts';
import type {ActionContext} from '#server/context.ts';
import {findChannel} from '#server/db/channels.ts';
import {directConversationKey} from '#server/db/direct-conversations.ts';
import {fold, type UserRow} from '#server/db/rows.ts';
import {badRequest} from '#server/http/errors.ts';
import {
  channelNotFoundError,
  checkCanCreateTopic,
  checkCanPost,
  checkCanSendDirect,
  checkGroupMentions,
  checkTopicPolicy,
  checkWildcardMentions,
  topicExists,
} from '#server/permissions/send-message.ts';

/** The destination and text of a scheduled message, as stored. */
export interface CheckedScheduledMessage {
  readonly type: 'stream' | 'private';
  readonly recipients: readonly number[];
  readonly topic: string;
  readonly content: string;
}

interface ScheduledMessageRequest {
  readonly type: 'stream' | 'private';
  readonly to: readonly number[];
  readonly topic: string | undefined;
  readonly content: string;
}

/** Checks a scheduled message as if it were sent now. Delivery checks everything again. */
export function checkScheduledMessage(
  act: ActionContext,
  sender: UserRow,
  request: ScheduledMessageRequest,
): CheckedScheduledMessage {
  const content = cleanContent(request.content);
  const analysis = act.server.renderer.analyse(content);
  if (request.type === 'private') {
    const recipients = checkDirect(act, sender, request.to);
    checkGroupMentions(act, sender, analysis);
    return {type: 'private', recipients, topic: '', content};
  }
  const [id, ...more] = request.to;
  if (id === undefined || more.length > 0) throw badRequest('Expected exactly one channel');
  if (request.topic === undefined) throw badRequest('Missing topic');
  const topic = cleanTopic(act, request.topic);
  checkChannel(act, sender, id, topic);
  checkWildcardMentions(act, sender, analysis, id, fold(topic));
  checkGroupMentions(act, sender, analysis);
  return {type: 'stream', recipients: [id], topic, content};
}

function checkChannel(act: ActionContext, sender: UserRow, channelId: number, topic: string): void {
  const channel = findChannel(act.db, channelId);
  if (channel === undefined) throw channelNotFoundError({stream_id: channelId});
  checkCanPost(act, sender, channel);
  if (!topicExists(act, channelId, fold(topic))) checkCanCreateTopic(act, sender, channel);
  checkTopicPolicy(act, channel, topic);
}

function checkDirect(act: ActionContext, sender: UserRow, to: readonly number[]): number[] {
  if (to.length === 0) throw badRequest('Message must have recipients');
  const others = otherRecipients(act, sender, to);
  const key = directConversationKey([sender.id, ...others.map((other) => other.id)]);
  const sql = 'SELECT 1 FROM dm JOIN message AS m ON m.dm_id = dm.id WHERE dm.key = ? LIMIT 1';
  checkCanSendDirect(act, sender, others, act.db.get(sql, key) === undefined);
  return conversationUserIds(sender, others);
}

/** The last second of the year 9999. */
export const maxTimestamp = 253_402_300_799;

export function checkDeliveryTime(act: ActionContext, deliverAt: number): void {
  if (deliverAt <= act.now) throw badRequest('Scheduled delivery time must be in the future.');
  if (deliverAt > maxTimestamp) throw badRequest('Scheduled delivery time is too far in the future.');
}
