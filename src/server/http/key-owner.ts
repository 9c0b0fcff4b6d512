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
export function keyOwner(server: ServerContext, key: string | null): UserRow {
  if (key === null) throw missingParam('api_key');
  if (!isKeyText(key)) throw unauthorized('Malformed API key');
  const id = currentIndex(server).userIds.get(key.trim());
  const user = id === undefined ? undefined : server.db.get<UserRow>('SELECT * FROM user WHERE id = ?', id);
  if (!server.secrets.isApiKey(user, key.trim()) || user === undefined) throw invalidApiKey();
  requireActiveOrganization(server);
  checkActive(user);
  return user;
}

function currentIndex(server: ServerContext): KeyIndex {
  const {db, secrets} = server;
  const index = indexes.get(server) ?? {version: -1, userIds: new Map(), generations: new Map()};
  indexes.set(server, index);
  if (index.version === db.userVersion) return index;
  for (const user of db.all<Pick<UserRow, 'id' | 'key_generation'>>('SELECT id, key_generation FROM user')) {
    if (index.generations.get(user.id) === user.key_generation) continue;
    index.userIds.set(secrets.apiKey(user), user.id);
    index.generations.set(user.id, user.key_generation);
  }
  index.version = db.userVersion;
  return index;
}
