import type {Database} from '#server/db/database.ts';
import {fold} from '#server/db/rows.ts';
import type {Random} from '#std/random.ts';
import {randomWord} from './vocabulary.ts';
import type {WorldScale} from './world-scale.ts';

const daySeconds = 86_400;
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
    const id = db.insert(
      `INSERT INTO channel (name, name_key, description, created_at, invite_only, history_public_to_subscribers, is_default,
         last_message_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      name,
      fold(name),
      `About the ${randomWord(random, 'adjective')} ${randomWord(random, 'noun')}`,
      created,
      isPrivate ? 1 : 0,
      isPrivate ? 0 : 1,
      index === 0 ? 1 : 0,
      now,
    );
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
  db.run(
    'INSERT INTO subscription (user_id, channel_id, color, unread_since) VALUES (?, ?, ?, ?)',
    person,
    channel,
    random.pick(colors) ?? '#76ce90',
    unreadSince,
  );
  db.run('INSERT INTO subscription_period (user_id, channel_id, since_id) VALUES (?, ?, 1)', person, channel);
}
