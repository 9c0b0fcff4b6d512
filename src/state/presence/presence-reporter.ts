import {fetchOnce} from '#state/fetches/fetch-page.ts';
import type {SessionContext} from '#state/session-context.ts';
import {type Presence, presenceFromWire} from '#state/slices/presences.ts';
import {modernPresence} from '#wire/objects/user.ts';

export type UserActivity = 'key' | 'focus';

/** A user without any activity for this long is idle. */
const idleAfterMs = 300_000;
/** The minimum interval, whatever the server says. */
const minIntervalMs = 10_000;
/** The interval in seconds when the server names none. */
const defaultSeconds = 60;

/**
 * Reports the user's presence every minute and receives that of others. Sends nothing in explore mode; an
 * invisible user still asks, and the server does not publish it.
 */
export class PresenceReporter {
  readonly #context: SessionContext;
  #activeAt: number;
  #hasNewInput = false;
  #reportedIdle = false;
  #isStopped = false;
  #cancelNext = () => {};

  constructor(context: SessionContext) {
    this.#context = context;
    this.#activeAt = context.clock.monotonic();
  }

  /** Records activity; returns whether it ended an idle period. */
  noteActivity(kind: UserActivity): boolean {
    const wasIdle = this.#isIdle();
    this.#activeAt = this.#context.clock.monotonic();
    if (kind === 'key') this.#hasNewInput = true;
    if (this.#reportedIdle) this.ping();
    return wasIdle;
  }

  /** Sends a report now, and then one per interval. */
  ping(): void {
    this.#cancelNext();
    if (this.#isStopped) return;
    const {clock, cache} = this.#context;
    const {serverPresencePingIntervalSeconds: seconds = defaultSeconds} = cache.state.server;
    this.#cancelNext = clock.after(Math.max(seconds * 1000, minIntervalMs), () => this.ping());
    const isEnabled = cache.state.connection.phase === 'online' && cache.state.realm.presenceDisabled !== true;
    // The next report makes up for a failed one.
    if (isEnabled) void this.#sendOrFetch().catch(() => {});
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelNext();
  }

  #isIdle(): boolean {
    return this.#context.clock.monotonic() - this.#activeAt > idleAfterMs;
  }

  #sendOrFetch(): Promise<void> {
    return fetchOnce(this.#context, ['presence'], (signal) =>
      this.#context.isExploring ? this.#fetchOthers(signal) : this.#report(signal),
    );
  }

  async #report(signal: AbortSignal): Promise<void> {
    const {api, cache} = this.#context;
    const {self, settings, statuses} = cache.state;
    // Servers without the setting use the away status instead.
    const isVisible = settings.presenceEnabled !== false && statuses.get(self.userId)?.away !== true;
    const status = this.#isIdle() || !isVisible ? 'idle' : 'active';
    const newInput = this.#hasNewInput && isVisible;
    this.#reportedIdle = status === 'idle' && isVisible;
    this.#hasNewInput = false;
    const before = cache.state.presences.lastUpdateId;
    const args = {status, last_update_id: before, new_user_input: newInput, ping_only: false} as const;
    try {
      const response = await api.updatePresence(args, {signal});
      const entries = Object.entries(response.presences);
      this.#applyPresences(
        entries.map(([id, wire]) => [Number(id), presenceFromWire(wire)] as const),
        response.presence_last_update_id,
        response.server_timestamp,
      );
    } catch (error) {
      this.#hasNewInput ||= newInput;
      throw error;
    }
  }

  /** Fetches presence without reporting the user's own. The response names users by email. */
  async #fetchOthers(signal: AbortSignal): Promise<void> {
    const {api, cache} = this.#context;
    const {presences, server_timestamp} = await api.getRealmPresence({}, {signal});
    const known: (readonly [number, Presence])[] = [];
    for (const user of cache.state.users.values()) {
      const presence = presences[user.email];
      if (presence !== undefined) known.push([user.id, presenceFromWire(modernPresence(presence))]);
    }
    this.#applyPresences(known, undefined, server_timestamp);
  }

  #applyPresences(
    presences: readonly (readonly [number, Presence])[],
    lastUpdateId: number | undefined,
    serverTime: number | undefined,
  ): void {
    const {cache, clock} = this.#context;
    const serverOffset = serverTime === undefined ? undefined : serverTime - clock.now() / 1000;
    cache.apply({type: 'presences_fetched', presences, lastUpdateId, serverOffset});
  }
}
