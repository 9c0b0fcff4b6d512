import {randomUUID} from 'node:crypto';
import type {Database} from '#server/db/database.ts';
import {fold} from '#server/db/rows.ts';
import {accountColumns} from '#server/db/users.ts';
import {systemGroups} from './permission-rules.ts';

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
      db.insertRow('user_group', {id, name, name_key: fold(name), description, is_system: 1});
      if (contains !== undefined) db.insertRow('group_subgroup', {group_id: id, subgroup_id: contains});
    }
    for (const {email, fullName} of Object.values(systemBots)) {
      db.insertRow('user', {
        ...accountColumns(email, fullName),
        is_bot: 1,
        bot_type: 1,
        is_system_bot: 1,
        joined_at: now,
      });
    }
  });
}
