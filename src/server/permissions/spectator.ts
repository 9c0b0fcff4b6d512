import type {ServerContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import {notLoggedIn} from '#server/errors.ts';
import {Role} from '#server/organization/permission-rules.ts';
import {organization} from './has-permission.ts';

/**
 * The user row of a visitor without an account. No user has its id and it has no subscriptions, so that only web-public
 * channels are visible.
 */
export const spectator: UserRow = {
  id: -1,
  delivery_email: '',
  email_key: '',
  full_name: '',
  role: Role.guest,
  is_active: 1,
  is_bot: 0,
  bot_type: null,
  bot_owner_id: null,
  is_system_bot: 0,
  timezone: '',
  avatar_source: 'G',
  avatar_version: 1,
  avatar_file: null,
  joined_at: 0,
  awaits_login: 0,
  is_imported_stub: 0,
  is_deleted: 0,
  password_hash: null,
  key_generation: 0,
  settings: '{}',
  video_token: 0,
};

export function isSpectator({id}: Pick<UserRow, 'id'>): boolean {
  return id === spectator.id;
}

/** Returns whether visitors without an account can read: the organization allows it and has a web-public channel. */
export function allowsSpectators(server: ServerContext): boolean {
  const {enable_spectator_access: isAllowed, is_deactivated: isClosed} = organization({server});
  if (!isAllowed || isClosed) return false;
  const sql = 'SELECT 1 FROM channel WHERE is_web_public = 1 AND is_archived = 0 LIMIT 1';
  return server.db.get(sql) !== undefined;
}

/** Returns the user row for a request without credentials. Throws 401 if visitors cannot read anything. */
export function requireSpectator(server: ServerContext): UserRow {
  if (!allowsSpectators(server)) throw notLoggedIn();
  return spectator;
}
