import type {ServerContext} from '#server/context.ts';
import {fold} from '#server/db/rows.ts';
import {rateLimitHit} from '#server/http/errors.ts';

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
