import type {ServerContext} from '#server/context.ts';
import {fold} from '#server/db/rows.ts';
import {rateLimitHit} from '#server/http/errors.ts';

const attemptsAllowed = 5;
const windowMs = 1800_000;
/** Names are the caller's own, so their number is not: past this the stale ones are dropped. */
const tidyFrom = 10_000;

/** Failed logins per name, in memory: a restart forgives. */
const ledgers = new WeakMap<ServerContext, Map<string, number[]>>();

/**
 * Runs a password check that counts as failed until it succeeded, so that parallel guesses are no way around the
 * limit. Success wipes the slate.
 */
export async function limitLoginAttempts<T>(
  world: ServerContext,
  username: string,
  check: () => Promise<T>,
): Promise<T> {
  const ledger = ledgers.get(world) ?? new Map<string, number[]>();
  ledgers.set(world, ledger);
  const name = fold(username.trim());
  const now = world.clock.now();
  const recent = (ledger.get(name) ?? []).filter((at) => now - at < windowMs);
  const [oldest] = recent;
  if (oldest !== undefined && recent.length >= attemptsAllowed) {
    throw rateLimitHit((oldest + windowMs - now) / 1000);
  }
  ledger.set(name, [...recent, now]);
  if (ledger.size > tidyFrom) tidy(ledger, now);
  const result = await check();
  ledger.delete(name);
  return result;
}

function tidy(ledger: Map<string, number[]>, now: number): void {
  for (const [name, attempts] of ledger) {
    if (attempts.every((at) => now - at >= windowMs)) ledger.delete(name);
  }
}
