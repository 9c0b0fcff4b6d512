import {countsAsMention} from '#server/actions/messages/change-flags.ts';
import type {ActionContext} from '#server/context.ts';
import {subscribedChannelIds} from '#server/db/channels.ts';
import {Flag, fold} from '#server/db/rows.ts';
import {unreadSql} from '#server/db/unread-messages.ts';
import {compileNarrow} from '#server/narrow/compile.ts';
import {TopicPolicies} from '#server/narrow/message-streams.ts';
import {organization} from '#server/permissions/has-permission.ts';
import type {WireUnreads} from '#wire/objects/channel.ts';
import {noAnchor} from '#wire/objects/message.ts';
import type {SnapshotBlocks, SnapshotRequest} from './users.ts';

/** Clients find older conversations by fetching messages. */
const maxConversations = 1000;

/** Unread and starred messages and recent direct conversations. */
export const messagesBlocks: SnapshotBlocks = {
  message: (request) => ({
    max_message_id: newestReceived(request),
    // Without flag events the client's list of unread messages would be out of date at once.
    ...(wants(request, 'update_message_flags') && {unread_msgs: unreadSnapshot(request)}),
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

function wants({fetchTypes}: SnapshotRequest, fetchType: string): boolean {
  return fetchTypes === undefined || fetchTypes.has(fetchType);
}

function newestReceived({act, viewer}: SnapshotRequest): number {
  return compileNarrow(act, viewer, []).messageIds.idsBeyond(noAnchor, 'older', 1)[0] ?? -1;
}

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
  readonly ids: readonly number[];
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
  const collector = new UnreadCollector(
    viewer.id,
    new Set(subscribedChannelIds(act.db, viewer.id)),
    new TopicPolicies(act.db, viewer.id),
    options.capabilities.empty_topic_name === true ? '' : organization(act).empty_topic_display_name,
  );
  const {flags, channels, topics, dmKeys} = columns;
  for (const [at, id] of columns.ids.entries()) {
    collector.add(id, flags[at] ?? 0, channels[at] ?? null, topics[at] ?? '', dmKeys[at] ?? '');
  }
  return collector.unreads(isTooMany);
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

class UnreadCollector {
  readonly #viewerId: number;
  readonly #subscribed: ReadonlySet<number>;
  readonly #policies: TopicPolicies;
  readonly #emptyTopic: string;
  readonly #topics = new Map<string, UnreadTopic>();
  /** The topics by channel and spelling, so that few spellings are folded. */
  readonly #bySpelling = new Map<number, Map<string, UnreadTopic>>();
  readonly #direct = new Map<string, number[]>();
  readonly #mentions: number[] = [];
  #count = 0;

  constructor(viewerId: number, subscribed: ReadonlySet<number>, policies: TopicPolicies, emptyTopic: string) {
    this.#viewerId = viewerId;
    this.#subscribed = subscribed;
    this.#policies = policies;
    this.#emptyTopic = emptyTopic;
  }

  add(id: number, flags: number, channelId: number | null, topic: string, dmKey: string): void {
    if (channelId === null) this.#addDirect(id, flags, dmKey);
    else if (this.#subscribed.has(channelId)) this.#addToTopic(id, flags, this.#topic(channelId, topic), topic);
  }

  #addDirect(id: number, flags: number, dmKey: string): void {
    const ids = this.#direct.get(dmKey);
    if (ids === undefined) this.#direct.set(dmKey, [id]);
    else ids.push(id);
    this.#count++;
    if (countsAsMention(flags, false)) this.#mentions.push(id);
  }

  #topic(channelId: number, spelling: string): UnreadTopic {
    let spellings = this.#bySpelling.get(channelId);
    if (spellings === undefined) {
      spellings = new Map();
      this.#bySpelling.set(channelId, spellings);
    }
    let topic = spellings.get(spelling);
    if (topic === undefined) {
      const topicKey = fold(spelling);
      const key = `${channelId}:${topicKey}`;
      const muted = this.#policies.isMutedTopic(channelId, topicKey);
      topic = this.#topics.get(key) ?? {
        stream_id: channelId,
        topic: '',
        muted,
        oldest: Number.POSITIVE_INFINITY,
        ids: [],
      };
      this.#topics.set(key, topic);
      spellings.set(spelling, topic);
    }
    return topic;
  }

  #addToTopic(id: number, flags: number, group: UnreadTopic, topic: string): void {
    if (id < group.oldest) {
      group.oldest = id;
      group.topic = topic === '' ? this.#emptyTopic : topic;
    }
    group.ids.push(id);
    if (!group.muted) this.#count++;
    if (countsAsMention(flags, group.muted)) this.#mentions.push(id);
  }

  unreads(oldMissing: boolean): WireUnreads {
    const pms: (WireUnreads['pms'][number] & {other_user_id: number})[] = [];
    const huddles: WireUnreads['huddles'] = [];
    for (const [key, ids] of this.#direct) {
      const userIds = key.split(',').map(Number);
      const unread_message_ids = ascending(ids);
      if (userIds.length > 2) {
        huddles.push({user_ids_string: key, unread_message_ids});
        continue;
      }
      const other = userIds.find((userId) => userId !== this.#viewerId) ?? this.#viewerId;
      // `sender_id` is the older name, which clients may still read.
      pms.push({other_user_id: other, sender_id: other, unread_message_ids});
    }
    const topics = [...this.#topics.values()].map(({stream_id, topic, ids}) => ({
      stream_id,
      topic,
      unread_message_ids: ascending(ids),
    }));
    return {
      count: this.#count,
      pms: pms.sort((a, b) => a.other_user_id - b.other_user_id),
      huddles: huddles.sort((a, b) => compareText(a.user_ids_string, b.user_ids_string)),
      streams: topics.sort((a, b) => a.stream_id - b.stream_id || compareText(a.topic, b.topic)),
      mentions: ascending(this.#mentions),
      old_unreads_missing: oldMissing,
    };
  }
}

function ascending(ids: number[]): number[] {
  return ids.sort((a, b) => a - b);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
