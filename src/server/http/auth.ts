import type {ServerContext} from '#server/context.ts';
import {fold, type UserRow} from '#server/db/rows.ts';
import {ApiError} from './errors.ts';

export function unauthorized(message: string): ApiError {
  return new ApiError('UNAUTHORIZED', message, 401);
}

/** Whoever the Authorization header names. Throws 401; which half was wrong is not told. */
export function authenticate(world: ServerContext, header: string | undefined): UserRow {
  const credentials = header === undefined ? undefined : basicCredentials(header);
  if (credentials === undefined)
    throw unauthorized('Not logged in: API authentication or user session required');
  return checkCredentials(world, credentials.email, credentials.key);
}

export function checkCredentials(world: ServerContext, email: string, key: string): UserRow {
  const user = callerByEmail(world, fold(email.trim()));
  if (!world.secrets.isApiKey(user, key.trim()) || user === undefined) throw unauthorized('Invalid API key');
  if (user.is_active === 0) throw unauthorized('Account is deactivated');
  return user;
}

/** Callers come back request after request: their row is kept until any user changes. */
function callerByEmail(world: ServerContext, emailKey: string): UserRow | undefined {
  const version = world.db.userVersion;
  const known = world.callerCache.get(emailKey);
  if (known?.version === version) return known.row;
  const row = world.db.get<UserRow>('SELECT * FROM user WHERE email_key = ?', emailKey);
  if (row !== undefined) world.callerCache.set(emailKey, {version, row});
  return row;
}

/** The same person as they are now. Throws 401 if they were deactivated or got a new key meanwhile. */
export function requireStillActive(world: ServerContext, caller: UserRow): UserRow {
  const user = world.db.get<UserRow>('SELECT * FROM user WHERE id = ?', caller.id);
  if (user === undefined || user.key_generation !== caller.key_generation) {
    throw unauthorized('Invalid API key');
  }
  if (user.is_active === 0) throw unauthorized('Account is deactivated');
  return user;
}

function basicCredentials(header: string): {email: string; key: string} | undefined {
  const match = /^basic +([A-Za-z0-9+/=_-]+) *$/i.exec(header);
  if (match?.[1] === undefined) return undefined;
  const text = Buffer.from(match[1], 'base64').toString('utf8');
  // An e-mail address may not hold a colon, an API key neither: the last one divides.
  const colon = text.lastIndexOf(':');
  if (colon < 0) return undefined;
  return {email: text.slice(0, colon), key: text.slice(colon + 1)};
}

/** `Name/Version` → `Name`; stored with messages and drives a few heuristics. */
export function clientName(userAgent: string | undefined): string {
  const name = /^[^/\s]+/.exec(userAgent ?? '')?.[0] ?? 'Unspecified';
  return name.slice(0, 30);
}
