import type {CallOptions} from '#api/connection-options.ts';
import {mapInParallel} from '#api/parallel.ts';
import type {ArgsOf, ResultOf} from '#wire/endpoint.ts';
import type {endpoints} from '#wire/endpoints.ts';
import {orParts} from '#wire/narrow.ts';
import {type FetchedMessage, noAnchor} from '#wire/objects/message.ts';
import {maxParallelRequests} from './adapted-call.ts';

type MessageListArgs = ArgsOf<typeof endpoints.getMessages>;
type MessagesResult = ResultOf<typeof endpoints.getMessages>;
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
  const [low, high] = [Math.max(0, ...lows), Math.min(Number.POSITIVE_INFINITY, ...highs)];
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
