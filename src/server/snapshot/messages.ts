import {countsAsMention} from '#server/actions/messages/change-flags.ts';
import {mutedUsers} from '#server/actions/personal/muted-users.ts';
import {leftChannelIds} from '#server/db/channels.ts';
import {messagePlaces, type Place} from '#server/db/message-places.ts';
import {Flag, type Ids} from '#server/db/rows.ts';
import {unreadPages} from '#server/db/unread-messages.ts';
import {compileNarrow} from '#server/narrow/compile.ts';
import {TopicPolicies} from '#server/narrow/message-streams.ts';
import {topicDisplayName} from '#server/permissions/has-permission.ts';
import {withoutPauses} from '#server/run-action.ts';
import {getOrCreate} from '#std/get-or-create.ts';
import type {WireUnreads} from '#wire/objects/channel.ts';
import {noAnchor} from '#wire/objects/message.ts';
import type {SnapshotBlocks, SnapshotRequest} from './users.ts';

/** Clients find older conversations by fetching messages. */
const maxConversations = 1000;

/** Unread and starred messages and recent direct conversations. */
export const messagesBlocks: SnapshotBlocks = {
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
  *message(request) {
    // Without flag events the client's list of unread messages would be out of date at once.
    const hasUnreads = request.fetchTypes?.has('update_message_flags') !== false;
    const unreads = hasUnreads ? {unread_msgs: yield* unreadSnapshot(request)} : {};
    const {messageIds} = compileNarrow(request.act, request.viewer, []);
    return {max_message_id: messageIds.idsBeyond(noAnchor, 'older', 1)[0] ?? -1, ...unreads};
  },
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
/** The messages that are read without a pause. */
const maxReadAtOnce = 1000;
/** After so many pauses, all messages are read at once: others may move them again and again. */
const maxPauses = 3;

type UnreadRequest = Pick<SnapshotRequest, 'act' | 'viewer' | 'options'>;

/** Returns the viewer's unread messages grouped by conversation, as they are after the last pause. */
export function* unreadSnapshot(request: UnreadRequest, limit = maxUnreads): Generator<void, WireUnreads> {
  const places = messagePlaces(request.act.db);
  for (let pauses = 0; ; pauses++) {
    const unreads = new GroupedUnreads(request, limit);
    const unknown = unreads.addAll(pauses < maxPauses ? maxReadAtOnce : Number.POSITIVE_INFINITY);
    if (unknown.length === 0) return unreads.view();
    yield* places.read(unknown);
  }
}

interface UnreadTopic {
  readonly stream_id: number;
  readonly muted: boolean;
  /** The spelling of the oldest unread message. */
  topic: string;
  readonly ids: number[];
}

/** The unread messages by conversation. They are added newest first. */
class GroupedUnreads {
  readonly #request: UnreadRequest;
  readonly #limit: number;
  /** The channels that the viewer has left: what is unread there does not count. A bot may be mentioned where it never was. */
  readonly #left: ReadonlySet<number>;
  readonly #mutedUsers: ReadonlySet<number>;
  readonly #policies: TopicPolicies;
  readonly #topics = new Map<string, UnreadTopic>();
  /** The topics by the index of the place. */
  #topicsByPlace: UnreadTopic[] = [];
  readonly #direct = new Map<string, number[]>();
  readonly #mentions: number[] = [];
  #added = 0;
  #unmuted = 0;
  #isTooMany = false;

  constructor(request: UnreadRequest, limit: number) {
    const {act, viewer} = request;
    this.#request = request;
    this.#limit = limit;
    this.#left = new Set(leftChannelIds(act.db, viewer.id));
    this.#mutedUsers = new Set(mutedUsers(act.db, viewer.id).map(({id}) => id));
    this.#policies = new TopicPolicies(act.db, viewer.id);
  }

  /** Adds the viewer's unread messages; returns those that have to be read first, if they are more than `maxRead`. */
  addAll(maxRead: number): Ids {
    const {act, viewer} = this.#request;
    const places = messagePlaces(act.db);
    for (const {ids, flags} of unreadPages(act.db, viewer.id, this.#limit)) {
      let found = places.find(ids);
      if (found.unknown.length > maxRead) return found.unknown;
      // Messages that are read may take the room of others, which are then read, too. Some may not exist.
      for (let reads = 0; found.unknown.length > 0 && reads < 2; reads++) {
        withoutPauses(places.read(found.unknown));
        found = places.find(ids);
      }
      this.#topicsByPlace = [];
      for (let at = 0; at < ids.length; at++) {
        const index = found.indexes[at] ?? 0;
        const place = found.places[index];
        const flagsOfRow = flags[at] ?? 0;
        if (place === undefined || (flagsOfRow === 0 && !this.#isUnreadByRule(found.senders[at] ?? 0))) continue;
        if (this.#added === this.#limit) {
          this.#isTooMany = true;
          return [];
        }
        this.#added++;
        this.#add(ids[at] ?? 0, flagsOfRow, place, index);
      }
    }
    return [];
  }

  #isUnreadByRule(senderId: number): boolean {
    return senderId !== 0 && senderId !== this.#request.viewer.id && !this.#mutedUsers.has(senderId);
  }

  #add(id: number, flags: number, place: Place, index: number): void {
    const {channelId, dmKey} = place;
    if (channelId === undefined) {
      getOrCreate(this.#direct, dmKey, () => []).push(id);
      this.#count(id, flags, false);
      return;
    }
    if (this.#left.has(channelId)) return;
    const topic = this.#topicsByPlace[index] ?? this.#topicOf(place, channelId);
    this.#topicsByPlace[index] = topic;
    topic.ids.push(id);
    topic.topic = place.topic;
    this.#count(id, flags, topic.muted);
  }

  #topicOf({topicKey}: Place, channelId: number): UnreadTopic {
    return getOrCreate(this.#topics, `${channelId}:${topicKey}`, () => ({
      stream_id: channelId,
      topic: '',
      muted: this.#policies.isMutedTopic(channelId, topicKey),
      ids: [],
    }));
  }

  #count(id: number, flags: number, isMuted: boolean): void {
    if (!isMuted) this.#unmuted++;
    if (countsAsMention(flags, isMuted)) this.#mentions.push(id);
  }

  view(): WireUnreads {
    const {act, viewer, options} = this.#request;
    const isEmptyTopicKnown = options.capabilities.empty_topic_name === true;
    const conversations = Array.from(this.#direct, ([key, ids]) => {
      const userIds = key.split(',').map(Number);
      const other = userIds.find((userId) => userId !== viewer.id) ?? viewer.id;
      return {key, other, isGroup: userIds.length > 2, unread_message_ids: ids.reverse()};
    });
    const topics = Array.from(this.#topics.values(), ({stream_id, topic, ids}) => ({
      stream_id,
      topic: topicDisplayName(act, topic, isEmptyTopicKnown),
      unread_message_ids: ids.reverse(),
    }));
    return {
      count: this.#unmuted,
      // `sender_id` is the older name, which clients may still read.
      pms: conversations
        .filter(({isGroup}) => !isGroup)
        .sort((a, b) => a.other - b.other)
        .map(({other, unread_message_ids}) => ({other_user_id: other, sender_id: other, unread_message_ids})),
      huddles: conversations
        .filter(({isGroup}) => isGroup)
        .sort((a, b) => compareText(a.key, b.key))
        .map(({key, unread_message_ids}) => ({user_ids_string: key, unread_message_ids})),
      streams: topics.sort((a, b) => a.stream_id - b.stream_id || compareText(a.topic, b.topic)),
      mentions: this.#mentions.reverse(),
      old_unreads_missing: this.#isTooMany,
    };
  }
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
