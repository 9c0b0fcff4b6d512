import type {ServerContext} from '#server/context.ts';
import {Flag, fold} from '#server/db/rows.ts';
import type {Person} from '#test/support/people.ts';

interface MessageFixture {
  readonly content?: string;
  /** The bits of `message.traits`. */
  readonly traits?: number;
  readonly sentAt?: number;
  /** The flags of users besides unread. */
  readonly flags?: readonly (readonly [Person, number])[];
  /** Whether all recipients have read it. */
  readonly read?: boolean;
}

/** Writes messages into the database with the rows that sending them would write. */
export class MessageFixtureWriter {
  readonly #server: ServerContext;

  constructor(server: ServerContext) {
    this.#server = server;
  }

  toChannel(sender: Person, channelId: number, topic: string, message: MessageFixture = {}): number {
    const id = this.#insert(sender, channelId, null, topic, message);
    const subscribers = this.#server.db.pluck(
      'SELECT user_id FROM subscription WHERE channel_id = ? AND active = 1',
      channelId,
    );
    this.#deliver(id, sender, subscribers, message);
    return id;
  }

  toPeople(sender: Person, others: readonly Person[], message: MessageFixture = {}): number {
    const {db} = this.#server;
    const people = [...new Set([sender.id, ...others.map(({id}) => id)])].sort((a, b) => a - b);
    const key = people.join(',');
    let dmId = db.value('SELECT id FROM dm WHERE key = ?', key);
    if (dmId === undefined) {
      dmId = db.insert('INSERT INTO dm (key, size) VALUES (?, ?)', key, people.length);
      for (const person of people) db.run('INSERT INTO dm_member (user_id, dm_id) VALUES (?, ?)', person, dmId);
    }
    const id = this.#insert(sender, null, dmId, '', message);
    this.#deliver(id, sender, people, message);
    return id;
  }

  /** Writes many read messages in one statement. */
  flood(sender: Person, channelId: number, count: number, content: string): void {
    this.#server.db.run(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       INSERT INTO message (sender_id, channel_id, topic, topic_key, content, sent_at)
       SELECT ?, ?, 'flood', 'flood', ?, 1700000000 FROM n`,
      count,
      sender.id,
      channelId,
      content,
    );
    this.#server.deferredWork.reload();
  }

  /** Ends a subscription as unsubscribing does. */
  unsubscribe(person: Person, channelId: number): void {
    const {db, derivedFacts} = this.#server;
    const next = (db.value('SELECT MAX(id) FROM message') ?? 0) + 1;
    db.run('UPDATE subscription SET active = 0 WHERE user_id = ? AND channel_id = ?', person.id, channelId);
    db.run(
      'UPDATE subscription_period SET until_id = ? WHERE user_id = ? AND channel_id = ? AND until_id IS NULL',
      next,
      person.id,
      channelId,
    );
    derivedFacts.invalidateAll();
  }

  /** Sets a topic policy: 1 muted, 2 unmuted, 3 followed. */
  topicPolicy(person: Person, channelId: number, topic: string, policy: number): void {
    this.#server.db.run(
      `INSERT INTO user_topic (user_id, channel_id, topic_key, topic_name, policy, updated_at) VALUES (?, ?, ?, ?, ?, 1)`,
      person.id,
      channelId,
      fold(topic),
      topic,
      policy,
    );
  }

  muteChannel(person: Person, channelId: number): void {
    this.#server.db.run(
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
    message: MessageFixture,
  ): number {
    const id = this.#server.db.insert(
      `INSERT INTO message (sender_id, channel_id, dm_id, topic, topic_key, content, sent_at, client, traits)
       VALUES (?, ?, ?, ?, ?, ?, ?, 'ParleyTest', ?)`,
      sender.id,
      channelId,
      dmId,
      topic,
      fold(topic),
      message.content ?? 'hello',
      message.sentAt ?? Math.floor(this.#server.clock.now() / 1000),
      message.traits ?? 0,
    );
    this.#server.deferredWork.reload();
    return id;
  }

  #deliver(id: number, sender: Person, recipients: readonly number[], message: MessageFixture): void {
    const extra = new Map((message.flags ?? []).map(([person, bits]) => [person.id, bits]));
    for (const userId of recipients) {
      const unread = message.read === true || userId === sender.id ? 0 : Flag.unread;
      const bits = unread | (extra.get(userId) ?? 0);
      if (bits !== 0) {
        this.#server.db.run('INSERT INTO user_message (user_id, message_id, flags) VALUES (?, ?, ?)', userId, id, bits);
      }
      if (bits & Flag.mentionedByName) {
        this.#server.db.run('INSERT INTO message_mention (user_id, message_id) VALUES (?, ?)', userId, id);
      }
    }
  }
}

export const term = (operator: string, operand: unknown, negated = false) => ({operator, operand, negated});

export const newest = {anchor: 'newest', num_before: 100, num_after: 0};
