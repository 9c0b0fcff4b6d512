import {wireNarrow} from '#state/fetches/fetch-page.ts';
import type {NearbyMessages, TimelineFetcher} from '#state/fetches/timeline-fetcher.ts';
import {disposeOnAbort, guardBackgroundTask} from '#state/guard-background-task.ts';
import type {MessageFactsFound} from '#state/local-events.ts';
import {type Message, messageFromWire} from '#state/model/message.ts';
import {conversationOfNarrow} from '#state/model/narrow.ts';
import type {SessionContext} from '#state/session-context.ts';
import {deepEqual} from '#std/deep-equal.ts';
import {SortedMap} from '#std/sorted-map.ts';
import {isRenderingOnly, type UpdateMessageEvent} from '#wire/events/update-message.ts';
import type {ServerEvent} from '#wire/events.ts';
import type {FetchedMessage} from '#wire/objects/message.ts';
import {canHaveFacts} from './known-facts.ts';
import {type NameIds, nameFacts, withFormerNames, withSpellings} from './name-facts.ts';

/** Waits for messages and keys that follow at once, so that one request covers them. */
const fetchDelayMs = 500;
const retryMs = 30_000;
const maxFetched = 100;
/** Messages this far from the one on screen are fetched along with it. */
const nearbyDistance = 50;
const uploadedImage = /user_uploads\/\S+\.(?:avif|bmp|gif|heic|jpe?g|png|tiff?|webp)\b/i;

type FoundFacts = MessageFactsFound['found'][number];

/**
 * Looks up the facts about messages: at once what the names in a new message mean, and later, for messages near the
 * screen that need it, what the server's rendering says. One request at a time; nothing is asked twice.
 */
export class FactKeeper {
  readonly #context: SessionContext;
  readonly #timelines: TimelineFetcher;
  readonly #fetchesPreviews: boolean;
  #seen: SortedMap<number, Message> = SortedMap.empty();
  /** Names that nobody has today, learned from renderings: other messages use them too. */
  #formerNames: NameIds = {};
  /** The messages whose rendering was requested, with or without success. */
  readonly #requested = new Set<number>();
  #isFetching = false;
  #cancelTimer: (() => void) | undefined;

  constructor(context: SessionContext, timelines: TimelineFetcher, fetchesPreviews = true) {
    this.#context = context;
    this.#timelines = timelines;
    this.#fetchesPreviews = fetchesPreviews;
    const {cache, signal} = context;
    const schedule = () => this.#scheduleFetch(fetchDelayMs);
    timelines.onViewChange = schedule;
    disposeOnAbort(signal, [
      cache.subscribe(
        ['messages'],
        guardBackgroundTask(context, () => this.#lookUpNames()),
      ),
      cache.subscribe(['messages', 'timelines', 'connection'], schedule),
      () => this.#cancelTimer?.(),
    ]);
  }

  /** Reads the rendering that comes with an edit, or that the server made later, such as a link preview. */
  onEvents(events: readonly ServerEvent[]): void {
    const updates = events.filter(
      (event): event is UpdateMessageEvent => event.type === 'update_message' && event.content !== undefined,
    );
    if (updates.length === 0) return;
    for (const {message_id: id} of updates) this.#requested.delete(id);
    this.#readUpdates(updates).catch((error: unknown) => this.#context.log('A rendering could not be read', error));
  }

  onRegistered(): void {
    this.#requested.clear();
    this.#scheduleFetch(fetchDelayMs);
  }

  /** Remembers the users, groups and channels that new messages name. */
  #lookUpNames(): void {
    const {cache} = this.#context;
    const {base} = cache;
    const changed: Message[] = [];
    base.messages.byId.changesSince(this.#seen, (_id, message) => {
      if (message !== undefined) changed.push(message);
    });
    this.#seen = base.messages.byId;
    this.#rememberNames(changed);
    this.#seen = cache.base.messages.byId;
  }

  /** Adds to messages what their names mean, as far as it is not known yet. */
  #rememberNames(messages: readonly Message[]): void {
    const {cache} = this.#context;
    const found = messages.flatMap(({id, content, facts: known}): FoundFacts[] => {
      if (known?.isRendered === true) return [];
      const {facts} = nameFacts(cache.base, content, known, this.#formerNames);
      return facts === undefined || deepEqual(facts, known) ? [] : [{id, content, facts}];
    });
    if (found.length > 0) cache.apply({type: 'message_facts_found', found});
  }

  async #readUpdates(updates: readonly UpdateMessageEvent[]): Promise<void> {
    const {cache, store} = this.#context;
    const {readRenderedFacts} = await import('#content/read-rendered-facts.ts');
    const found = updates.map(({message_id: id, content = '', rendered_content: html}): FoundFacts => {
      const names = nameFacts(cache.base, content).facts;
      return {
        id,
        content,
        facts: html === undefined ? (names ?? {}) : withSpellings(readRenderedFacts(html, content), names),
      };
    });
    cache.apply({type: 'message_facts_found', found});
    // Edited messages that are not loaded are removed from the disk; those with a new rendering only are kept.
    const unloaded = updates.filter(
      (event) => isRenderingOnly(event) && !cache.base.messages.byId.has(event.message_id),
    );
    const factsById = new Map(found.map(({id, facts}) => [id, facts]));
    const saved = store.messages.byIds(unloaded.map(({message_id: id}) => id));
    store.messages.save(saved.map((message) => ({...message, facts: factsById.get(message.id)})));
  }

  #scheduleFetch(delayMs: number): void {
    const {clock} = this.#context;
    if (this.#isFetching || this.#cancelTimer !== undefined) return;
    const task = guardBackgroundTask(this.#context, () => {
      this.#cancelTimer = undefined;
      void this.#fetch();
    });
    this.#cancelTimer = clock.after(delayMs, task);
  }

  async #fetch(): Promise<void> {
    const {cache, queueId, log, signal} = this.#context;
    if (this.#isFetching || queueId() === undefined || cache.state.connection.phase !== 'online') return;
    const [views, ids] = this.#missing();
    if (ids.length === 0) return;
    this.#isFetching = true;
    let delayMs = fetchDelayMs;
    try {
      const asked = new Map(ids.flatMap((id) => cache.base.messages.byId.get(id) ?? []).map((one) => [one.id, one]));
      for (const id of ids) this.#requested.add(id);
      await this.#readRendered(await this.#request(views, ids), asked);
    } catch (error) {
      if (signal.aborted) return;
      for (const id of ids) this.#requested.delete(id);
      delayMs = retryMs;
      log('The rendering of messages could not be fetched', error);
    } finally {
      this.#isFetching = false;
    }
    this.#scheduleFetch(delayMs);
  }

  /** Returns the views on screen that need a rendering and the messages to request, those of other open views last. */
  #missing(): readonly [readonly NearbyMessages[], readonly number[]] {
    const nearby = this.#timelines.messagesNearViews(nearbyDistance);
    const {byId} = this.#context.cache.base.messages;
    // Renderings may have explained their names since they arrived.
    this.#rememberNames(nearby.flatMap(({ids}) => ids.flatMap((id) => byId.get(id) ?? [])));
    const views = nearby
      .map((view) => ({...view, ids: view.ids.filter((id) => this.#needsRendering(id))}))
      .filter(({ids}) => ids.length > 0);
    const shown = views.filter(({isShown}) => isShown);
    if (shown.length === 0) return [[], []];
    const ids = new Set([...shown, ...views].flatMap((view) => view.ids));
    return [shown, [...ids].slice(0, maxFetched)];
  }

  #needsRendering(id: number): boolean {
    const {base} = this.#context.cache;
    const message = base.messages.byId.get(id);
    if (message === undefined || message.facts?.isRendered === true || this.#requested.has(id)) return false;
    if (!canHaveFacts(message)) return false;
    const {content} = message;
    if (uploadedImage.test(content)) return true;
    const hasPreviews = this.#fetchesPreviews && base.realm.inlineUrlEmbedPreview === true;
    if (hasPreviews && /https?:\/\//.test(content)) return true;
    return !nameFacts(base, content, message.facts).areAllFound;
  }

  async #request(views: readonly NearbyMessages[], ids: readonly number[]): Promise<readonly FetchedMessage[]> {
    const {api, cache, signal} = this.#context;
    const rendered = {apply_markdown: true, client_gravatar: true, allow_empty_topic_name: true};
    if (cache.state.server.abilities.messagesByIds) {
      return (await api.getMessages({...rendered, message_ids: [...ids]}, {signal})).messages;
    }
    const view = views.find(({narrow}) => conversationOfNarrow(narrow) !== undefined);
    if (view === undefined) return [];
    const narrow = wireNarrow(view.narrow, cache.state.self.userId);
    const range = {anchor: view.center, num_before: nearbyDistance, num_after: nearbyDistance};
    return (await api.getMessages({...rendered, ...range, narrow}, {signal})).messages;
  }

  /** Reads the facts, except of messages that were edited in the meantime: their event has the new rendering. */
  async #readRendered(messages: readonly FetchedMessage[], asked: ReadonlyMap<number, Message>): Promise<void> {
    const {cache} = this.#context;
    const {readRenderedFacts} = await import('#content/read-rendered-facts.ts');
    const found = messages.flatMap((wire): FoundFacts[] => {
      const message = asked.get(wire.id);
      if (message === undefined || messageFromWire(wire, [], 0).editedAt !== message.editedAt) return [];
      const {id, content} = message;
      const names = nameFacts(cache.base, content, message.facts).facts;
      return [{id, content, facts: withSpellings(readRenderedFacts(wire.content, content), names)}];
    });
    cache.apply({type: 'message_facts_found', found});
    const {base} = cache;
    this.#formerNames = found.reduce((former, {facts}) => withFormerNames(base, former, facts), this.#formerNames);
  }
}
