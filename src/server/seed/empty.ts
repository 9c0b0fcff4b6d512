import type {ServerContext} from '#server/context.ts';
import {fold} from '#server/db/rows.ts';
import {Role} from '#server/permissions/system-groups.ts';

/** An organization with its owner and one channel, ready for real people. */
export function seedEmptyWorld(world: ServerContext): void {
  const now = Math.floor(world.clock.now() / 1000);
  world.db.transaction(() => {
    const {db} = world;
    const email = 'owner@parley.example';
    const owner = db.insert(
      `INSERT INTO user (delivery_email, email_key, full_name, name_key, role, joined_at) VALUES (?, ?, 'Owner', 'owner', ?, ?)`,
      email,
      fold(email),
      Role.owner,
      now,
    );
    const channel = db.insert(
      `INSERT INTO channel (name, name_key, description, created_at, creator_id, is_default, subscriber_count)
       VALUES ('general', 'general', 'Everything that concerns everybody', ?, ?, 1, 1)`,
      now,
      owner,
    );
    db.run('INSERT INTO subscription (user_id, channel_id) VALUES (?, ?)', owner, channel);
    db.run(
      'INSERT INTO subscription_period (user_id, channel_id, since_id) VALUES (?, ?, 1)',
      owner,
      channel,
    );
    db.run(`INSERT INTO meta (key, value) VALUES ('world', 'empty')`);
    db.run(`INSERT INTO meta (key, value) VALUES ('accounts', ?)`, JSON.stringify([owner]));
  });
}
