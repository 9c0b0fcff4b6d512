import type {ServerContext} from '#server/context.ts';
import {dropIndexes, indexAllMessages} from '#server/db/bulk-load.ts';
import type {Database} from '#server/db/database.ts';
import {Flag, fold, type MessageRow, Trait} from '#server/db/rows.ts';
import {accountColumns} from '#server/db/users.ts';
import {Role} from '#server/organization/permission-rules.ts';
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

interface GeneratedChannel {
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
    db.updateRow('channel', id, {subscriber_count: subscribers.length});
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
  const topics = channels.map(() => Array.from({length: topicsPerChannel}, () => randomTopicName(random)));
  const write = (serial: number, sender: number, channel: number | null, dm: number | null, topic: string) => {
    const content = randomChatLine(random);
    const age = (1 - serial / scale.messages) * scale.days * daySeconds;
    db.insertRow('message', {
      sender_id: sender,
      channel_id: channel,
      dm_id: dm,
      topic,
      topic_key: fold(topic),
      content,
      sent_at: Math.floor(now - age),
      client: 'website',
      traits: content.includes('https://') ? Trait.link : 0,
    });
  };
  for (let serial = 0; serial < scale.messages; serial++) {
    if (random.next() < directShare) {
      // One direct message in ten is from or to you, the others are between neighbouring ids.
      const one = random.below(10) === 0 ? 0 : 1 + random.skewedBelow(people.length - 2);
      const other = one === 0 ? 1 + random.skewedBelow(400) : one + 1;
      const members = [people[one] ?? 0, people[other] ?? 0].sort((a, b) => a - b);
      const dm = db.value('SELECT id FROM dm WHERE key = ?', members.join()) ?? newDirectConversation(db, members);
      write(serial, members[random.next() < 0.5 ? 0 : 1] ?? 0, null, dm, '');
      continue;
    }
    const index = random.skewedBelow(channels.length);
    const channel = channels[index];
    // At any time only six of a channel's topics are in use.
    const topicIndex = Math.floor((serial / scale.messages) * (topicsPerChannel - 6)) + random.below(6);
    if (channel === undefined) continue;
    const sender = channel.subscribers[random.below(channel.subscribers.length)] ?? 0;
    write(serial, sender, channel.id, null, topics[index]?.[topicIndex] ?? '');
  }
  db.exec(`UPDATE channel SET first_message_id = (SELECT MIN(id) FROM message WHERE channel_id = channel.id)`);
  insertUnread(db, scale, people[0] ?? 0);
}

function newDirectConversation(db: Database, members: readonly number[]): number {
  const id = db.insertRow('dm', {key: members.join(), size: members.length});
  for (const member of members) db.insertRow('dm_member', {user_id: member, dm_id: id});
  return id;
}

/**
 * Marks the newest messages of your newest conversations as unread, an even share of each, a few of them as mentions.
 */
function insertUnread(db: Database, scale: WorldScale, you: number): void {
  const share = Math.ceil(scale.unread / scale.unreadConversations);
  db.exec('CREATE INDEX seed_topic ON message (channel_id, topic_key, id)');
  const conversations = db.all<Pick<MessageRow, 'channel_id' | 'topic_key' | 'dm_id'> & {size: number}>(
    `SELECT channel_id, topic_key, dm_id, COUNT(*) AS size FROM message
     WHERE (channel_id IN (SELECT channel_id FROM subscription WHERE user_id = ?1)
        OR dm_id IN (SELECT dm_id FROM dm_member WHERE user_id = ?1)) AND sender_id <> ?1
     GROUP BY channel_id, topic_key, dm_id HAVING size >= ?2 ORDER BY MAX(id) DESC LIMIT ?3`,
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
        ...accountColumns(email, fullName),
        role,
        joined_at: now - scale.days * daySeconds - random.below(300 * daySeconds),
      }),
    );
  }
  return ids;
}

/** The size of a generated world. */
interface WorldScale {
  readonly people: number;
  readonly channels: number;
  readonly messages: number;
  /** Your unread messages, the conversations they are in, and the channels you are subscribed to. */
  readonly unread: number;
  readonly unreadConversations: number;
  readonly yourChannels: number;
  readonly days: number;
}

/** The vocabulary of generated worlds, varied enough for search to have something to find. */
const text = {
  given: `Ada Bo Carla Dmitri Elif Femi Greta Hiro Ines Jonas Kaya Lior Mina Nils Oona Pablo Quinn Rosa Sami Tove Uma Viktor
    Wanda Xenia Yusuf Zoe Amara Bruno Chidi Dalia Emil Farah Goran Hana Ivo Jana Koji Lena Marek Noor Otto Priya Rafa Sofia
    Tariq Ulla Vera Wim Yara Zeno`,
  family: `Abe Berg Costa Diaz Eriksen Fischer Garcia Haddad Ito Jansen Kaya Lindqvist Moreau Nowak Okafor Petrov Quispe Rossi
    Sato Tanaka Usman Varga Weber Xu Yilmaz Zhang Alvarez Bakker Chen Dubois Endo Ferreira Gruber Horvat Ivanova Johansson
    Kowalski Larsen Mensah Novak Olsen Popescu Ramos Silva Tran Ueda Vidal Wang Yamada Zeman`,
  noun: `deploy build queue cache index schema ticket invoice shipment sensor battery display firmware driver socket packet
    router gateway cluster replica backup snapshot release branch review patch test fixture bench report chart table budget
    contract customer partner vendor meeting agenda note draft design mockup icon palette layout font screen window dialog
    button keyboard shortcut search filter thread topic channel message reply mention reaction emoji notification digest
    calendar holiday lunch coffee bicycle train garden kitchen whiteboard projector camera microphone headset cable adapter
    token secret key certificate account password session cookie header payload parser lexer compiler linter formatter`,
  verb: `fixed broke moved merged reverted shipped tested measured drafted reviewed approved rejected renamed deleted restored
    rotated migrated upgraded pinned unpinned documented explained sketched counted sorted traced profiled cached flushed
    scheduled postponed cancelled ordered returned unpacked labelled cleaned painted repaired borrowed`,
  adjective: `slow fast flaky stable green red quiet noisy empty full broken shiny odd even late early small large steep
    shallow fresh stale hidden visible public private remote local broad narrow bright dim warm cold`,
  place: `staging production Lisbon Osaka Nairobi Bergen Lima Hanoi the-lab the-warehouse the-office the-dashboard the-repo
    the-wiki`,
  rare: `zeugma quokka xylophone borborygmus petrichor gossamer defenestrate susurrus kerfuffle lollygag widdershins
    bumbershoot cattywampus taradiddle gobbledygook`,
};

type WordKind = keyof typeof text;

const lists = new Map(
  Object.entries(text).map(([kind, words]) => [kind, words.split(/\s+/).map((word) => word.replaceAll('-', ' '))]),
);

function randomWord(random: Random, kind: WordKind): string {
  return random.pick(lists.get(kind) ?? []) ?? kind;
}

function randomPersonName(random: Random): string {
  return `${randomWord(random, 'given')} ${randomWord(random, 'family')}`;
}

function randomTopicName(random: Random): string {
  return random.next() < 0.5
    ? `${randomWord(random, 'adjective')} ${randomWord(random, 'noun')}`
    : `${randomWord(random, 'noun')} in ${randomWord(random, 'place')}`;
}

/** Returns a random message. One in forty has a list, one has code; one in a thousand of the rest has a rare word. */
function randomChatLine(random: Random): string {
  const a = randomWord(random, 'noun');
  const b = randomWord(random, 'noun');
  const kind = random.below(40);
  if (kind === 0) return `\`\`\`\n${a}.${b}(${random.below(1000)})\n\`\`\``;
  if (kind === 1)
    return `Two things:\n- ${randomWord(random, 'verb')} the ${a}\n- the ${b} is **${randomWord(random, 'adjective')}**`;
  if (kind === 2) return `see https://docs.example.com/${a}/${b}`;
  if (kind < 12)
    return `is the ${randomWord(random, 'adjective')} ${a} in ${randomWord(random, 'place')} still ${randomWord(random, 'adjective')}?`;
  if (kind < 22) return `I ${randomWord(random, 'verb')} the ${a}, the ${b} comes next`;
  if (random.below(1000) === 0) return `what a ${randomWord(random, 'rare')} of a ${a}`;
  return `${randomWord(random, 'verb')} the ${randomWord(random, 'adjective')} ${a} and the ${b} near ${randomWord(random, 'place')}`;
}
