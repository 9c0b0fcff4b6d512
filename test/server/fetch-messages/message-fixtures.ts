import type {ServerContext} from '#server/context.ts';
import {Flag, fold} from '#server/db/rows.ts';
import type {Person} from '#test/support/people.ts';

export interface MessageFixture {
  readonly content?: string;
  /** `message.traits` bits. */
  readonly traits?: number;
  readonly sentAt?: number;
  /** Beside unread. */
  readonly flags?: readonly (readonly [Person, number])[];
  /** Nobody has it unread. */
  readonly read?: boolean;
}

/** Writes messages straight into the database, exactly as sending leaves them there. */
export class MessageFixtureWriter {
  readonly #world: ServerContext;

  constructor(world: ServerContext) {
    this.#world = world;
  }

  toChannel(sender: Person, channelId: number, topic: string, letter: MessageFixture = {}): number {
    const id = this.#insert(sender, channelId, null, topic, letter);
    const subscribers = this.#world.db.pluck(
      'SELECT user_id FROM subscription WHERE channel_id = ? AND active = 1',
      channelId,
    );
    this.#deliver(id, sender, subscribers, letter);
    return id;
  }

  toPeople(sender: Person, others: readonly Person[], letter: MessageFixture = {}): number {
    const {db} = this.#world;
    const people = [...new Set([sender.id, ...others.map(({id}) => id)])].sort((a, b) => a - b);
    const key = people.join(',');
    let dmId = db.value('SELECT id FROM dm WHERE key = ?', key);
    if (dmId === undefined) {
      dmId = db.insert('INSERT INTO dm (key, size) VALUES (?, ?)', key, people.length);
      for (const person of people)
        db.run('INSERT INTO dm_member (user_id, dm_id) VALUES (?, ?)', person, dmId);
    }
    const id = this.#insert(sender, null, dmId, '', letter);
    this.#deliver(id, sender, people, letter);
    return id;
  }

  /** Many messages that nobody has unread, in one statement. */
  flood(sender: Person, channelId: number, count: number, content: string): void {
    this.#world.db.run(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       INSERT INTO message (sender_id, channel_id, topic, topic_key, content, sent_at)
       SELECT ?, ?, 'flood', 'flood', ?, 1700000000 FROM n`,
      count,
      sender.id,
      channelId,
      content,
    );
    this.#world.deferredWork.reload();
  }

  /** Ends a subscription as leaving a channel does. */
  unsubscribe(person: Person, channelId: number): void {
    const {db, derivedFacts: memory} = this.#world;
    const next = (db.value('SELECT MAX(id) FROM message') ?? 0) + 1;
    db.run('UPDATE subscription SET active = 0 WHERE user_id = ? AND channel_id = ?', person.id, channelId);
    db.run(
      'UPDATE subscription_period SET until_id = ? WHERE user_id = ? AND channel_id = ? AND until_id IS NULL',
      next,
      person.id,
      channelId,
    );
    memory.invalidateAll();
  }

  /** 1 muted, 2 unmuted, 3 followed. */
  topicPolicy(person: Person, channelId: number, topic: string, policy: number): void {
    this.#world.db.run(
      `INSERT INTO user_topic (user_id, channel_id, topic_key, topic_name, policy, updated_at) VALUES (?, ?, ?, ?, ?, 1)`,
      person.id,
      channelId,
      fold(topic),
      topic,
      policy,
    );
  }

  muteChannel(person: Person, channelId: number): void {
    this.#world.db.run(
      'UPDATE subscription SET is_muted = 1 WHERE user_id = ? AND channel_id = ?',
      person.id,
      channelId,
    );
  }

  #insert(
    sender: Person,
    channelId: number | null,
    dmId: number | null,
    topic: string,
    letter: MessageFixture,
  ): number {
    const id = this.#world.db.insert(
      `INSERT INTO message (sender_id, channel_id, dm_id, topic, topic_key, content, sent_at, client, traits)
       VALUES (?, ?, ?, ?, ?, ?, ?, 'ParleyTest', ?)`,
      sender.id,
      channelId,
      dmId,
      topic,
      fold(topic),
      letter.content ?? 'hello',
      letter.sentAt ?? Math.floor(this.#world.clock.now() / 1000),
      letter.traits ?? 0,
    );
    this.#world.deferredWork.reload();
    return id;
  }

  #deliver(id: number, sender: Person, recipients: readonly number[], letter: MessageFixture): void {
    const extra = new Map((letter.flags ?? []).map(([person, bits]) => [person.id, bits]));
    for (const userId of recipients) {
      const unread = letter.read === true || userId === sender.id ? 0 : Flag.unread;
      const bits = unread | (extra.get(userId) ?? 0);
      if (bits !== 0) {
        this.#world.db.run(
          'INSERT INTO user_message (user_id, message_id, flags) VALUES (?, ?, ?)',
          userId,
          id,
          bits,
        );
      }
      if (bits & Flag.mentionedByName) {
        this.#world.db.run('INSERT INTO message_mention (user_id, message_id) VALUES (?, ?)', userId, id);
      }
    }
  }
}

export const term = (operator: string, operand: unknown, negated = false) => ({operator, operand, negated});

export const newest = {anchor: 'newest', num_before: 100, num_after: 0};
