import type {ServerContext} from '#server/context.ts';
import {fold} from '#server/db/rows.ts';
import {Role} from '#server/permissions/system-groups.ts';

export interface WorldChoice {
  readonly world: 'demo' | 'empty';
  readonly size: 'small' | 'large' | 'huge';
}

/** The error when the data directory contains another world than the requested one. */
class WorldMismatchError extends Error {
  override readonly name = 'OtherWorld';
}

/**
 * Fills a new database with the chosen world; a database that already contains it stays unchanged. Each seeding stores
 * the world's name in its transaction, so that a killed process leaves all of the world or nothing.
 */
export async function seedWorld(
  server: ServerContext,
  choice: WorldChoice,
  log: (line: string) => void,
): Promise<void> {
  const name = choice.world === 'demo' ? `demo-${choice.size}` : choice.world;
  const existing = server.db.value<string>(`SELECT value FROM meta WHERE key = 'world'`);
  if (existing === name) return;
  if (existing !== undefined) {
    const hint = existing === 'empty' ? 'Add --world empty, or choose' : 'Choose';
    throw new WorldMismatchError(
      `That directory contains the world “${existing}”, not “${name}”. ${hint} another --data directory.`,
    );
  }
  await seedChosenWorld(server, choice, log);
  server.derivedFacts.invalidateAll();
}

async function seedChosenWorld(server: ServerContext, choice: WorldChoice, log: (line: string) => void): Promise<void> {
  if (choice.world === 'empty') {
    seedEmptyWorld(server);
    return;
  }
  if (choice.size === 'small') {
    const {seedDemoWorld} = await import('./demo-world.ts');
    await seedDemoWorld(server);
    return;
  }
  const {seedGeneratedWorld} = await import('./generated-world.ts');
  seedGeneratedWorld(server, choice.size, log);
}

/** Fills the database with an organization that has an owner and one channel. */
function seedEmptyWorld({db, clock}: ServerContext): void {
  const now = Math.floor(clock.now() / 1000);
  db.transaction(() => {
    const email = 'owner@parley.example';
    const owner = db.insert(
      `INSERT INTO user (delivery_email, email_key, full_name, name_key, role, joined_at) VALUES (?, ?, 'Owner', 'owner', ?, ?)`,
      email,
      fold(email),
      Role.owner,
      now,
    );
    const channel = db.insert(
      `INSERT INTO channel (name, name_key, description, created_at, creator_id, is_default, subscriber_count, permissions)
       VALUES ('general', 'general', 'Everything that concerns everybody', ?, ?, 1, 1, ?)`,
      now,
      owner,
      JSON.stringify({can_administer_channel_group: {direct_members: [owner], direct_subgroups: []}}),
    );
    db.run('INSERT INTO subscription (user_id, channel_id) VALUES (?, ?)', owner, channel);
    db.run('INSERT INTO subscription_period (user_id, channel_id, since_id) VALUES (?, ?, 1)', owner, channel);
    db.run(`INSERT INTO meta (key, value) VALUES ('world', 'empty')`);
    db.run(`INSERT INTO meta (key, value) VALUES ('accounts', ?)`, JSON.stringify([owner]));
  });
}
