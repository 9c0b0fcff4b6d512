import {hashNewPassword} from '#server/accounts/password.ts';
import type {ServerContext} from '#server/context.ts';
import {accountColumns} from '#server/db/users.ts';
import {Role} from '#server/organization/permission-rules.ts';

interface WorldChoice {
  /** Undefined for that of the database. */
  readonly world: 'demo' | 'empty' | undefined;
  readonly size: 'small' | 'large' | 'huge';
  /** The name and owner of an empty world. */
  readonly founding?: Founding | undefined;
}

export interface Founding {
  readonly organization: string;
  readonly ownerName: string;
  readonly ownerEmail: string;
  /** Undefined for an owner who sets it later, by a link. */
  readonly password: string | undefined;
}

/** The error when the data directory contains another world than the requested one. */
class WorldMismatchError extends Error {
  override readonly name = 'OtherWorld';
}

/** Returns the name of the world that the database was filled with. */
export function worldOf({db}: Pick<ServerContext, 'db'>): string | undefined {
  return db.value<string>(`SELECT value FROM meta WHERE key = 'world'`);
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
  const name = choice.world === 'empty' ? choice.world : `demo-${choice.size}`;
  const existing = worldOf(server);
  if (existing === undefined && choice.world === undefined) {
    throw new WorldMismatchError('There is no organization. Add --world demo for the demo.');
  }
  if (existing === name || (existing !== undefined && choice.world === undefined)) return;
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
    const {founding} = choice;
    const hash = founding?.password === undefined ? null : await hashNewPassword(server, founding.password);
    seedEmptyWorld(server, founding, hash);
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
function seedEmptyWorld({db, clock}: ServerContext, founding: Founding | undefined, hash: string | null): void {
  const now = Math.floor(clock.now() / 1000);
  const {ownerName = 'Owner', ownerEmail = 'owner@parley.example', organization} = founding ?? {};
  db.transaction(() => {
    const owner = db.insertRow('user', {
      ...accountColumns(ownerEmail, ownerName),
      role: Role.owner,
      password_hash: hash,
      joined_at: now,
    });
    if (organization !== undefined) {
      db.insertRow('realm_setting', {name: 'name', value: JSON.stringify(organization)});
    }
    const channel = db.insertRow('channel', {
      name: 'general',
      name_key: 'general',
      description: 'Everything that concerns everybody',
      created_at: now,
      creator_id: owner,
      is_default: 1,
      subscriber_count: 1,
      permissions: JSON.stringify({can_administer_channel_group: {direct_members: [owner], direct_subgroups: []}}),
    });
    db.insertRow('subscription', {user_id: owner, channel_id: channel});
    db.insertRow('subscription_period', {user_id: owner, channel_id: channel, since_id: 1});
    // As in a new organization of Zulip.
    if (founding !== undefined)
      db.insertRow('realm_setting', {name: 'new_stream_announcements_stream_id', value: JSON.stringify(channel)});
    db.insertRow('meta', {key: 'world', value: 'empty'});
    db.insertRow('meta', {key: 'accounts', value: JSON.stringify([owner])});
  });
}
