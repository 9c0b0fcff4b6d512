import type {ServerContext} from '#server/context.ts';
import {dropIndexes, indexAllMessages} from '#server/db/bulk-load.ts';
import type {Database} from '#server/db/database.ts';
import {Flag, fold, Trait} from '#server/db/rows.ts';
import {Role} from '#server/permissions/permission-rules.ts';
import {
  randomChatLine,
  randomPersonName,
  randomTopicName,
  randomWord,
} from '#server/seed/generated-world/vocabulary.ts';
import {Random} from '#std/random.ts';

const scales: Readonly<Record<'large' | 'huge', WorldScale>> = {
  large: {
    people: 20_000,
    channels: 300,
    messages: 200_000,
    unread: 5_000,
    unreadConversations: 400,
    yourChannels: 80,
    days: 120,
  },
  huge: {
    people: 50_000,
    channels: 2_000,
    messages: 1_000_000,
    unread: 50_000,
    unreadConversations: 2_000,
    yourChannels: 250,
    days: 365,
  },
};

/** Fills the database with a big organization, the same every time except that its messages end now. */
export function seedGeneratedWorld(server: ServerContext, size: 'large' | 'huge', log: (line: string) => void): void {
  const scale = scales[size];
  const {db} = server;
  const now = Math.floor(server.clock.now() / 1000);
  const random = new Random(size === 'large' ? 1 : 2);
  log(`Generating the ${size} demo: ${scale.people} people, ${scale.channels} channels, ${scale.messages} messages…`);
  db.transaction(() => {
    const restoreIndexes = dropIndexes(db);
    const people = insertPeople(db, random, scale, now);
    const channels = insertChannels(db, random, scale, people, now);
    insertMessages(db, random, scale, people, channels, now);
    restoreIndexes();
    indexAllMessages(db);
    db.insertRow('realm_setting', {name: 'name', value: JSON.stringify(`The ${size} company`)});
    db.insertRow('meta', {key: 'world', value: `demo-${size}`});
    db.insertRow('meta', {key: 'accounts', value: JSON.stringify(people.slice(0, 8))});
    db.exec('ANALYZE');
  });
}

const colors = ['#76ce90', '#f5ce6e', '#a6c7e5', '#e79ab5', '#bfd56f', '#c8bebf', '#94c849', '#4f8de4', '#fae589'];

export interface GeneratedChannel {
  readonly id: number;
  readonly subscribers: readonly number[];
}

/**
 * Inserts channels by falling size: all people are in the first, few in the last, and you in the first `yourChannels`.
 */
export function insertChannels(
  db: Database,
  random: Random,
  scale: WorldScale,
  people: readonly number[],
  now: number,
): GeneratedChannel[] {
  const channels: GeneratedChannel[] = [];
  const created = now - (scale.days + 1) * daySeconds;
  for (let index = 0; index < scale.channels; index++) {
    const name = index === 0 ? 'general' : `${randomWord(random, 'noun')}-${randomWord(random, 'noun')}-${index}`;
    const isPrivate = index > 0 && index % 20 === 0;
    const id = db.insertRow('channel', {
      name,
      name_key: fold(name),
      description: `About the ${randomWord(random, 'adjective')} ${randomWord(random, 'noun')}`,
      created_at: created,
      invite_only: isPrivate ? 1 : 0,
      history_public_to_subscribers: isPrivate ? 0 : 1,
      is_default: index === 0 ? 1 : 0,
      last_message_at: now,
    });
    const subscribers = subscribersOf(random, index, scale, people);
    for (const person of subscribers) subscribe(db, random, person, id, scale.messages + 1);
    db.run('UPDATE channel SET subscriber_count = ? WHERE id = ?', subscribers.length, id);
    channels.push({id, subscribers});
  }
  return channels;
}

function subscribersOf(random: Random, index: number, scale: WorldScale, people: readonly number[]): number[] {
  if (index === 0) return [...people];
  const size = Math.max(3, Math.min(people.length / 10, Math.floor((people.length * 2) / (index + 4))));
  const chosen = new Set<number>();
  const [you] = people;
  if (index < scale.yourChannels && you !== undefined) chosen.add(you);
  while (chosen.size < size) chosen.add(people[1 + random.below(people.length - 1)] ?? 0);
  return [...chosen];
}

function subscribe(db: Database, random: Random, person: number, channel: number, unreadSince: number): void {
  db.insertRow('subscription', {
    user_id: person,
    channel_id: channel,
    color: random.pick(colors) ?? '#76ce90',
    unread_since: unreadSince,
  });
  db.insertRow('subscription_period', {user_id: person, channel_id: channel, since_id: 1});
}

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
    const dm = this.#db.insertRow('dm', {key, size: members.length});
    for (const member of members) this.#db.insertRow('dm_member', {user_id: member, dm_id: dm});
    return dm;
  }

  #write(serial: number, sender: number, channel: number | null, dm: number | null, topic: string): void {
    const content = randomChatLine(this.#random);
    const age = (1 - serial / this.#scale.messages) * this.#scale.days * daySeconds;
    this.#db.insertRow('message', {
      sender_id: sender,
      channel_id: channel,
      dm_id: dm,
      topic,
      topic_key: fold(topic),
      content,
      sent_at: Math.floor(this.#now - age),
      client: 'website',
      traits: content.includes('https://') ? Trait.link : 0,
    });
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

const daySeconds = 86_400;

/**
 * Inserts people and returns their ids: you first, then an owner, an administrator, a moderator, members and a guest.
 */
export function insertPeople(db: Database, random: Random, scale: WorldScale, now: number): number[] {
  const firstRoles = [Role.member, Role.owner, Role.admin, Role.moderator, Role.member, Role.member, Role.guest];
  const ids: number[] = [];
  for (let index = 0; index < scale.people; index++) {
    const fullName = index === 0 ? 'You Yourself' : randomPersonName(random);
    const email =
      index === 0 ? 'you@company.example' : `${fold(fullName).replaceAll(' ', '.')}.${index}@company.example`;
    const role = firstRoles[index] ?? (random.below(50) === 0 ? Role.guest : Role.member);
    ids.push(
      db.insertRow('user', {
        delivery_email: email,
        email_key: fold(email),
        full_name: fullName,
        name_key: fold(fullName),
        role,
        joined_at: now - scale.days * daySeconds - random.below(300 * daySeconds),
      }),
    );
  }
  return ids;
}

/** The size of a generated world. */
export interface WorldScale {
  readonly people: number;
  readonly channels: number;
  readonly messages: number;
  /** Your unread messages, the conversations they are in, and the channels you are subscribed to. */
  readonly unread: number;
  readonly unreadConversations: number;
  readonly yourChannels: number;
  readonly days: number;
}
