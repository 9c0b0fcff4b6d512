import type {Database} from '#server/db/database.ts';
import {Flag, fold, Trait} from '#server/db/rows.ts';
import type {Random} from '#std/random.ts';
import type {GeneratedChannel} from './insert-channels.ts';
import {randomChatLine, randomTopicName} from './vocabulary.ts';
import type {WorldScale} from './world-scale.ts';

const daySeconds = 86_400;
const topicsPerChannel = 40;
const directShare = 0.04;

/** Inserts messages in the order of time, more of them in the first channels, and then your unread rows. */
export function insertMessages(
  db: Database,
  random: Random,
  scale: WorldScale,
  people: readonly number[],
  channels: readonly GeneratedChannel[],
  now: number,
): void {
  const writer = new MessageWriter(db, random, scale, people, now);
  const topics = channels.map(() => Array.from({length: topicsPerChannel}, () => randomTopicName(random)));
  for (let serial = 0; serial < scale.messages; serial++) {
    if (random.next() < directShare) {
      writer.direct(serial);
      continue;
    }
    const index = random.skewedBelow(channels.length);
    const channel = channels[index];
    // At any time only six of a channel's topics are in use.
    const topicIndex = Math.floor((serial / scale.messages) * (topicsPerChannel - 6)) + random.below(6);
    if (channel !== undefined) writer.toChannel(serial, channel, topics[index]?.[topicIndex] ?? '');
  }
  db.exec(`UPDATE channel SET first_message_id = (SELECT MIN(id) FROM message WHERE channel_id = channel.id)`);
  insertUnread(db, scale, people[0] ?? 0);
}

class MessageWriter {
  readonly #db: Database;
  readonly #random: Random;
  readonly #scale: WorldScale;
  readonly #people: readonly number[];
  readonly #now: number;

  constructor(db: Database, random: Random, scale: WorldScale, people: readonly number[], now: number) {
    this.#db = db;
    this.#random = random;
    this.#scale = scale;
    this.#people = people;
    this.#now = now;
  }

  toChannel(serial: number, channel: GeneratedChannel, topic: string): void {
    const sender = channel.subscribers[this.#random.below(channel.subscribers.length)] ?? 0;
    this.#write(serial, sender, channel.id, null, topic);
  }

  /** Inserts a direct message: one in ten is from or to you, the others are between neighbouring ids. */
  direct(serial: number): void {
    const one = this.#random.below(10) === 0 ? 0 : 1 + this.#random.skewedBelow(this.#people.length - 2);
    const other = one === 0 ? 1 + this.#random.skewedBelow(400) : one + 1;
    const [a, b] = [this.#people[one] ?? 0, this.#people[other] ?? 0].sort((x, y) => x - y);
    const key = `${a},${b}`;
    const dm = this.#db.value('SELECT id FROM dm WHERE key = ?', key) ?? this.#newDirect(key, [a ?? 0, b ?? 0]);
    this.#write(serial, (this.#random.next() < 0.5 ? a : b) ?? 0, null, dm, '');
  }

  #newDirect(key: string, members: readonly number[]): number {
    const dm = this.#db.insert('INSERT INTO dm (key, size) VALUES (?, ?)', key, members.length);
    for (const member of members) this.#db.run('INSERT INTO dm_member (user_id, dm_id) VALUES (?, ?)', member, dm);
    return dm;
  }

  #write(serial: number, sender: number, channel: number | null, dm: number | null, topic: string): void {
    const content = randomChatLine(this.#random);
    const age = (1 - serial / this.#scale.messages) * this.#scale.days * daySeconds;
    this.#db.run(
      `INSERT INTO message (sender_id, channel_id, dm_id, topic, topic_key, content, sent_at, client, traits)
       VALUES (?, ?, ?, ?, ?, ?, ?, 'website', ?)`,
      sender,
      channel,
      dm,
      topic,
      fold(topic),
      content,
      Math.floor(this.#now - age),
      content.includes('https://') ? Trait.link : 0,
    );
  }
}

/**
 * Marks the newest messages of your newest conversations as unread, an even share of each, a few of them as mentions.
 */
function insertUnread(db: Database, scale: WorldScale, you: number): void {
  const share = Math.ceil(scale.unread / scale.unreadConversations);
  db.exec('CREATE INDEX seed_topic ON message (channel_id, topic_key, id)');
  const conversations = db.all<{
    channel_id: number | null;
    topic_key: string;
    dm_id: number | null;
    size: number;
  }>(
    `SELECT channel_id, topic_key, dm_id, COUNT(*) AS size FROM message
     WHERE (channel_id IN (SELECT channel_id FROM subscription WHERE user_id = ?)
        OR dm_id IN (SELECT dm_id FROM dm_member WHERE user_id = ?)) AND sender_id <> ?
     GROUP BY channel_id, topic_key, dm_id HAVING size >= ? ORDER BY MAX(id) DESC LIMIT ?`,
    you,
    you,
    you,
    share,
    scale.unreadConversations,
  );
  let left = scale.unread;
  for (const [index, {channel_id, topic_key, dm_id, size}] of conversations.entries()) {
    const evenShare = Math.ceil(left / (conversations.length - index));
    const flags = Flag.unread | (index % 40 === 0 ? Flag.mentioned : 0);
    left -= db.run(
      `INSERT INTO user_message (user_id, message_id, flags)
       SELECT ?, id, ? FROM message
       WHERE channel_id IS ? AND dm_id IS ? AND topic_key = ? AND sender_id <> ? ORDER BY id DESC LIMIT ?`,
      you,
      flags,
      channel_id,
      dm_id,
      topic_key,
      you,
      Math.min(size, Math.max(evenShare, share)),
    );
  }
  db.exec('DROP INDEX seed_topic');
}
