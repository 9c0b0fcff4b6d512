import type {ServerContext} from '#server/context.ts';
import {dropIndexes, indexAllMessages} from '#server/db/bulk-load.ts';
import {insertChannels} from '#server/seed/generated-world/insert-channels.ts';
import {insertMessages} from '#server/seed/generated-world/insert-messages.ts';
import {insertPeople} from '#server/seed/generated-world/insert-people.ts';
import type {WorldScale} from '#server/seed/generated-world/world-scale.ts';
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
    db.run(`INSERT INTO realm_setting (name, value) VALUES ('name', ?)`, JSON.stringify(`The ${size} company`));
    db.run(`INSERT INTO meta (key, value) VALUES ('world', ?)`, `demo-${size}`);
    db.run(`INSERT INTO meta (key, value) VALUES ('accounts', ?)`, JSON.stringify(people.slice(0, 8)));
    db.exec('ANALYZE');
  });
}
