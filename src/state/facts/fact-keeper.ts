import {wireNarrow} from '#state/fetches/fetch-page.ts';
import type {NearbyMessages} from '#state/fetches/open-timelines.ts';
import type {TimelineFetcher} from '#state/fetches/timeline-fetcher.ts';
import type {LocalEventOf} from '#state/local-events.ts';
import {type Message, messageFromWire} from '#state/model/message.ts';
import {conversationOfNarrow} from '#state/model/narrow.ts';
import {type NameIds, nameFacts, withFormerNames, withSpellings} from '#state/selectors/names/find-by-name.ts';
import {disposeOnAbort, guardBackgroundTask, type SessionContext, watchSlices} from '#state/session-context.ts';
import type {Linkifier} from '#state/slices/linkifiers.ts';
import {deepEqual} from '#std/deep-equal.ts';
import {SortedMap} from '#std/sorted-map.ts';
import type {EventOf, ServerEvent} from '#wire/events.ts';
import type {FetchedMessage} from '#wire/objects/message.ts';

/** Waits for messages and keys that follow at once, so that one request covers them. */
const fetchDelayMs = 500;
/** The delays after a success, one failure, two failures and so on. */
const retryMs = [fetchDelayMs, 30_000, 60_000, 300_000];
const maxFetched = 100;
/** Messages this far from the one on screen are fetched along with it. */
const nearbyDistance = 50;
const emoticon = /[:;][)(|/DoOpP]|\(:|<3/;
const uploadedImage = /user_uploads\/\S+\.(?:avif|bmp|gif|heic|jpe?g|png|tiff?|webp)\b/i;

type MessageTest = (message: Message) => boolean;
type FoundFacts = LocalEventOf<'message_facts_found'>['found'][number];

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
  #failureCount = 0;
  #linkifiers: readonly Linkifier[];
  /** After a change of linkifiers: those from before and after it, and the newest message that it does not apply to. */
  #changedLinkifiers: {readonly linkifiers: readonly Linkifier[]; readonly newestId: number} | undefined;
  #cancelTimer: (() => void) | undefined;

  constructor(context: SessionContext, timelines: TimelineFetcher, fetchesPreviews = true) {
    this.#context = context;
    this.#timelines = timelines;
    this.#fetchesPreviews = fetchesPreviews;
    this.#linkifiers = context.cache.base.linkifiers;
    const schedule = () => this.#scheduleFetch(fetchDelayMs);
    timelines.onViewChange = schedule;
    watchSlices(context, ['messages'], () => this.#lookUpNames());
    watchSlices(context, ['messages', 'timelines', 'connection', 'linkifiers'], schedule);
    disposeOnAbort(context.signal, [() => this.#cancelTimer?.()]);
  }

  /** Reads the rendering that comes with an edit, or that the server made later, such as a link preview. */
  onEvents(events: readonly ServerEvent[]): void {
    this.#noteLinkifiers(events);
    const updates = events.filter(
      (event): event is EventOf<'update_message'> => event.type === 'update_message' && event.content !== undefined,
    );
    if (updates.length === 0) return;
    for (const {message_id: id} of updates) this.#requested.delete(id);
    this.#readUpdates(updates).catch((error: unknown) => this.#context.log('A rendering could not be read', error));
  }

  onRegistered(): void {
    this.#noteLinkifiers([]);
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

  /** Adds to messages what their names mean, as far as it is not known yet, and the setting for the user's own emoticons. */
  #rememberNames(messages: readonly Message[]): void {
    const {cache} = this.#context;
    const {self, settings} = cache.base;
    const found = messages.flatMap((message): FoundFacts[] => {
      const {id, content, senderId, facts: known} = message;
      if (known?.isRendered === true) return [];
      const names = nameFacts(cache.base, message, known, this.#formerNames).facts;
      const translates = settings.translateEmoticons === true && senderId === self.userId && emoticon.test(content);
      const facts = known?.emoticons || translates ? {...names, emoticons: true as const} : names;
      return facts === undefined || deepEqual(facts, known) ? [] : [{id, content, facts}];
    });
    if (found.length > 0) cache.apply({type: 'message_facts_found', found});
  }

  async #readUpdates(updates: readonly EventOf<'update_message'>[]): Promise<void> {
    const {cache, store} = this.#context;
    const {readRenderedFacts} = await import('#content/read-rendered-facts.ts');
    const found = updates.map(({message_id: id, content = '', rendered_content: html}): FoundFacts => {
      const names = nameFacts(cache.base, {content}).facts;
      return {
        id,
        content,
        facts: html === undefined ? (names ?? {}) : withSpellings(readRenderedFacts(html, content), names),
      };
    });
    cache.apply({type: 'message_facts_found', found});
    // The saved versions of messages that are not loaded have the new content already.
    const factsById = new Map(found.map((one) => [one.id, one]));
    const unloaded = found.filter(({id}) => !cache.base.messages.byId.has(id)).map(({id}) => id);
    const saved = store.messages.byIds(unloaded).flatMap((message): Message[] => {
      const {content, facts} = factsById.get(message.id) ?? {};
      return content === message.content ? [{...message, facts}] : [];
    });
    store.messages.save(saved);
  }

  /**
   * Remembers a change by these events, or by a registration: older messages keep the links that they were sent with, which
   * only their renderings say.
   */
  #noteLinkifiers(events: readonly ServerEvent[]): void {
    const {linkifiers, maxMessageId} = this.#context.cache.base;
    const before = this.#linkifiers;
    this.#linkifiers = linkifiers;
    if (before.length === 0 || deepEqual(before, linkifiers)) return;
    const later = events.slice(events.findLastIndex(({type}) => type === 'realm_linkifiers') + 1);
    const next = later.find((event) => event.type === 'message');
    const newestId = next === undefined ? maxMessageId : next.message.id - 1;
    this.#changedLinkifiers = {linkifiers: [...before, ...linkifiers], newestId};
  }

  /** Returns which messages may have links of other linkifiers than today's. */
  async #linkifierTest(): Promise<MessageTest> {
    const changed = this.#changedLinkifiers;
    if (changed === undefined) return () => false;
    const {compileLinkifier, findLinkifierMatches} = await import('#content/linkifier.ts');
    const compiled = changed.linkifiers.flatMap((linkifier) => compileLinkifier(linkifier) ?? []);
    return ({id, content}) =>
      id <= changed.newestId &&
      compiled.some((one) => content.includes(one.literal) && findLinkifierMatches(content, one).length > 0);
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
    this.#isFetching = true;
    let ids: readonly number[] = [];
    try {
      const [views, messages] = this.#missing(await this.#linkifierTest());
      if (messages.length === 0) return;
      ids = messages.map(({id}) => id);
      for (const id of ids) this.#requested.add(id);
      await this.#readRendered(await this.#request(views, ids), new Map(messages.map((one) => [one.id, one])));
      this.#failureCount = 0;
    } catch (error) {
      if (signal.aborted) return;
      for (const id of ids) this.#requested.delete(id);
      this.#failureCount += 1;
      log('The rendering of messages could not be fetched', error);
    } finally {
      this.#isFetching = false;
    }
    this.#scheduleFetch(retryMs[Math.min(this.#failureCount, retryMs.length - 1)] ?? fetchDelayMs);
  }

  /** Returns the views on screen that need a rendering and the messages to request, those of other open views last. */
  #missing(hasOtherLinks: MessageTest): readonly [readonly NearbyMessages[], readonly Message[]] {
    const nearby = this.#timelines.messagesNearViews(nearbyDistance);
    const {byId} = this.#context.cache.base.messages;
    const needed = (views: readonly NearbyMessages[]) =>
      views
        .flatMap(({ids}) => ids.flatMap((id) => byId.get(id) ?? []))
        .filter((message) => this.#needsRendering(message, hasOtherLinks));
    const views = nearby.filter(({isShown}) => isShown);
    const shown = needed(views);
    if (shown.length === 0) return [[], []];
    const others = needed(nearby.filter(({isShown}) => !isShown));
    return [views, [...new Set([...shown, ...others])].slice(0, maxFetched)];
  }

  #needsRendering(message: Message, hasOtherLinks: MessageTest): boolean {
    const {base} = this.#context.cache;
    const {id, content, facts} = message;
    if (facts?.isRendered === true || this.#requested.has(id)) return false;
    if (uploadedImage.test(content) || hasOtherLinks(message)) return true;
    const hasPreviews = this.#fetchesPreviews && base.realm.inlineUrlEmbedPreview === true;
    if (hasPreviews && /https?:\/\//.test(content)) return true;
    return !nameFacts(base, message, facts).areAllFound;
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
      const names = nameFacts(cache.base, message, message.facts).facts;
      return [{id, content, facts: withSpellings(readRenderedFacts(wire.content, content), names)}];
    });
    cache.apply({type: 'message_facts_found', found});
    const {base} = cache;
    const former = found.reduce((names, {facts}) => withFormerNames(base, names, facts), this.#formerNames);
    if (deepEqual(former, this.#formerNames)) return;
    this.#formerNames = former;
    this.#rememberNames([...base.messages.byId.values()]);
  }
}
