/** Narrows that servers do not know: joined narrows, dates, and `with:` on older servers. */

import type {Connection} from '#api/connection.ts';
import type {CallOptions} from '#api/connection-options.ts';
import type {ArgsOf, ResultOf} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';
import {levels} from '#wire/levels.ts';
import {
  type DateBounds,
  isWithinDates,
  type NarrowTerm,
  normalizeTerm,
  orParts,
  splitDateTerms,
  type WireNarrow,
} from '#wire/narrow.ts';
import {type FetchedMessage, noAnchor} from '#wire/objects/message.ts';
import {mapInParallel, maxParallelRequests, unlessRefused} from './adapted-call.ts';

export type MessageListArgs = ArgsOf<typeof endpoints.getMessages>;
export type MessagesResult = ResultOf<typeof endpoints.getMessages>;
type Fetch = (args: MessageListArgs, options: CallOptions) => Promise<MessagesResult>;

/**
 * Fetches messages of a narrow that may join several. No server knows `or`: each part is fetched, and the result is cut to
 * the range that all pages cover, so that no message between two of its messages is missing.
 */
export async function fetchJoined(args: MessageListArgs, options: CallOptions, fetch: Fetch): Promise<MessagesResult> {
  const parts = orParts(args.narrow ?? []);
  if (parts === undefined) return fetch(args, options);
  const fetchParts = (range: MessageListArgs) =>
    mapInParallel(parts, maxParallelRequests, (part) => fetch({...range, narrow: [...part]}, options));
  const pages = await fetchParts(args);
  if (args.anchor !== 'first_unread') return joinPages(args, pages);
  // The parts begin at the first unread message of any part.
  const anchors = pages.map(({anchor = noAnchor}) => anchor);
  const first = Math.min(...anchors);
  if (anchors.every((anchor) => anchor === first)) return joinPages(args, pages);
  const {anchor_date: _, ...range} = {...args, anchor: first};
  return {...joinPages(range, await fetchParts(range)), anchor: first};
}

function joinPages(args: MessageListArgs, pages: readonly MessagesResult[]): MessagesResult {
  const [first] = pages;
  if (first === undefined) throw new TypeError('A narrow joins at least one part');
  const reachesOldest = (page: MessagesResult) => page.found_oldest ?? page.messages.length === 0;
  const reachesNewest = (page: MessagesResult) => page.found_newest ?? page.messages.length === 0;
  // A page covers everything from its anchor on in the direction that was not asked for.
  const lows = pages.flatMap((page) =>
    (args.num_before ?? 0) === 0 || reachesOldest(page) ? [] : [page.messages[0]?.id ?? 0],
  );
  const highs = pages.flatMap((page) =>
    (args.num_after ?? 0) === 0 || reachesNewest(page) ? [] : [page.messages.at(-1)?.id ?? Number.POSITIVE_INFINITY],
  );
  const low = Math.max(0, ...lows);
  const high = Math.min(Number.POSITIVE_INFINITY, ...highs);
  const byId = new Map<number, FetchedMessage>();
  for (const message of pages.flatMap(({messages}) => messages)) {
    if (message.id >= low && message.id <= high) byId.set(message.id, {...byId.get(message.id), ...message});
  }
  return {
    ...first,
    messages: [...byId.values()].sort((a, b) => a.id - b.id),
    found_anchor: pages.some(({found_anchor}) => found_anchor === true),
    found_oldest: pages.every(reachesOldest),
    found_newest: pages.every(reachesNewest),
    history_limited: pages.some(({history_limited}) => history_limited === true),
  };
}

/**
 * Fetches messages of a narrow that may have date terms. No server knows these: the request starts at a date instead of an
 * end of the narrow, messages outside are left out, and a page that reaches a date has reached the end.
 */
export async function fetchWithinDates(
  args: MessageListArgs,
  options: CallOptions,
  fetch: Fetch,
): Promise<MessagesResult> {
  const {terms: narrow, bounds} = splitDateTerms(args.narrow ?? []);
  if (bounds === undefined) return fetch(args, options);
  const page = await fetch({...args, ...rangeWithin(args, bounds), narrow}, options);
  const messages = page.messages.filter(({timestamp}) => isWithinDates(bounds, timestamp));
  const isAnchorInside = messages.some(({id}) => id === page.anchor);
  return {
    ...page,
    messages,
    anchor: isAnchorInside ? page.anchor : undefined,
    found_oldest:
      page.found_oldest === true ||
      (args.anchor === 'oldest' && bounds.after !== undefined) ||
      page.messages.some(({timestamp}) => timestamp < (bounds.after ?? 0)),
    found_newest:
      page.found_newest === true ||
      (isAtNewest(args) && bounds.before !== undefined) ||
      page.messages.some(({timestamp}) => timestamp >= (bounds.before ?? Number.POSITIVE_INFINITY)),
  };
}

/** The first unread message of the narrow may be outside the dates, so the newest message inside takes its place. */
function isAtNewest({anchor}: MessageListArgs): boolean {
  return anchor === undefined || anchor === 'newest' || anchor === 'first_unread';
}

function rangeWithin(args: MessageListArgs, {after, before}: DateBounds): Partial<MessageListArgs> {
  const {anchor, num_before = 0, num_after = 0} = args;
  const size = num_before + num_after;
  if (isAtNewest(args)) {
    const start = before === undefined ? ({anchor: 'newest'} as const) : atDate(before);
    return {...start, num_before: size, num_after: 0};
  }
  if (anchor === 'oldest' && after !== undefined) return {...atDate(after), num_before: 0, num_after: size};
  return {};
}

function atDate(seconds: number): Pick<MessageListArgs, 'anchor' | 'anchor_date'> {
  return {anchor: 'date', anchor_date: new Date(seconds * 1000).toISOString()};
}

const conversationOperators = new Set(['channel', 'topic', 'dm']);

/** Replaces `with:` by the message's conversation, for servers below level 271, which do not support it. */
export async function resolveWithTerm(
  connection: Connection,
  narrow: WireNarrow | undefined,
  options: CallOptions,
): Promise<WireNarrow | undefined> {
  if (narrow === undefined || connection.level >= levels.withOperator) return narrow;
  const terms = narrow.map(normalizeTerm);
  const withTerm = terms.find(({operator}) => operator === 'with');
  if (withTerm === undefined) return narrow;
  const others = terms.filter(({operator}) => operator !== 'with');
  const otherTerms = others.filter(({operator}) => !conversationOperators.has(operator));
  const args = {message_id: Number(withTerm.operand), apply_markdown: false};
  const request = connection.call(endpoints.getMessage, args, options);
  // Without access to the message, the narrow may name a conversation anyway.
  const found = await (others.length > otherTerms.length ? unlessRefused(request) : request);
  return found === undefined ? others : [...otherTerms, ...conversationOf(found.message)];
}

function conversationOf(message: FetchedMessage): NarrowTerm[] {
  if (message.type === 'private') {
    return [{operator: 'dm', operand: message.display_recipient.map(({id}) => id)}];
  }
  return [
    {operator: 'channel', operand: message.stream_id},
    {operator: 'topic', operand: message.subject},
  ];
}
