import type {Connection} from '#api/connection.ts';
import type {CallOptions} from '#api/connection-options.ts';
import {invalidCallFailure} from '#api/failure.ts';
import {endpoints} from '#wire/endpoints.ts';
import type {WireNarrow} from '#wire/narrow.ts';
import type {FetchedMessage} from '#wire/objects/message.ts';

/**
 * Finds the first message of a narrow at or after a date, for servers below level 445, which cannot search by date. It is a
 * binary search over message ids, at most about thirty small requests. Ids and times ascend together.
 */
export async function anchorAtDate(
  connection: Connection,
  narrow: WireNarrow,
  date: string | undefined,
  options: CallOptions,
): Promise<number | 'newest'> {
  const seconds = secondsOf(date);
  const peek = async (anchor: number | 'oldest' | 'newest'): Promise<FetchedMessage | undefined> => {
    const sides = anchor === 'newest' ? {num_before: 1, num_after: 0} : {num_before: 0, num_after: 1};
    const args = {anchor, ...sides, narrow, apply_markdown: false};
    const {messages} = await connection.call(endpoints.getMessages, args, options);
    return anchor === 'newest' ? messages.at(-1) : messages[0];
  };
  const newest = await peek('newest');
  if (newest === undefined || newest.timestamp < seconds) return 'newest';
  const oldest = await peek('oldest');
  if (oldest === undefined || oldest.timestamp >= seconds) return oldest?.id ?? newest.id;
  // Messages at or below `low` are too early; the first message from `high` on is `found`.
  let low = oldest.id;
  let high = newest.id;
  let firstId = newest.id;
  while (high - low > 1) {
    const middle = low + Math.floor((high - low) / 2);
    const next = await peek(middle);
    if (next !== undefined && next.timestamp < seconds) {
      low = next.id;
    } else {
      high = middle;
      firstId = next?.id ?? firstId;
    }
  }
  return firstId;
}

/** Parses a date. The default time is midnight, the default zone UTC. */
function secondsOf(date = ''): number {
  const typed = date.trim();
  const zoned = /[Tt ]/.test(typed) && !/(?:[Zz]|[+-]\d{2}:?\d{2})$/.test(typed) ? `${typed}Z` : typed;
  const milliseconds = Date.parse(zoned);
  if (Number.isNaN(milliseconds)) throw invalidCallFailure('message.list', `"${typed}" is not a date.`);
  return Math.ceil(milliseconds / 1000);
}
