import {randomUUID} from 'node:crypto';
import type {Database} from '#server/db/database.ts';
import {fold} from '#server/db/rows.ts';
import {systemGroups} from '#server/permissions/system-groups.ts';

/** The accounts that belong to the server itself. */
export const systemBots = {
  notification: {email: 'notification-bot@parley.example', fullName: 'Notification Bot'},
  welcome: {email: 'welcome-bot@parley.example', fullName: 'Welcome Bot'},
  emailGateway: {email: 'emailgateway@parley.example', fullName: 'Email Gateway'},
} as const;

/** Creates the system groups, the system bots and the identity of a new organization. Does nothing if they exist. */
export function bootstrapOrganization(db: Database, now: number): void {
  if (db.value(`SELECT value FROM meta WHERE key = 'created_at'`) !== undefined) return;
  db.transaction(() => {
    db.run(`INSERT INTO meta (key, value) VALUES ('created_at', ?), ('uuid', ?)`, String(now), randomUUID());
    for (const {id, name, description, contains} of systemGroups) {
      db.run(
        'INSERT INTO user_group (id, name, name_key, description, is_system) VALUES (?, ?, ?, ?, 1)',
        id,
        name,
        fold(name),
        description,
      );
      if (contains !== undefined)
        db.run('INSERT INTO group_subgroup (group_id, subgroup_id) VALUES (?, ?)', id, contains);
    }
    for (const {email, fullName} of Object.values(systemBots)) {
      db.run(
        `INSERT INTO user (delivery_email, email_key, full_name, name_key, is_bot, bot_type, is_system_bot, joined_at)
         VALUES (?, ?, ?, ?, 1, 1, 1, ?)`,
        email,
        fold(email),
        fullName,
        fold(fullName),
        now,
      );
    }
  });
}
