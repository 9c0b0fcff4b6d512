import type {Database} from '#server/db/database.ts';

const Policy = {muted: 1, unmuted: 2, followed: 3} as const;
const none: ReadonlySet<string> = new Set();

/** The channels and topics that a user muted, and the topics they unmuted or follow. */
export class TopicPolicies {
  readonly #mutedChannels: ReadonlySet<number>;
  readonly #topics = new Map<string, Set<string>>();

  constructor(db: Database, userId: number) {
    this.#mutedChannels = new Set(
      db.pluck('SELECT channel_id FROM subscription WHERE user_id = ? AND is_muted = 1 AND active = 1', userId),
    );
    const sql = 'SELECT channel_id, topic_key, policy FROM user_topic WHERE user_id = ?';
    for (const row of db.all<{channel_id: number; topic_key: string; policy: number}>(sql, userId)) {
      const key = `${row.channel_id}:${row.policy}`;
      const topics = this.#topics.get(key);
      if (topics === undefined) this.#topics.set(key, new Set([row.topic_key]));
      else topics.add(row.topic_key);
    }
  }

  isMutedChannel(channelId: number): boolean {
    return this.#mutedChannels.has(channelId);
  }

  followedTopics(channelId: number): ReadonlySet<string> {
    return this.#topics.get(`${channelId}:${Policy.followed}`) ?? none;
  }

  mutedTopics(channelId: number): ReadonlySet<string> {
    return this.#topics.get(`${channelId}:${Policy.muted}`) ?? none;
  }

  /** Returns the topics that are not muted although their channel is. */
  unmutedOrFollowedTopics(channelId: number): ReadonlySet<string> {
    const unmuted = this.#topics.get(`${channelId}:${Policy.unmuted}`);
    const followed = this.followedTopics(channelId);
    return unmuted === undefined ? followed : unmuted.union(followed);
  }

  isMutedTopic(channelId: number, topicKey: string): boolean {
    if (this.#mutedChannels.has(channelId)) return !this.unmutedOrFollowedTopics(channelId).has(topicKey);
    return this.mutedTopics(channelId).has(topicKey);
  }
}
