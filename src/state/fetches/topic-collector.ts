import {isApiFailure} from '#api/failure.ts';
import {delay} from '#api/retry.ts';
import type {Channel} from '#state/model/channel.ts';
import {isSubscribed} from '#state/selectors/permissions/channel-permissions.ts';
import type {SessionContext} from '#state/session-context.ts';
import {fetchTopics} from './fetch-channel-details.ts';

/** The start has settled after this time: what the screen shows comes first. */
const settleMs = 6000;
/** The same, when the user searched for a topic before the server answered. */
const wantedMs = 500;
/** No request is sent within this time after a key. */
const quietMs = 400;
/** The first channels follow each other quickly; more would use up the 200 requests that a server allows in a minute. */
const quickChannels = 20;
const [quickMs, slowMs] = [150, 2000];
/** Bounds of requests and memory. The most active channels come first. */
const [maxChannels, maxTopics] = [300, 50_000];
/** After a new registration, a list of this age is not fetched again unless the user looks at it. */
const freshMs = 3_600_000;

/** Fetches the topics of all subscribed channels in the background, one after the other, so that they can be found by name. */
export class TopicCollector {
  readonly #context: SessionContext;
  /** By the time of day, which goes on while the machine sleeps. */
  readonly #fetchedAt = new Map<number, number>();
  #activeAt = Number.NEGATIVE_INFINITY;
  #run: AbortController | undefined;
  #isWaiting = false;
  /** The user searched for a topic, and the lists are not there yet. */
  #isWanted = false;

  constructor(context: SessionContext) {
    this.#context = context;
  }

  noteActivity(): void {
    this.#activeAt = this.#context.clock.monotonic();
  }

  /** Begins, or begins again, when what happened has settled. */
  collectLater(): void {
    this.#start(this.#isWanted ? wantedMs : settleMs);
  }

  /** Begins now, because the user searches for a topic. */
  collectNow(): void {
    this.#isWanted = true;
    if (this.#run === undefined || this.#isWaiting) this.#start(0);
  }

  /** Fetches the lists of these channels again, because events did not tell enough. */
  collectAgain(channelIds: Iterable<number>): void {
    for (const id of channelIds) this.#fetchedAt.delete(id);
    if (this.#run === undefined || this.#isWaiting) this.#start(settleMs);
  }

  #start(waitMs: number): void {
    this.#run?.abort();
    const run = new AbortController();
    this.#run = run;
    const onEnd = () => {
      if (this.#run === run) this.#run = undefined;
    };
    // After a failure the next registration, or the next search, begins again.
    this.#collect(waitMs, AbortSignal.any([run.signal, this.#context.signal])).then(onEnd, onEnd);
  }

  async #collect(waitMs: number, signal: AbortSignal): Promise<void> {
    const {clock, cache} = this.#context;
    this.#isWaiting = true;
    await delay(waitMs, clock, signal);
    this.#isWaiting = false;
    if (cache.state.connection.phase !== 'online') return;
    this.#isWanted = false;
    let count = 0;
    for (const id of this.#channelIds()) {
      if (this.#topicCount() >= maxTopics) return;
      await delay(count < quickChannels ? quickMs : slowMs, clock, signal);
      for (let busyMs = this.#busyMs(); busyMs > 0; busyMs = this.#busyMs()) await delay(busyMs, clock, signal);
      if (this.#isKnown(id)) continue;
      await fetchTopics(this.#context, id).catch((error: unknown) => {
        // A refusal is about this channel only.
        if (!isApiFailure(error) || error.kind !== 'permanent') throw error;
      });
      this.#fetchedAt.set(id, clock.now());
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
    const {state} = this.#context.cache;
    const fetchedAt = this.#fetchedAt.get(id) ?? Number.NEGATIVE_INFINITY;
    const isFresh = state.topics.has(id) && this.#context.clock.now() - fetchedAt < freshMs;
    return isFresh || state.topics.get(id)?.complete === true || !isSubscribed(state, id);
  }

  /** Only lists that were read are counted. */
  #topicCount(): number {
    let count = 0;
    for (const id of this.#fetchedAt.keys()) count += this.#context.cache.state.topics.get(id)?.byKey.size ?? 0;
    return count;
  }
}
