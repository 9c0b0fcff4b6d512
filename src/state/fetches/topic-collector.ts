import {isApiFailure} from '#api/failure.ts';
import {delay} from '#api/retry.ts';
import type {Channel} from '#state/model/channel.ts';
import {isSubscribed} from '#state/selectors/permissions/channel-permissions.ts';
import type {SessionContext} from '#state/session-context.ts';
import {fetchTopics} from './fetch-lists.ts';

/** No request is sent within this time after a key. */
const quietMs = 400;
/** The first channels follow each other quickly; more would use up the 200 requests that a server allows in a minute. */
const quickChannels = 40;
const [quickMs, slowMs] = [150, 1000];
/** Bounds of requests and memory. The most active channels come first. */
const [maxChannels, maxTopics] = [300, 50_000];
/** A list that was complete this short a time ago is not fetched again unless the user looks at it. */
const freshMs = 3_600_000;
/** The pause after a request that failed. */
const retryMs = 15_000;

/** Fetches the topics of all subscribed channels, one after the other, while the user looks for something by name. */
export class TopicCollector {
  readonly #context: SessionContext;
  #activeAt = Number.NEGATIVE_INFINITY;
  #pausedUntil = Number.NEGATIVE_INFINITY;
  #isCollecting = false;
  /** The channels whose topics the server refused to list. */
  readonly #refusedIds = new Set<number>();

  constructor(context: SessionContext) {
    this.#context = context;
  }

  noteActivity(): void {
    this.#activeAt = this.#context.clock.monotonic();
  }

  onRegistered(): void {
    this.#refusedIds.clear();
    this.#pausedUntil = Number.NEGATIVE_INFINITY;
  }

  /** Begins, or goes on, until all lists are there or `isNeeded` returns false. */
  collectWhile(isNeeded: () => boolean): void {
    const {cache, clock} = this.#context;
    if (this.#isCollecting || cache.state.connection.phase !== 'online') return;
    if (clock.monotonic() < this.#pausedUntil) return;
    this.#isCollecting = true;
    const onEnd = () => {
      this.#isCollecting = false;
    };
    this.#collect(isNeeded).then(onEnd, () => {
      this.#pausedUntil = clock.monotonic() + retryMs;
      onEnd();
    });
  }

  async #collect(isNeeded: () => boolean): Promise<void> {
    const {clock, signal} = this.#context;
    let count = 0;
    for (const id of this.#channelIds()) {
      if (this.#topicCount() >= maxTopics) return;
      await delay(count < quickChannels ? quickMs : slowMs, clock, signal);
      for (let busyMs = this.#busyMs(); busyMs > 0; busyMs = this.#busyMs()) await delay(busyMs, clock, signal);
      if (!isNeeded()) return;
      if (this.#isKnown(id)) continue;
      await fetchTopics(this.#context, id).catch((error: unknown) => {
        // A refusal is about this channel only.
        if (!isApiFailure(error) || error.kind !== 'permanent') throw error;
        this.#refusedIds.add(id);
      });
      count += 1;
    }
  }

  /** Returns how long a request must wait for the user. */
  #busyMs(): number {
    return this.#activeAt + quietMs - this.#context.clock.monotonic();
  }

  /** Returns the channels whose topics are not known, those that are read and used most first. */
  #channelIds(): readonly number[] {
    const {channels, subscriptions} = this.#context.cache.state;
    const rank = ({id, streamWeeklyTraffic}: Channel) =>
      subscriptions.get(id)?.isMuted === true ? -1 : (streamWeeklyTraffic ?? 0);
    return [...channels.values()]
      .filter(({id}) => !this.#isKnown(id))
      .sort((a, b) => rank(b) - rank(a))
      .slice(0, maxChannels)
      .map(({id}) => id);
  }

  #isKnown(id: number): boolean {
    const {cache, clock} = this.#context;
    const list = cache.state.topics.get(id);
    const until = list?.complete === true ? clock.now() : (list?.completeUntil ?? Number.NEGATIVE_INFINITY);
    // The user may have set the clock back.
    const isFresh = Math.abs(clock.now() - until) < freshMs;
    return isFresh || this.#refusedIds.has(id) || !isSubscribed(cache.state, id);
  }

  #topicCount(): number {
    let count = 0;
    for (const {byKey} of this.#context.cache.state.topics.values()) count += byKey.size;
    return count;
  }
}
