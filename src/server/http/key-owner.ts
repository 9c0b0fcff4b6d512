import type {ServerContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import {checkActive, invalidApiKey, isKeyText, requireActiveOrganization, unauthorized} from './auth.ts';
import {missingParam} from './errors.ts';

/** The users by API key. Keys are derived and not stored, so each is computed once and again after it was replaced. */
interface KeyIndex {
  /** The version of the user table that the index was made from. */
  version: number;
  readonly userIds: Map<string, number>;
  readonly generations: Map<number, number>;
}

const indexes = new WeakMap<ServerContext, KeyIndex>();

/** Returns the user of a key that comes without an email address, as in the URLs of webhooks. */
export function keyOwner(server: ServerContext, text: string | null): UserRow {
  if (text === null) throw missingParam('api_key');
  if (!isKeyText(text)) throw unauthorized('Malformed API key');
  const key = text.trim();
  const index = indexes.get(server) ?? {version: -1, userIds: new Map(), generations: new Map()};
  indexes.set(server, index);
  let user = indexedUser(server, index, key);
  if (user === undefined && index.version !== server.db.changes.users.version) {
    update(index, server);
    user = indexedUser(server, index, key);
  }
  if (user === undefined) throw invalidApiKey();
  requireActiveOrganization(server);
  checkActive(user);
  return user;
}

function indexedUser({db, secrets}: ServerContext, {userIds}: KeyIndex, key: string): UserRow | undefined {
  const user = db.get<UserRow>('SELECT * FROM user WHERE id = ?', userIds.get(key) ?? 0);
  return secrets.isApiKey(user, key) ? user : undefined;
}

function update(index: KeyIndex, {db, secrets}: ServerContext): void {
  for (const user of db.all<Pick<UserRow, 'id' | 'key_generation'>>('SELECT id, key_generation FROM user')) {
    if (index.generations.get(user.id) === user.key_generation) continue;
    index.userIds.set(secrets.apiKey(user), user.id);
    index.generations.set(user.id, user.key_generation);
  }
  index.version = db.changes.users.version;
}
