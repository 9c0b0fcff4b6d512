import {countsAsMention} from '#server/actions/messages/flag-events.ts';
import type {ActionContext} from '#server/context.ts';
import {fold} from '#server/db/rows.ts';
import {subscribedChannelIds} from '#server/db/subscriptions.ts';
import {unreadSql} from '#server/db/unread-messages.ts';
import {TopicPolicies} from '#server/narrow/topic-policies.ts';
import {organization} from '#server/permissions/has-permission.ts';
import type {WireUnreads} from '#wire/objects/unread.ts';
import type {SnapshotRequest} from './snapshot-block.ts';

/** A client gets at most this many unread messages, the newest ones. */
const maxUnreads = 50_000;

type UnreadRow = readonly [id: number, flags: number, channelId: number | null, topic: string, dmKey: string | null];

/** Returns the viewer's unread messages grouped by conversation. */
export function unreadSnapshot(
  request: Pick<SnapshotRequest, 'act' | 'viewer' | 'options'>,
  limit = maxUnreads,
): WireUnreads {
  const {act, viewer, options} = request;
  const rows = unreadRows(act, viewer.id, limit + 1);
  const collector = new UnreadCollector(
    viewer.id,
    new Set(subscribedChannelIds(act.db, viewer.id)),
    new TopicPolicies(act.db, viewer.id),
    options.capabilities.empty_topic_name === true ? '' : organization(act).empty_topic_display_name,
  );
  // Newest first: a topic ends with the spelling of its oldest unread message.
  for (const row of rows.slice(0, limit)) collector.add(row);
  return collector.unreads(rows.length > limit);
}

/** Fetches the rows as one JSON text: fifty thousand row objects would take twice as long. */
function unreadRows({db}: ActionContext, userId: number, limit: number): UnreadRow[] {
  const list = db.value<string>(
    `SELECT json_group_array(json_array(id, flags, channel_id, topic, dm_key)) FROM (
       SELECT m.id, u.flags, m.channel_id, m.topic, (SELECT key FROM dm WHERE dm.id = m.dm_id) AS dm_key
       FROM (SELECT * FROM ${unreadSql} ORDER BY id DESC LIMIT ?2) AS u CROSS JOIN message AS m ON m.id = u.id
     )`,
    userId,
    limit,
  );
  return JSON.parse(list ?? '[]');
}

class UnreadCollector {
  readonly #viewerId: number;
  readonly #subscribed: ReadonlySet<number>;
  readonly #policies: TopicPolicies;
  readonly #emptyTopic: string;
  readonly #topics = new Map<string, {stream_id: number; topic: string; muted: boolean; ids: number[]}>();
  readonly #direct = new Map<string, number[]>();
  readonly #mentions: number[] = [];
  #count = 0;

  constructor(viewerId: number, subscribed: ReadonlySet<number>, policies: TopicPolicies, emptyTopic: string) {
    this.#viewerId = viewerId;
    this.#subscribed = subscribed;
    this.#policies = policies;
    this.#emptyTopic = emptyTopic;
  }

  add([id, flags, channelId, topic, dmKey]: UnreadRow): void {
    if (channelId === null) this.#addDirect(id, flags, dmKey ?? '');
    else if (this.#subscribed.has(channelId)) this.#addToTopic(id, flags, channelId, topic);
  }

  #addDirect(id: number, flags: number, dmKey: string): void {
    const ids = this.#direct.get(dmKey);
    if (ids === undefined) this.#direct.set(dmKey, [id]);
    else ids.push(id);
    this.#count++;
    if (countsAsMention(flags, false)) this.#mentions.push(id);
  }

  #addToTopic(id: number, flags: number, channelId: number, topic: string): void {
    const topicKey = fold(topic);
    const key = `${channelId}:${topicKey}`;
    let group = this.#topics.get(key);
    if (group === undefined) {
      const muted = this.#policies.isMutedTopic(channelId, topicKey);
      group = {stream_id: channelId, topic: '', muted, ids: []};
      this.#topics.set(key, group);
    }
    group.topic = topic === '' ? this.#emptyTopic : topic;
    group.ids.push(id);
    if (!group.muted) this.#count++;
    if (countsAsMention(flags, group.muted)) this.#mentions.push(id);
  }

  unreads(oldMissing: boolean): WireUnreads {
    const pms: (WireUnreads['pms'][number] & {other_user_id: number})[] = [];
    const huddles: WireUnreads['huddles'] = [];
    for (const [key, ids] of this.#direct) {
      const userIds = key.split(',').map(Number);
      const unread_message_ids = ids.reverse();
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
      unread_message_ids: ids.reverse(),
    }));
    return {
      count: this.#count,
      pms: pms.sort((a, b) => a.other_user_id - b.other_user_id),
      huddles: huddles.sort((a, b) => compareText(a.user_ids_string, b.user_ids_string)),
      streams: topics.sort((a, b) => a.stream_id - b.stream_id || compareText(a.topic, b.topic)),
      mentions: this.#mentions.reverse(),
      old_unreads_missing: oldMissing,
    };
  }
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
