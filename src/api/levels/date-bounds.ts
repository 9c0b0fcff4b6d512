import type {CallOptions} from '#api/connection-options.ts';
import type {ArgsOf, ResultOf} from '#wire/endpoint.ts';
import type {endpoints} from '#wire/endpoints.ts';
import {type DateBounds, isWithinDates, splitDateTerms} from '#wire/narrow.ts';

type MessageListArgs = ArgsOf<typeof endpoints.getMessages>;
type MessagesResult = ResultOf<typeof endpoints.getMessages>;

/**
 * Fetches messages of a narrow that may have date terms. No server knows these: the request starts at a date instead of an
 * end of the narrow, messages outside are left out, and a page that reaches a date has reached the end.
 */
export async function fetchWithinDates(
  args: MessageListArgs,
  options: CallOptions,
  fetch: (args: MessageListArgs, options: CallOptions) => Promise<MessagesResult>,
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
