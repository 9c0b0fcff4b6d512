import type {ServerContext} from '#server/context.ts';
import type {Database} from '#server/db/database.ts';
import type {WorldScale} from '#server/seed/generated/scale.ts';
import {insertChannels} from '#server/seed/generated-world/insert-channels.ts';
import {insertMessages} from '#server/seed/generated-world/insert-messages.ts';
import {insertPeople} from '#server/seed/generated-world/insert-people.ts';
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

/** What inserting row by row would update a million times, and what building once at the end does faster. */
const bulkIndices = /message_by|subscription|user_message|dm_member_by/;

/** A big organization from a seed: the same every time but for the clock, which ends now. */
export function seedGeneratedWorld(
  world: ServerContext,
  size: 'large' | 'huge',
  say: (line: string) => void,
): void {
  const scale = scales[size];
  const {db} = world;
  const now = Math.floor(world.clock.now() / 1000);
  const random = new Random(size === 'large' ? 1 : 2);
  say(
    `Making the ${size} world once: ${scale.people} people, ${scale.channels} channels, ${scale.messages} messages…`,
  );
  db.transaction(() => {
    const rebuild = setAside(db);
    const people = insertPeople(db, random, scale, now);
    const channels = insertChannels(db, random, scale, people, now);
    insertMessages(db, random, scale, people, channels, now);
    rebuild();
    db.exec(`INSERT INTO message_fts (message_fts) VALUES ('rebuild')`);
    db.exec('UPDATE search_progress SET through = (SELECT MAX(id) FROM message)');
    db.run(
      `INSERT INTO realm_setting (name, value) VALUES ('name', ?)`,
      JSON.stringify(`The ${size} company`),
    );
    db.run(`INSERT INTO meta (key, value) VALUES ('world', ?)`, `demo-${size}`);
    db.run(`INSERT INTO meta (key, value) VALUES ('accounts', ?)`, JSON.stringify(people.slice(0, 8)));
    db.exec('ANALYZE');
  });
}

/** Drops indices and search triggers; the returned function brings them back. */
function setAside(db: Database): () => void {
  const all = db.all<{type: string; name: string; sql: string | null}>(
    'SELECT type, name, sql FROM sqlite_master',
  );
  const dropped = all.filter(
    ({type, name, sql}) =>
      sql !== null &&
      (type === 'trigger' ? name.startsWith('message_fts') : type === 'index' && bulkIndices.test(name)),
  );
  for (const {type, name} of dropped) db.exec(`DROP ${type} ${name}`);
  return () => {
    for (const {sql} of dropped) db.exec(sql ?? '');
  };
}
