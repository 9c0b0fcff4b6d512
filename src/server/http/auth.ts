import type {ServerContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import {findUserByEmail} from '#server/db/users.ts';
import {ApiError, check, invalidApiKey, missingParam, notLoggedIn, unauthorized} from '#server/errors.ts';
import {requireActiveOrganization} from '#server/permissions/has-permission.ts';

/** Throws if the account was deactivated. */
function checkActive(user: UserRow): void {
  if (user.is_active === 0) throw new ApiError('USER_DEACTIVATED', 'Account is deactivated', 401);
}

function isKeyText(key: string): boolean {
  return /^[A-Za-z0-9]{32}$/.test(key.trim());
}

/**
 * Returns the user of the Authorization header. Throws 401 without saying whether email or key is wrong. Checked headers
 * are cached until a user changes, because clients send many requests.
 */
export function authenticate(server: ServerContext, header: string | undefined): UserRow {
  if (header === undefined) throw notLoggedIn();
  const {version} = server.db.changes.users;
  const cached = server.callerCache.get(header);
  if (cached?.version === version) {
    requireActiveOrganization(server);
    return cached.row;
  }
  check(/^basic\b/i.test(header), 'This endpoint requires HTTP basic authentication.');
  const credentials = basicCredentials(header);
  if (credentials === undefined) throw notLoggedIn();
  const row = checkCredentials(server, credentials.email, credentials.key);
  // A key of one connection ends with it, without a change of the user.
  if (!server.connectionKeys.has(credentials.key)) server.callerCache.set(header, {version, row});
  return row;
}

export function checkCredentials(server: ServerContext, email: string, key: string): UserRow {
  if (!isKeyText(key)) throw unauthorized('Malformed API key');
  const user = findUserByEmail(server.db, email);
  const isOwnKey = server.secrets.isApiKey(user, key.trim()) || server.connectionKeys.get(key) === user?.id;
  if (!isOwnKey || user === undefined) throw invalidApiKey();
  requireActiveOrganization(server);
  checkActive(user);
  return user;
}

/** Returns the user's current row. Throws 401 if they were deactivated or got a new key since the first check. */
export function requireStillActive(server: ServerContext, caller: UserRow): UserRow {
  const user = server.db.find<UserRow>('user', {id: caller.id});
  if (user === undefined || user.key_generation !== caller.key_generation) {
    throw invalidApiKey();
  }
  checkActive(user);
  return user;
}

function basicCredentials(header: string): {email: string; key: string} | undefined {
  const match = /^basic +([A-Za-z0-9+/=_-]+) *$/i.exec(header);
  if (match?.[1] === undefined) return undefined;
  const text = Buffer.from(match[1], 'base64').toString('utf8');
  // Neither an email address nor an API key contains a colon: the last one separates them.
  const colon = text.lastIndexOf(':');
  if (colon < 0) return undefined;
  return {email: text.slice(0, colon), key: text.slice(colon + 1)};
}

/** Returns the address in an Authorization header, whether or not its key is right. */
export function claimedEmail(header = ''): string | undefined {
  return basicCredentials(header)?.email;
}

/** Returns `Name` of `Name/Version`. It is stored with messages and used by a few heuristics. */
export function clientName(userAgent: string | undefined): string {
  return userAgent === undefined ? 'Unspecified' : (/^[^/\s]+/.exec(userAgent)?.[0] ?? '').slice(0, 30);
}

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
  const user = db.find<UserRow>('user', {id: userIds.get(key) ?? 0});
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
