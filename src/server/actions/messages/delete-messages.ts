import {updateFirstMessage} from '#server/actions/events/channel-events.ts';
import {cleanTopic} from '#server/actions/inputs.ts';
import {forgetTopicPolicies} from '#server/actions/topics/user-topics.ts';
import {unlinkUploads} from '#server/actions/uploads/attachments.ts';
import type {ActionContext, RequestContext} from '#server/context.ts';
import {findChannel} from '#server/db/channels.ts';
import {directConversationMembers} from '#server/db/messages.ts';
import {type ChannelRow, fold, type Ids, type MessageRow} from '#server/db/rows.ts';
import {unauthorizedPrincipal} from '#server/errors.ts';
import {canDeleteAnyMessage, checkCanDeleteMessage} from '#server/permissions/change-message.ts';
import {requireOpenChannel} from '#server/permissions/channel.ts';
import {topicDisplayName} from '#server/permissions/has-permission.ts';
import {topicExists} from '#server/permissions/send-message.ts';
import {type Route, route} from '#server/route.ts';
import {getOrCreate} from '#std/get-or-create.ts';
import {endpoints} from '#wire/endpoints.ts';
import type {OutgoingBody} from '#wire/events.ts';
import {levels} from '#wire/levels.ts';
import {channelMessageReaders, requireChangeableMessage} from './message-audience.ts';

export const deletionRoutes: readonly Route[] = [
  route(endpoints.deleteMessage, 'account', (call, params) => {
    const message = requireChangeableMessage(call, call.actor, params.message_id);
    checkCanDeleteMessage(call, call.actor, message);
    deleteMessages(call, [message]);
  }),
  route(endpoints.deleteTopic, 'account', (call, {stream_id, topic_name}) => {
    const channel = requireOpenChannel(call, call.actor, stream_id);
    return {complete: deleteTopic(call, channel, topic_name)};
  }),
];

/** Deletes messages permanently, without a permission check. All must be from one topic or one direct conversation. */
export function deleteMessages(act: ActionContext, messages: readonly MessageRow[]): void {
  const [first] = messages;
  if (first === undefined) return;
  const ids = messages.map(({id}) => id).sort((a, b) => a - b);
  const channel = first.channel_id === null ? undefined : findChannel(act.db, first.channel_id);
  const audience =
    channel === undefined
      ? new Map(directConversationMembers(act.db, first.dm_id ?? 0).map((id) => [id, ids]))
      : channelMessageReaders(act, channel, ids);
  for (const id of ids) unlinkUploads(act, id, []);
  const list = JSON.stringify(ids);
  for (const table of [
    'user_message INDEXED BY user_message_by_message',
    'message_mention',
    'reaction',
    'submessage',
  ]) {
    act.db.run(`DELETE FROM ${table} WHERE message_id IN (SELECT value FROM json_each(?))`, list);
  }
  act.db.run('DELETE FROM message WHERE id IN (SELECT value FROM json_each(?))', list);
  act.afterCommit(() => act.server.deferredWork.emptyLogSoon());
  if (channel !== undefined) updateFirstMessage(act, channel.id, ids);
  emitMessagesDeleted(act, audience, first);
}

type Deletion = OutgoingBody<'delete_message'>;

/** Emits the deletion to each reader of the messages: as one event, or one per message for older clients. */
export function emitMessagesDeleted(
  act: ActionContext,
  audience: ReadonlyMap<number, Ids>,
  origin: Pick<MessageRow, 'channel_id' | 'topic'>,
): void {
  const bodies = new Map<string, Deletion | readonly Deletion[]>();
  act.emit('delete_message', new Set(audience.keys()), ({userId, options}) => {
    const ids = audience.get(userId) ?? [];
    const bulk = options.capabilities.bulk_message_deletion === true;
    const namesEmpty = origin.topic === '' && options.capabilities.empty_topic_name !== true;
    const key = `${bulk} ${namesEmpty} ${ids.join()}`;
    return getOrCreate(bodies, key, () => {
      const topic = topicDisplayName(act, origin.topic, !namesEmpty);
      const where =
        origin.channel_id === null
          ? {message_type: 'private'}
          : {message_type: 'stream', stream_id: origin.channel_id, topic};
      return bulk ? {message_ids: ids, ...where} : ids.map((id) => ({message_id: id, ...where}));
    });
  });
}

/** One request deletes at most this many messages, so that others do not wait for long. Older clients ask only once. */
const maxDeletedMessages = 1000;

/**
 * Deletes the newest messages of a topic permanently; in a channel with protected history, only those the actor received.
 * Returns whether none is left.
 */
function deleteTopic(act: RequestContext, channel: ChannelRow, topicName: string): boolean {
  const {actor} = act;
  if (!canDeleteAnyMessage(act, actor, {channel_id: channel.id})) {
    throw unauthorizedPrincipal('Must be an organization administrator');
  }
  const key = fold(cleanTopic(act, topicName));
  const inTopic = 'SELECT m.* FROM message AS m WHERE m.channel_id = ? AND m.topic_key = ?';
  const received = `AND EXISTS (SELECT 1 FROM subscription_period AS p
    WHERE p.user_id = ? AND p.channel_id = m.channel_id AND m.id >= p.since_id
      AND (p.until_id IS NULL OR m.id < p.until_id))`;
  const newestFirst = 'ORDER BY m.id DESC LIMIT ?';
  const maxDeleted = act.server.level < levels.complete ? Number.MAX_SAFE_INTEGER - 1 : maxDeletedMessages;
  const limit = maxDeleted + 1;
  const messages =
    channel.history_public_to_subscribers === 1
      ? act.db.all<MessageRow>(`${inTopic} ${newestFirst}`, channel.id, key, limit)
      : act.db.all<MessageRow>(`${inTopic} ${received} ${newestFirst}`, channel.id, key, actor.id, limit);
  deleteMessages(act, messages.slice(0, maxDeleted));
  if (messages.length <= maxDeleted && !topicExists(act, channel.id, key)) forgetTopicPolicies(act, channel.id, key);
  return messages.length <= maxDeleted;
}
