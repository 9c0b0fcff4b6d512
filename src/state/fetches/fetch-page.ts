import {CancelledError} from '@tanstack/query-core';
import {withRetries} from '#api/retry.ts';
import type {LocalEvent, LocalEventOf, NarrowMatch, TimelinePage} from '#state/local-events.ts';
import {type Message, messageFromWire} from '#state/model/message.ts';
import {combinedFeedNarrow, type Narrow, narrowIs, narrowKey} from '#state/model/narrow.ts';
import {nameFacts} from '#state/selectors/names/find-by-name.ts';
import {firstUnreadId} from '#state/selectors/timeline.ts';
import type {SessionContext} from '#state/session-context.ts';
import type {LoggedEvent} from '#state/slices/event-log.ts';
import type {AccountState} from '#state/state.ts';
import type {ResultOf} from '#wire/endpoint.ts';
import type {Endpoints} from '#wire/endpoints.ts';
import {failureMessage, isApiFailure} from '#wire/failure.ts';
import {mapParts, type WireTerm} from '#wire/narrow.ts';
import {visibilityPolicies} from '#wire/objects/channel.ts';
import {type FetchedMessage, noAnchor} from '#wire/objects/message.ts';
import {type FetchKey, fetchPrefix} from './fetch-state.ts';
import type {GetMessagesArgs} from './open-timelines.ts';

/** Attempts before a failure is shown. */
const maxAttempts = 4;

/**
 * Runs a fetch as a query under its key: concurrent calls with the same key share one request, and `cancelFetches`
 * cancels it. `fetch-state.ts` reads from the query whether it runs or failed. The result is not kept, because only events
 * change the state.
 */
export async function fetchOnce<T>(
  {cache, signal: sessionSignal}: SessionContext,
  key: FetchKey,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const {result} = await cache.client.fetchQuery({
    queryKey: [fetchPrefix, ...key],
    queryFn: async ({signal}) => ({result: await run(AbortSignal.any([signal, sessionSignal]))}),
    staleTime: 0,
  });
  return result;
}

/** Cancels all running fetches whose key starts with these parts. */
export function cancelFetches({cache}: SessionContext, ...key: FetchKey): void {
  const queryKey = [fetchPrefix, ...key];
  void cache.client.cancelQueries({queryKey}, {silent: true, revert: false});
  // A query that was cancelled silently counts as fetching for ever, and would keep what its request refers to.
  cache.client.removeQueries({queryKey});
}

export function isFetchCancelled(error: unknown): boolean {
  return error instanceof CancelledError;
}

/** Runs a read-only request with a few retries when the response is late, lost or malformed, but not too large. */
export async function fetchWithRetries<T>(
  {clock, random}: SessionContext,
  signal: AbortSignal,
  send: () => Promise<T>,
): Promise<T> {
  const attempt = () => withRetries(send, {clock, random, signal, idempotent: true, limit: maxAttempts});
  try {
    return await attempt();
  } catch (error) {
    if (isApiFailure(error) && error.kind === 'malformed' && !error.isTooLarge) return attempt();
    throw error;
  }
}

export type GetMessagesResult = ResultOf<Endpoints['getMessages']>;

/** Requests Markdown source and the empty topic as such. */
const rawContentArgs = {apply_markdown: false, client_gravatar: true, allow_empty_topic_name: true} as const;

export interface PageRequest {
  readonly send: (signal: AbortSignal) => Promise<GetMessagesResult>;
  /** The timeline that the response extends, and how; undefined when the messages belong to no timeline. */
  readonly timeline?: {readonly narrow: Narrow; readonly joins: TimelinePage['joins']} | undefined;
  /** The message around which the page is requested, if known. */
  readonly anchor?: number | undefined;
}

/** Returns a request for messages of a narrow. */
export function messagesRequest(context: SessionContext, args: GetMessagesArgs): PageRequest['send'] {
  return (signal) => {
    const narrow = wireNarrow(args.narrow ?? [], context.cache.state.self.userId);
    return context.api.getMessages({...rawContentArgs, ...args, narrow}, {signal});
  };
}

export function singleMessageRequest(context: SessionContext, messageId: number): PageRequest['send'] {
  return async (signal) => {
    const args = {message_id: messageId, apply_markdown: false, allow_empty_topic_name: true};
    return {messages: [(await context.api.getMessage(args, {signal})).message]};
  };
}

/**
 * Fetches messages and applies them to the cache. While the request is in flight, events about messages are logged, so
 * that a response older than an event does not undo it.
 *
 * The request is repeated when a new registration happens meanwhile: no log covers the time between the two queues.
 */
export async function fetchPage(
  context: SessionContext,
  request: PageRequest,
  signal: AbortSignal,
): Promise<readonly Message[]> {
  // A refresh that fails leaves the view as it was.
  const timeline = request.timeline?.joins === 'refresh' ? undefined : request.timeline;
  for (;;) {
    signal.throwIfAborted();
    const queueId = context.queueId();
    context.cache.apply({type: 'fetch_started'}, ...(timeline === undefined ? [] : [timelineLoading(timeline)]));
    const since = context.cache.state.log.last;
    try {
      const response = await fetchWithRetries(context, signal, () => request.send(signal));
      signal.throwIfAborted();
      if (context.queueId() === queueId) return applyFetchedPage(context, request, response, since);
    } catch (error) {
      applyFetchFailed(context, signal.aborted ? undefined : timeline?.narrow, error);
      throw error;
    }
    applyFetchFailed(context, undefined, undefined);
  }
}

function applyFetchedPage(
  context: SessionContext,
  request: PageRequest,
  response: GetMessagesResult,
  since: LoggedEvent | undefined,
): readonly Message[] {
  const {cache, store} = context;
  const event = fetchedEvent(context, cache.state.self.userId, request, response, since);
  const shownBefore = event.page === undefined ? undefined : cache.base.timelines.get(narrowKey(event.page.narrow));
  cache.apply(event);
  const {byId} = cache.base.messages;
  store.messages.remove([...(shownBefore?.ids ?? [])].filter((id) => !byId.has(id)));
  return event.messages;
}

function fetchedEvent(
  context: SessionContext,
  selfId: number,
  {timeline, anchor}: PageRequest,
  response: GetMessagesResult,
  since: LoggedEvent | undefined,
): LocalEventOf<'messages_fetched'> {
  const {messages: fetched, unreadIds, matches} = messagesFromWire(response.messages, selfId);
  const messages = withKnownFacts(context, fetched);
  const page = timeline && {...timeline, ...pageEnds(response, anchor), matches};
  return {type: 'messages_fetched', messages, unreadIds, since, page};
}

/**
 * Fetches a page of a timeline for a state that is about to replace the current one, and returns the events
 * to commit together with that state, so that no frame shows the view empty. Call it when the new queue
 * exists and none of its events were read.
 */
export async function preparePage(
  context: SessionContext,
  {narrow, selfId}: {readonly narrow: Narrow; readonly selfId: number},
  request: PageRequest,
  signal: AbortSignal,
): Promise<() => readonly LocalEvent[]> {
  const response = await request.send(signal);
  return () => [
    {type: 'timeline_opened', narrow},
    {type: 'fetch_started'},
    fetchedEvent(context, selfId, request, response, context.cache.state.log.last),
  ];
}

function timelineLoading({narrow, joins}: NonNullable<PageRequest['timeline']>) {
  const loading = joins === 'older' || joins === 'newer' ? joins : 'first';
  return {type: 'timeline_loading', narrow, loading} as const;
}

/** Ends the fetch in the state, with the problem to show. */
function applyFetchFailed({cache, log}: SessionContext, narrow: Narrow | undefined, error: unknown): void {
  if (narrow !== undefined && !isApiFailure(error)) log('Fetched messages could not be applied', error);
  const problem = isApiFailure(error) ? failureMessage(error) : 'Parley could not read the messages.';
  cache.apply({type: 'fetch_failed', narrow, problem});
}

function pageEnds(response: GetMessagesResult, requestedAnchor: number | undefined) {
  const anchor = requestedAnchor ?? response.anchor;
  return {
    anchor: anchor === undefined || anchor >= noAnchor ? undefined : anchor,
    // A response without messages and flags reaches both ends.
    foundOldest: response.found_oldest ?? response.messages.length === 0,
    foundNewest: response.found_newest ?? response.messages.length === 0,
  };
}

/** Names the user in a conversation without others, as the server requires. */
export function wireNarrow(narrow: readonly WireTerm[], selfId: number): WireTerm[] {
  const withSelf = (term: WireTerm): WireTerm => {
    if (Array.isArray(term) || term.operator !== 'dm') return term;
    return Array.isArray(term.operand) && term.operand.length === 0 ? {...term, operand: [selfId]} : term;
  };
  return [...mapParts(narrow, (terms) => terms.map(withSelf))];
}

function messagesFromWire(wire: readonly FetchedMessage[], selfId: number) {
  const messages: Message[] = [];
  const unreadIds: number[] = [];
  const matches: NarrowMatch[] = [];
  for (const message of wire) {
    const flags = message.flags.filter((flag) => flag !== 'read');
    messages.push(messageFromWire(message, flags, selfId));
    if (flags.length === message.flags.length) unreadIds.push(message.id);
    const {match_content: content, match_subject: topic} = message;
    if (content !== undefined || topic !== undefined) {
      matches.push({id: message.id, content: content ?? '', topic: topic ?? ''});
    }
  }
  return {messages, unreadIds, matches};
}

// Without any of these, and without linkifiers, a message has no facts.
const reference = /[@#]_?\*|user_uploads\/|https?:/;

/**
 * Returns fetched messages with the facts that are known, so that they are not fetched again: of the loaded or saved
 * version with the same content, or else those of the names as they are now.
 */
function withKnownFacts({cache, store}: SessionContext, messages: readonly Message[]): readonly Message[] {
  const {byId} = cache.base.messages;
  const hasLinkifiers = cache.base.linkifiers.length > 0;
  const candidates = messages.filter(({content}) => hasLinkifiers || reference.test(content));
  if (candidates.length === 0) return messages;
  const unloaded = candidates.filter(({id}) => byId.get(id)?.facts === undefined);
  const saved = new Map(store.messages.byIds(unloaded.map(({id}) => id)).map((message) => [message.id, message]));
  return messages.map((message) => {
    const versions = [byId.get(message.id), saved.get(message.id)];
    const known = versions.find((version) => version?.facts !== undefined && version.content === message.content);
    const facts = known?.facts ?? nameFacts(cache.base, message).facts;
    return facts === undefined ? message : {...message, facts};
  });
}

type SendGetMessages = (args: GetMessagesArgs) => Promise<GetMessagesResult>;

/** Mentions are few, so they are fetched in small pages that grow. */
const firstMentionPage = 20;
/** The most messages that a request returns. */
export const maxPageSize = 1000;

/**
 * Returns a request for a page of the combined feed. The server leaves out everything in muted topics and channels, but
 * includes messages of muted users; the feed shows mentions everywhere and nothing else of muted users. So mentions are
 * fetched in addition, and a page without visible messages is extended. Without muting it is a single request.
 */
export function combinedFeedRequest(
  context: SessionContext,
  args: GetMessagesArgs,
  state: AccountState,
): PageRequest['send'] {
  return async (signal) => {
    const sendFeed: SendGetMessages = (pageArgs) =>
      messagesRequest(context, {...pageArgs, narrow: [...combinedFeedNarrow]})(signal);
    const sendMentions: SendGetMessages = (pageArgs) =>
      messagesRequest(context, {...pageArgs, narrow: narrowIs('mentioned').slice()})(signal);
    const page = await pageWithUnmuted(state, sendFeed, withUnreadAnchor(state, args));
    return hasMutedConversations(state) ? withMentions(page, await mentionsIn(page, sendMentions)) : page;
  };
}

/** Starts at the first unread message, which may be a mention that the server's `first_unread` ignores. */
function withUnreadAnchor(state: AccountState, args: GetMessagesArgs): GetMessagesArgs {
  if (args.anchor !== 'first_unread' || state.unreads.oldMissing) return args;
  return {...args, anchor: firstUnreadId(state, combinedFeedNarrow) ?? args.anchor};
}

function hasMutedConversations({userTopics, subscriptions}: AccountState): boolean {
  for (const {policy} of userTopics.values()) if (policy === visibilityPolicies.muted) return true;
  for (const {isMuted} of subscriptions.values()) if (isMuted) return true;
  return false;
}

async function pageWithUnmuted(
  state: AccountState,
  send: SendGetMessages,
  args: GetMessagesArgs,
): Promise<GetMessagesResult> {
  const isVisible = ({sender_id, flags}: FetchedMessage) =>
    !state.mutedUsers.has(sender_id) || flags.includes('mentioned');
  let page = await send(args);
  while (!page.messages.some(isVisible)) {
    const first = page.messages[0]?.id;
    const last = page.messages.at(-1)?.id;
    if (first === undefined || last === undefined) break;
    if ((args.num_before ?? 0) > 0 && page.found_oldest === false) {
      const older = await send(argsBeyond(first, {num_before: maxPageSize, num_after: 0}));
      page = {
        ...page,
        messages: [...older.messages, ...page.messages],
        found_oldest: isEnd(older, 'found_oldest'),
      };
    } else if ((args.num_after ?? 0) > 0 && page.found_newest === false) {
      const newer = await send(argsBeyond(last, {num_before: 0, num_after: maxPageSize}));
      page = {
        ...page,
        messages: [...page.messages, ...newer.messages],
        found_newest: isEnd(newer, 'found_newest'),
      };
    } else break;
  }
  return page;
}

function argsBeyond(anchor: number, counts: Pick<GetMessagesArgs, 'num_before' | 'num_after'>): GetMessagesArgs {
  return {anchor, include_anchor: false, ...counts};
}

function isEnd(response: GetMessagesResult, end: 'found_oldest' | 'found_newest'): boolean {
  return response.messages.length === 0 || response[end] !== false;
}

/**
 * Fetches all mentions between the first and the last message of a page, or beyond them where the page reaches an end.
 */
async function mentionsIn(page: GetMessagesResult, send: SendGetMessages): Promise<readonly FetchedMessage[]> {
  const {messages} = page;
  const low = page.found_oldest === true ? 0 : messages[0]?.id;
  const high = page.found_newest === true ? ('newest' as const) : messages.at(-1)?.id;
  if (low === undefined || high === undefined) return [];
  const found: FetchedMessage[] = [];
  let args: GetMessagesArgs = {anchor: high, num_before: firstMentionPage, num_after: 0};
  for (;;) {
    const response = await send(args);
    const first = response.messages[0]?.id;
    found.push(...response.messages.filter(({id}) => id >= low));
    if (first === undefined || first <= low || isEnd(response, 'found_oldest')) return found;
    args = argsBeyond(first, {num_before: Math.min(found.length * 2, maxPageSize), num_after: 0});
  }
}

function withMentions(page: GetMessagesResult, mentions: readonly FetchedMessage[]): GetMessagesResult {
  const byId = new Map([...page.messages, ...mentions].map((message) => [message.id, message]));
  return {...page, messages: [...byId.values()].sort((a, b) => a.id - b.id)};
}
