import {delay} from '#api/retry.ts';
import type {Channel} from '#state/model/channel.ts';
import {isSubscribed} from '#state/selectors/permissions/channel-permissions.ts';
import type {SessionContext} from '#state/session-context.ts';
import type {AccountState} from '#state/state.ts';
import type {ServerEvent} from '#wire/events.ts';
import {isApiFailure} from '#wire/failure.ts';
import {fetchTopics} from './fetch-messages.ts';

/** No request is sent within this time after a key. */
const quietMs = 400;
/** The first channels follow each other quickly; more would use up the 200 requests that a server allows in a minute. */
const quickChannels = 40;
const [quickMs, slowMs] = [150, 1000];
/** Bounds of requests and memory. The most active channels come first. */
const [maxChannels, maxTopics] = [300, 50_000];
/** A list that was complete this short a time ago is not fetched again unless the user looks at it. */
const freshMs = 3_600_000;
/** The pause after a request that failed; then it is repeated if its list is shown or needed. */
const retryMs = 15_000;

/** After a new registration only the lists that were shown last are fetched again; the rest on demand. */
const maxRememberedFetches = 3;

/**
 * Fetches the topics of channels that are shown, and again when events do not tell enough of them; those of all subscribed
 * channels, one after the other, while the user looks for something by name.
 */
export class TopicFetcher {
  readonly #context: SessionContext;
  #activeAt = Number.NEGATIVE_INFINITY;
  #pausedUntil = Number.NEGATIVE_INFINITY;
  #isCollecting = false;
  /** The channels whose topics the server refused to list. */
  readonly #refusedIds = new Set<number>();
  readonly #shownIds = new Set<number>();

  constructor(context: SessionContext) {
    this.#context = context;
  }

  noteActivity(): void {
    this.#activeAt = this.#context.clock.monotonic();
  }

  onRegistered(): void {
    this.#refusedIds.clear();
    this.#pausedUntil = Number.NEGATIVE_INFINITY;
    for (const id of this.#shownIds) this.#refetch(id);
  }

  /** Fetches lists of topics again that were shown last, if events do not tell enough of them. */
  onEvents(events: readonly ServerEvent[]): void {
    const channelIds = new Set(events.flatMap((event) => this.#channelsWithUncertainTopics(event)));
    for (const id of channelIds.intersection(this.#shownIds)) this.#refetch(id);
  }

  /** Fetches the topics of a channel, unless all are known. */
  async fetch(channelId: number): Promise<void> {
    const {cache} = this.#context;
    rememberFetch(this.#shownIds, channelId);
    if (!isKept(cache.state, cache.state.topics.get(channelId), channelId)) await fetchTopics(this.#context, channelId);
  }

  /** Fetches the topics of a channel; after a failure once more, as long as the list is among those shown last. */
  #refetch(channelId: number): void {
    const {cache, clock, signal} = this.#context;
    fetchTopics(this.#context, channelId).catch((error: unknown) => {
      if (signal.aborted || !isApiFailure(error) || error.kind === 'permanent') return;
      const cancel = clock.after(retryMs, () => {
        signal.removeEventListener('abort', cancel);
        const isMissing = cache.state.topics.get(channelId)?.complete !== true;
        if (isMissing && this.#shownIds.has(channelId)) this.#refetch(channelId);
      });
      signal.addEventListener('abort', cancel, {once: true});
    });
  }

  /**
   * Returns channels whose topics were not followed, or will not be, for lack of a subscription, and those of messages
   * that left a topic which may be empty now.
   */
  #channelsWithUncertainTopics(event: ServerEvent): readonly number[] {
    if (event.type === 'subscription' && (event.op === 'add' || event.op === 'remove')) {
      return event.subscriptions.map(({stream_id}) => stream_id);
    }
    if (event.type !== 'delete_message' && event.type !== 'update_message') return [];
    const {stream_id} = event;
    const topics = stream_id === undefined ? undefined : this.#context.cache.state.topics.get(stream_id);
    return stream_id !== undefined && topics?.complete === false ? [stream_id] : [];
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

/** Keeps the most recent ids, in order of use. */
export function rememberFetch(recent: Set<number>, id: number): void {
  recent.delete(id);
  recent.add(id);
  const [oldest] = recent;
  if (recent.size > maxRememberedFetches && oldest !== undefined) recent.delete(oldest);
}

/** Whether a list of a channel is complete and events keep it so: channels without a subscription send none. */
export function isKept(
  state: AccountState,
  list: {readonly complete: boolean} | undefined,
  channelId: number,
): boolean {
  return list?.complete === true && isSubscribed(state, channelId);
}
