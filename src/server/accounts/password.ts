import type {ServerContext} from '#server/context.ts';
import {fold, type UserRow} from '#server/db/rows.ts';
import {findUser} from '#server/db/users.ts';
import {badRequest, rateLimitHit} from '#server/http/errors.ts';
import {isCommonPassword} from './common-passwords.ts';
import {hashPassword} from './secrets.ts';

export const passwordMinLength = 8;
export const passwordMaxLength = 100;

/** Returns why nobody may have this password; undefined if it is good enough. */
export function passwordProblem(password: string): string | undefined {
  // As Zulip's servers say it.
  if (password === '') return 'The password is too weak.';
  if (password.length < passwordMinLength)
    return `The password is too short. Use at least ${passwordMinLength} characters.`;
  if (password.length > passwordMaxLength)
    return `The password is too long. Use at most ${passwordMaxLength} characters.`;
  if (new Set(password).size < 4) return 'The password is too weak. Use more different characters.';
  return isCommonPassword(password) ? 'The password is too common: others guess it first. Choose another.' : undefined;
}

/** Returns the hash of a new password; throws an error with the reason if the password is not good enough. */
export async function hashNewPassword(
  {passwordCost}: Pick<ServerContext, 'passwordCost'>,
  password: string,
): Promise<string> {
  const problem = passwordProblem(password);
  if (problem !== undefined) throw badRequest(problem);
  return hashPassword(password, passwordCost);
}

export const passwordLinkPath = '/set-password';
const validSeconds = 3 * 24 * 3600;

/** The password is part of what is signed, so that a link works once: until the password changes. */
function purposeOf({id, password_hash}: UserRow, expiresAt: number): string {
  return `set-password:${id}:${expiresAt}:${password_hash ?? ''}`;
}

/** Returns a link by which a user sets a password without the old one. */
export function passwordLink(server: ServerContext, user: UserRow): {url: string; expiresAt: number} {
  const expiresAt = Math.floor(server.clock.now() / 1000) + validSeconds;
  const token = `${user.id}.${expiresAt}.${server.secrets.sign(purposeOf(user, expiresAt))}`;
  return {url: `${server.url}${passwordLinkPath}/${token}`, expiresAt};
}

/** Returns the user of a link that is still valid. */
export function userOfPasswordLink(server: ServerContext, token: string): UserRow | undefined {
  const [, id, expires, signature = ''] = /^(\d{1,15})\.(\d{1,12})\.([\w-]+)$/.exec(token) ?? [];
  const user = id === undefined ? undefined : findUser(server.db, Number(id));
  if (user === undefined || user.is_active === 0 || user.is_bot === 1) return undefined;
  if (Number(expires) * 1000 < server.clock.now()) return undefined;
  return server.secrets.isSigned(purposeOf(user, Number(expires)), signature) ? user : undefined;
}

const attemptsAllowed = 5;
const windowMs = 1800_000;
/** Callers choose the names, so their number is unlimited: above this size, expired entries are removed. */
const cleanUpAboveSize = 10_000;

/** The times of failed logins per name. They are only in memory, so a restart clears them. */
const attemptsByServer = new WeakMap<ServerContext, Map<string, number[]>>();

/**
 * Runs a password check unless the name has too many recent failures. The attempt counts as failed until the check
 * succeeds, so parallel guesses cannot exceed the limit. Success clears the failures of the name.
 */
export async function limitLoginAttempts<T>(
  server: ServerContext,
  username: string,
  check: () => Promise<T>,
): Promise<T> {
  const attemptsByName = attemptsByServer.get(server) ?? new Map<string, number[]>();
  attemptsByServer.set(server, attemptsByName);
  const name = fold(username.trim());
  const now = server.clock.monotonic();
  const recent = (attemptsByName.get(name) ?? []).filter((at) => now - at < windowMs);
  const [oldest] = recent;
  if (oldest !== undefined && recent.length >= attemptsAllowed) {
    throw rateLimitHit((oldest + windowMs - now) / 1000);
  }
  attemptsByName.set(name, [...recent, now]);
  if (attemptsByName.size > cleanUpAboveSize) removeExpired(attemptsByName, now);
  const result = await check();
  attemptsByName.delete(name);
  return result;
}

function removeExpired(attemptsByName: Map<string, number[]>, now: number): void {
  for (const [name, attempts] of attemptsByName) {
    if (attempts.every((at) => now - at >= windowMs)) attemptsByName.delete(name);
  }
}
