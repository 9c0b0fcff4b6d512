import {cleanContent, cleanTopic} from '#server/actions/inputs/message-text.ts';
import {conversationIds, otherPeople} from '#server/actions/inputs/recipients.ts';
import type {Act} from '#server/context.ts';
import {findChannel} from '#server/db/channels.ts';
import {conversationKey} from '#server/db/direct-conversations.ts';
import {fold, type UserRow} from '#server/db/rows.ts';
import {badRequest} from '#server/http/errors.ts';
import {
  checkCanPost,
  checkCanSendDirect,
  checkGroupMentions,
  checkNewTopic,
  checkTopicPolicy,
  checkWildcards,
  noSuchChannel,
  topicExists,
} from '#server/permissions/send-message.ts';

/** A message on its way: where it goes and what it says, as stored. */
export interface Addressed {
  readonly type: 'stream' | 'private';
  readonly recipients: readonly number[];
  readonly topic: string;
  readonly content: string;
}

interface Asked {
  readonly type: 'stream' | 'private';
  readonly to: readonly number[];
  readonly topic: string | undefined;
  readonly content: string;
}

/** Refuses now what would be refused then; sending checks everything again. */
export function checkScheduled(act: Act, sender: UserRow, asked: Asked): Addressed {
  const content = cleanContent(asked.content);
  const analysis = act.world.rendering.analyse(content);
  checkGroupMentions(act, sender, analysis);
  if (asked.type === 'private') {
    return {type: 'private', recipients: checkDirect(act, sender, asked.to), topic: '', content};
  }
  const [id, ...more] = asked.to;
  if (id === undefined || more.length > 0) throw badRequest('Expected exactly one channel');
  if (asked.topic === undefined) throw badRequest('Missing topic');
  const topic = cleanTopic(act, asked.topic);
  checkChannel(act, sender, id, topic);
  checkWildcards(act, sender, analysis, id, fold(topic));
  return {type: 'stream', recipients: [id], topic, content};
}

function checkChannel(act: Act, sender: UserRow, channelId: number, topic: string): void {
  const channel = findChannel(act.db, channelId);
  if (channel === undefined) throw noSuchChannel({stream_id: channelId});
  checkCanPost(act, sender, channel);
  checkTopicPolicy(act, channel, topic);
  if (!topicExists(act, channelId, fold(topic))) checkNewTopic(act, sender, channel);
}

function checkDirect(act: Act, sender: UserRow, to: readonly number[]): number[] {
  if (to.length === 0) throw badRequest('Message must have recipients');
  const others = otherPeople(act, sender, to);
  const key = conversationKey([sender.id, ...others.map((other) => other.id)]);
  const sql = 'SELECT 1 FROM dm JOIN message AS m ON m.dm_id = dm.id WHERE dm.key = ? LIMIT 1';
  checkCanSendDirect(act, sender, others, act.db.get(sql, key) === undefined);
  return conversationIds(sender, others);
}
