import {fetchOnce} from '#state/fetches/fetch-once.ts';
import type {Presence} from '#state/model/personal.ts';
import {presenceFromWire} from '#state/model/personal.ts';
import type {SessionContext} from '#state/session-context.ts';
import {modernPresence} from '#wire/objects/presence.ts';

export type UserActivity = 'key' | 'focus';

/** Somebody who neither typed nor looked for this long is idle. */
const idleAfterMs = 300_000;
/** Whatever a server says, not more often than this. */
const shortestMs = 10_000;
/** Asked again, should the server not say how often. */
const defaultSeconds = 60;

/**
 * Tells the server every minute that one is here, and hears from it who else is. Sends nothing while exploring; whoever
 * chose to be invisible still asks, and the server keeps it to itself.
 */
export class PresenceReporter {
  readonly #context: SessionContext;
  #activeAt: number;
  #hasNewInput = false;
  #saidIdle = false;
  #isStopped = false;
  #cancelNext = () => {};

  constructor(context: SessionContext) {
    this.#context = context;
    this.#activeAt = context.clock.now();
  }

  /** Returns whether it ended an idle time. */
  noteActivity(kind: UserActivity): boolean {
    const wasIdle = this.#isIdle();
    this.#activeAt = this.#context.clock.now();
    if (kind === 'key') this.#hasNewInput = true;
    if (this.#saidIdle) this.ping();
    return wasIdle;
  }

  /** Now, and from now on every interval. */
  ping(): void {
    this.#cancelNext();
    if (this.#isStopped) return;
    const {clock, cache} = this.#context;
    const {serverPresencePingIntervalSeconds: seconds = defaultSeconds} = cache.state.server;
    this.#cancelNext = clock.after(Math.max(seconds * 1000, shortestMs), () => this.ping());
    const isWanted = cache.state.connection.phase === 'online' && cache.state.realm.presenceDisabled !== true;
    // A beat that is lost is made up for by the next one.
    if (isWanted) void this.#exchange().catch(() => {});
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelNext();
  }

  #isIdle(): boolean {
    return this.#context.clock.now() - this.#activeAt > idleAfterMs;
  }

  #exchange(): Promise<void> {
    return fetchOnce(this.#context, ['presence'], (signal) =>
      this.#context.isExploring ? this.#look(signal) : this.#report(signal),
    );
  }

  async #report(signal: AbortSignal): Promise<void> {
    const {api, cache} = this.#context;
    const {self, settings, statuses} = cache.state;
    // Servers without the setting say that one is away.
    const isVisible = settings.presenceEnabled !== false && statuses.get(self.userId)?.away !== true;
    const status = this.#isIdle() || !isVisible ? 'idle' : 'active';
    const newInput = this.#hasNewInput && isVisible;
    this.#saidIdle = status === 'idle' && isVisible;
    this.#hasNewInput = false;
    const before = cache.state.presences.lastUpdateId;
    const args = {status, last_update_id: before, new_user_input: newInput, ping_only: false} as const;
    try {
      const answer = await api.updatePresence(args, {signal});
      const entries = Object.entries(answer.presences);
      this.#take(
        entries.map(([id, wire]) => [Number(id), presenceFromWire(wire)] as const),
        answer.presence_last_update_id,
        answer.server_timestamp,
      );
    } catch (error) {
      this.#hasNewInput ||= newInput;
      throw error;
    }
  }

  /** Without being seen. The answer names people by their addresses. */
  async #look(signal: AbortSignal): Promise<void> {
    const {api, cache} = this.#context;
    const {presences, server_timestamp} = await api.getRealmPresence({}, {signal});
    const told: (readonly [number, Presence])[] = [];
    for (const user of cache.state.users.values()) {
      const presence = presences[user.email];
      if (presence !== undefined) told.push([user.id, presenceFromWire(modernPresence(presence))]);
    }
    this.#take(told, undefined, server_timestamp);
  }

  #take(
    presences: readonly (readonly [number, Presence])[],
    lastUpdateId: number | undefined,
    serverTime: number | undefined,
  ): void {
    const {cache, clock} = this.#context;
    const serverOffset = serverTime === undefined ? undefined : serverTime - clock.now() / 1000;
    cache.apply({type: 'presences_fetched', presences, lastUpdateId, serverOffset});
  }
}
