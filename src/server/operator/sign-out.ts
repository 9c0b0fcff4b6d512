import {randomBytes} from 'node:crypto';
import {closeSync, fsyncSync, openSync, renameSync, writeSync} from 'node:fs';
import {join} from 'node:path';
import {secretLength} from '#server/accounts/secrets.ts';
import {regenerateApiKey} from '#server/actions/users/api-keys.ts';
import type {ActionContext, ServerContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import {invalidApiKey} from '#server/errors.ts';

/** Returns the clients that are connected as a user, and how often their key was replaced. */
export function sessionsOf({queues, clock, db}: ServerContext, user: UserRow) {
  const own = [...queues.all()].filter(({userId}) => userId === user.id);
  return {
    email: user.delivery_email,
    key_replaced: user.key_generation,
    last_active: db.value<number | null>('SELECT active_at FROM presence WHERE user_id = ?', user.id) ?? null,
    push_devices: db.value('SELECT count(*) FROM push_token WHERE user_id = ?', user.id) ?? 0,
    clients: own.map(({options, lastSeenAt, isWaiting}) => ({
      client: options.clientName,
      idle_seconds: isWaiting ? 0 : Math.round((clock.monotonic() - lastSeenAt) / 1000),
    })),
  };
}

/** Ends every login of a user: all have the same API key, which is replaced. The password and the keys of SSH stay. */
export function signOut(act: ActionContext, user: UserRow): void {
  for (const table of ['push_token', 'client_device']) act.db.deleteRows(table, {user_id: user.id});
  regenerateApiKey(act, user);
  const {connectionKeys, queues} = act.server;
  act.afterCommit(() => {
    for (const [key, userId] of connectionKeys) if (userId === user.id) connectionKeys.delete(key);
    queues.expireAll(user.id);
  });
}

/** Returns what a new secret ends. */
export function dependsOnSecret({db}: ServerContext) {
  const count = (sql: string) => db.value(sql) ?? 0;
  return {
    people: count('SELECT count(*) FROM user WHERE is_active = 1 AND is_bot = 0'),
    bots: count('SELECT count(*) FROM user WHERE is_active = 1 AND is_bot = 1 AND is_system_bot = 0'),
  };
}

/** Replaces the secret of the organization, on disk and in this server. Throws before anything changes if it cannot be written. */
export function rotateSecret(server: ServerContext, directory: string): void {
  const secret = randomBytes(secretLength);
  const unfinished = join(directory, 'secret.new');
  const file = openSync(unfinished, 'w', 0o600);
  try {
    writeSync(file, secret);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(unfinished, join(directory, 'secret'));
  server.secrets.replace(secret);
  server.connectionKeys.clear();
  // Whatever was derived from the old secret is found by these counters.
  server.runAction((act) => {
    act.db.run('UPDATE user SET key_generation = key_generation + 1');
    act.afterCommit(() => {
      for (const id of [...server.queues.connectedUsers()]) server.queues.refusePolls(id, invalidApiKey());
    });
  });
}
