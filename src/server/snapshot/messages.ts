import {countsAsMention} from '#server/actions/messages/change-flags.ts';
import type {ActionContext} from '#server/context.ts';
import {subscribedChannelIds} from '#server/db/channels.ts';
import {Flag, fold, type Ids} from '#server/db/rows.ts';
import {unreadSql} from '#server/db/unread-messages.ts';
import {compileNarrow} from '#server/narrow/compile.ts';
import {TopicPolicies} from '#server/narrow/message-streams.ts';
import {topicDisplayName} from '#server/permissions/has-permission.ts';
import {getOrCreate} from '#std/get-or-create.ts';
import type {WireUnreads} from '#wire/objects/channel.ts';
import {noAnchor} from '#wire/objects/message.ts';
import type {SnapshotBlocks, SnapshotRequest} from './users.ts';

/** Clients find older conversations by fetching messages. */
const maxConversations = 1000;

/** Unread and starred messages and recent direct conversations. */
export const messagesBlocks: SnapshotBlocks = {
  message: (request) => ({
    max_message_id: compileNarrow(request.act, request.viewer, []).messageIds.idsBeyond(noAnchor, 'older', 1)[0] ?? -1,
    // Without flag events the client's list of unread messages would be out of date at once.
    ...(request.fetchTypes?.has('update_message_flags') !== false && {unread_msgs: unreadSnapshot(request)}),
  }),
  starred_messages: ({act, viewer}) => ({
    starred_messages: act.db.pluck(
      `SELECT message_id FROM user_message INDEXED BY user_message_starred
       WHERE user_id = ? AND flags & ${Flag.starred} ORDER BY message_id`,
      viewer.id,
    ),
  }),
  recent_private_conversations: (request) => ({
    recent_private_conversations: recentConversations(request),
  }),
};

/** Returns the other users of each direct conversation, newest first. */
function recentConversations({act, viewer}: SnapshotRequest): {max_message_id: number; user_ids: number[]}[] {
  const sql = `SELECT (SELECT MAX(id) FROM message WHERE dm_id = mine.dm_id) AS max_message_id, dm.key
     FROM dm_member AS mine JOIN dm ON dm.id = mine.dm_id
     WHERE mine.user_id = ? AND max_message_id IS NOT NULL ORDER BY max_message_id DESC LIMIT ${maxConversations}`;
  const rows = act.db.all<{max_message_id: number; key: string}>(sql, viewer.id);
  return rows.map(({max_message_id, key}) => ({
    max_message_id,
    user_ids: key
      .split(',')
      .map(Number)
      .filter((id) => id !== viewer.id),
  }));
}

/** A client gets at most this many unread messages, the newest ones. */
const maxUnreads = 50_000;

/** Unread messages, column by column: the first is about ids[0], flags[0] and so on. */
interface UnreadColumns {
  readonly ids: Ids;
  readonly flags: readonly number[];
  readonly channels: readonly (number | null)[];
  readonly topics: readonly string[];
  readonly dmKeys: readonly (string | null)[];
}

/** Returns the viewer's unread messages grouped by conversation. */
export function unreadSnapshot(
  request: Pick<SnapshotRequest, 'act' | 'viewer' | 'options'>,
  limit = maxUnreads,
): WireUnreads {
  const {act, viewer, options} = request;
  const some = unreadColumns(act, viewer.id, `LIMIT ${limit + 1}`);
  const isTooMany = some.ids.length > limit;
  // Sorting them takes as long as fetching them.
  const columns = isTooMany ? unreadColumns(act, viewer.id, `ORDER BY id DESC LIMIT ${limit}`) : some;
  const {flags, channels, topics: spellings, dmKeys} = columns;
  const subscribed = new Set(subscribedChannelIds(act.db, viewer.id));
  const policies = new TopicPolicies(act.db, viewer.id);
  const topics = new Map<string, UnreadTopic>();
  /** The topics by channel and spelling, so that few spellings are folded. */
  const bySpelling = new Map<number, Map<string, UnreadTopic>>();
  const direct = new Map<string, number[]>();
  const mentions: number[] = [];
  let count = 0;
  const topicOf = (channelId: number, spelling: string) =>
    getOrCreate(
      getOrCreate(bySpelling, channelId, () => new Map()),
      spelling,
      () => {
        const key = fold(spelling);
        return getOrCreate(topics, `${channelId}:${key}`, () => ({
          stream_id: channelId,
          topic: '',
          muted: policies.isMutedTopic(channelId, key),
          oldest: Number.POSITIVE_INFINITY,
          ids: [],
        }));
      },
    );
  for (const [at, id] of columns.ids.entries()) {
    const channelId = channels[at] ?? null;
    const spelling = spellings[at] ?? '';
    if (channelId !== null && !subscribed.has(channelId)) continue;
    const topic = channelId === null ? undefined : topicOf(channelId, spelling);
    const ids = topic?.ids ?? getOrCreate(direct, dmKeys[at] ?? '', () => []);
    ids.push(id);
    if (topic !== undefined && id < topic.oldest) {
      topic.oldest = id;
      topic.topic = topicDisplayName(act, spelling, options.capabilities.empty_topic_name === true);
    }
    if (topic?.muted !== true) count++;
    if (countsAsMention(flags[at] ?? 0, topic?.muted === true)) mentions.push(id);
  }
  const conversations = Array.from(direct, ([key, ids]) => {
    const userIds = key.split(',').map(Number);
    const other = userIds.find((userId) => userId !== viewer.id) ?? viewer.id;
    return {key, other, isGroup: userIds.length > 2, unread_message_ids: ascending(ids)};
  });
  return {
    count,
    // `sender_id` is the older name, which clients may still read.
    pms: conversations
      .filter(({isGroup}) => !isGroup)
      .sort((a, b) => a.other - b.other)
      .map(({other, unread_message_ids}) => ({other_user_id: other, sender_id: other, unread_message_ids})),
    huddles: conversations
      .filter(({isGroup}) => isGroup)
      .sort((a, b) => compareText(a.key, b.key))
      .map(({key, unread_message_ids}) => ({user_ids_string: key, unread_message_ids})),
    streams: [...topics.values()]
      .sort((a, b) => a.stream_id - b.stream_id || compareText(a.topic, b.topic))
      .map(({stream_id, topic, ids}) => ({stream_id, topic, unread_message_ids: ascending(ids)})),
    mentions: ascending(mentions),
    old_unreads_missing: isTooMany,
  };
}

/** Fetches each column as one JSON text: fifty thousand row objects, or arrays, would take twice as long. */
function unreadColumns({db}: ActionContext, userId: number, range: string): UnreadColumns {
  const sql = `SELECT json_group_array(m.id) AS ids, json_group_array(u.flags) AS flags,
       json_group_array(m.channel_id) AS channels, json_group_array(m.topic) AS topics,
       json_group_array((SELECT key FROM dm WHERE dm.id = m.dm_id)) AS dmKeys
     FROM (SELECT * FROM ${unreadSql} ${range}) AS u CROSS JOIN message AS m ON m.id = u.id`;
  const lists = db.get<Record<keyof UnreadColumns, string>>(sql, userId);
  const list = (name: keyof UnreadColumns) => JSON.parse(lists?.[name] ?? '[]');
  return {
    ids: list('ids'),
    flags: list('flags'),
    channels: list('channels'),
    topics: list('topics'),
    dmKeys: list('dmKeys'),
  };
}

interface UnreadTopic {
  readonly stream_id: number;
  readonly muted: boolean;
  topic: string;
  /** The oldest unread message, whose spelling of the topic is shown. */
  oldest: number;
  readonly ids: number[];
}

function ascending(ids: number[]): number[] {
  return ids.sort((a, b) => a - b);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
