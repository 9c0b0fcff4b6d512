import type {ReadContext} from '#server/context.ts';
import {firstMessageIdSince} from '#server/db/messages.ts';
import type {UserRow} from '#server/db/rows.ts';
import {badRequest} from '#server/http/errors.ts';
import type {WireNarrow} from '#wire/narrow.ts';
import {noAnchor} from '#wire/objects/message.ts';
import {compileNarrow} from './compile.ts';
import type {MessageIdStream} from './message-id-stream.ts';
import type {TextSearch} from './search-stream.ts';

/** The message around which a page is fetched: an id, a named position, or the first message since a time. */
export type Anchor = number | 'newest' | 'oldest' | 'first_unread' | {readonly since: number};

/** A page of a narrow: an anchor and the number of messages before and after it. */
export interface MessageRange {
  readonly anchor: Anchor;
  readonly includeAnchor: boolean;
  readonly before: number;
  readonly after: number;
}

export interface MessageRangeResult {
  /** Ascending. */
  readonly ids: number[];
  readonly anchor: number;
  readonly foundAnchor: boolean;
  readonly foundOldest: boolean;
  readonly foundNewest: boolean;
}

/** Returns the ids of a narrow's messages around an anchor. */
export function findMessageRange(
  act: ReadContext,
  viewer: UserRow,
  narrow: WireNarrow,
  range: MessageRange,
): MessageRangeResult & {searches: readonly TextSearch[]} {
  if (!range.includeAnchor && range.before > 0 && range.after > 0) {
    throw badRequest('The anchor can only be excluded at an end of the range');
  }
  const {messageIds, searches} = compileNarrow(act, viewer, narrow);
  const anchor = anchorId(act, viewer, narrow, messageIds, range.anchor);
  return {...rangeAround(messageIds, anchor, range), searches};
}

function anchorId(
  act: ReadContext,
  viewer: UserRow,
  narrow: WireNarrow,
  stream: MessageIdStream,
  anchor: Anchor,
): number {
  if (typeof anchor === 'number') return Math.min(Math.max(anchor, 0), noAnchor);
  if (anchor === 'newest') return noAnchor;
  if (anchor === 'oldest') return 0;
  if (anchor === 'first_unread') {
    const unread = compileNarrow(act, viewer, narrow, {forFirstUnread: true}).messageIds;
    return unread.idsBeyond(0, 'newer', 1)[0] ?? noAnchor;
  }
  // After the last message, its own id: the page then has an anchor.
  const since = firstMessageIdSince(act.server.db, anchor.since);
  return stream.idsBeyond(since - 1, 'newer', 1)[0] ?? stream.idsBeyond(since, 'older', 1)[0] ?? noAnchor;
}

/** Finds the end of the narrow when it has fewer messages than requested, as Zulip's servers do. */
function rangeAround(
  stream: MessageIdStream,
  anchor: number,
  {before, after, includeAnchor}: MessageRange,
): MessageRangeResult {
  const atOldest = anchor <= 0;
  const atNewest = anchor >= noAnchor;
  const wantOlder = before > 0 && !atOldest;
  const wantNewer = after > 0 && !atNewest;
  const wantAnchor = includeAnchor && !atNewest;
  const newer = stream.idsBeyond(
    wantAnchor ? anchor - 1 : anchor,
    'newer',
    (wantNewer ? after : 0) + (wantAnchor ? 1 : 0),
  );
  const older = wantOlder ? stream.idsBeyond(anchor, 'older', before) : [];
  const foundAnchor = wantAnchor && newer[0] === anchor;
  const newerIds = foundAnchor ? newer.slice(1) : newer;
  return {
    ids: [...older.reverse(), ...(foundAnchor ? [anchor] : []), ...(wantNewer ? newerIds.slice(0, after) : [])],
    anchor,
    foundAnchor,
    foundOldest: atOldest || (wantOlder && older.length < before),
    foundNewest: atNewest || (wantNewer && newerIds.length < after),
  };
}
