import type {ReadContext} from '#server/context.ts';
import type {Database} from '#server/db/database.ts';
import {firstMessageIdSince, nextMessageId} from '#server/db/messages.ts';
import {Flag, Trait, type UserRow} from '#server/db/rows.ts';
import {flagsSql, unreadInRangeSql} from '#server/db/unread-messages.ts';
import {badRequest} from '#server/errors.ts';
import type {WireNarrow} from '#wire/narrow.ts';
import {noAnchor} from '#wire/objects/message.ts';
import {
  allConditions,
  approximateScopeSql,
  emptyStream,
  filteredStream,
  type MessageCandidate,
  type MessageIdStream,
  matchEverything,
  mergedStream,
  orderedReader,
  rawSql,
  type ScanIndex,
  type Sql,
  scopeParts,
  scopePredicate,
  sql,
  sqlForUser,
  unionStream,
} from './message-streams.ts';
import {type NarrowOptions, type NarrowScope, scopeOfTerms} from './narrow-scope.ts';
import {phraseFilter, searchStream, type TextSearch} from './search-stream.ts';
import {type HasOperand, type IsOperand, parseNarrowTerms, type ResolvedTerm} from './terms.ts';

/** The parsed terms of a narrow and the scope in which its messages are looked up. */
interface NarrowPlan {
  readonly db: Database;
  readonly viewer: UserRow;
  readonly terms: readonly ResolvedTerm[];
  readonly scope: NarrowScope;
}

const unreadTerm: ResolvedTerm = {kind: 'is', what: 'unread', negated: false};

/**
 * Returns the messages of a narrow that `viewer` may read as an ordered stream of ids, and what its search terms look for.
 * Throws BAD_NARROW.
 */
export function compileNarrow(act: ReadContext, viewer: UserRow, narrow: WireNarrow, options: NarrowOptions = {}) {
  const ownTerms = parseNarrowTerms(act, viewer, narrow);
  const scope = scopeOfTerms(act, viewer, ownTerms, options);
  const terms = options.forFirstUnread === true ? [...ownTerms, unreadTerm] : ownTerms;
  if (terms.some(isSearch)) act.server.deferredWork.completeForSearch(act.server.db);
  const searches = terms.flatMap((term) => (term.kind === 'search' && term.search !== undefined ? [term.search] : []));
  return {messageIds: streamOf({db: act.server.db, viewer, terms, scope}, options.amongIds), searches};
}

/** Picks the shortest ordered list that contains all matches, and filters it by the remaining terms. */
function streamOf(plan: NarrowPlan, amongIds: readonly number[] | undefined): MessageIdStream {
  const {scope, terms} = plan;
  if (scope.channels.length === 0 && scope.dmIds.length === 0) return emptyStream;
  if (terms.some((term) => term.kind === 'search' && term.search === undefined)) {
    return emptyStream;
  }
  const idTerm = terms.find(({kind, negated}) => kind === 'id' && !negated);
  const listedIds = amongIds ?? (idTerm?.kind === 'id' ? [idTerm.id] : undefined);
  if (listedIds !== undefined) {
    const from = sql`message AS m WHERE m.id IN (SELECT value FROM json_each(${JSON.stringify(listedIds)}))`;
    return drivenStream(plan, from, 'm.id', filterFor(plan));
  }
  return searchedStream(plan) ?? flaggedStream(plan) ?? mentionsStream(plan) ?? unreadStream(plan) ?? scopeStream(plan);
}

/** Returns the condition of all terms but those that the chosen list already guarantees. */
function filterFor({terms, viewer}: NarrowPlan, ...handledTerms: readonly (ResolvedTerm | undefined)[]): Sql {
  const remaining = terms.filter((term) => !handledTerms.includes(term));
  return allConditions(remaining.flatMap((term) => termFilter(term, viewer) ?? []));
}

const columns = 'm.id, m.channel_id, m.dm_id, m.topic_key';

/** Returns a stream that reads the rows of `from` in the order of `column`. */
function drivenStream(plan: NarrowPlan, from: Sql, column: string, filter: Sql): MessageIdStream {
  const query = sql`SELECT ${rawSql(columns)} FROM ${from} AND in_time() AND ${filter}`;
  const prefiltered = sql`${query} AND ${approximateScopeSql(plan.scope)}`;
  return filteredStream(
    orderedReader(plan.db, {...query, column}),
    scopePredicate(plan.scope),
    orderedReader(plan.db, {...prefiltered, column}),
  );
}

function searchedStream(plan: NarrowPlan): MessageIdStream | undefined {
  const searches = plan.terms.filter(isSearch);
  if (searches.length === 0) return undefined;
  const expression = searches.map(({search}) => `(${search?.expression})`).join(' AND ');
  return searchStream({
    db: plan.db,
    viewerId: plan.viewer.id,
    expression,
    scope: plan.scope,
    filter: allConditions([filterFor(plan, ...searches), ...searches.map(({search}) => phraseFilter(search))]),
    since: oldestPossibleId(plan),
  });
}

/** Returns the oldest message that a search can match: with `is:unread`, the oldest unread one. */
function oldestPossibleId(plan: NarrowPlan): number {
  if (!plan.terms.some(isUnread)) return 0;
  return allUnread(plan, matchEverything).idsBeyond(0, 'newer', 1)[0] ?? noAnchor;
}

function isUnread(term: ResolvedTerm): boolean {
  return term.kind === 'is' && term.what === 'unread' && !term.negated;
}

function isSearch(term: ResolvedTerm): term is ResolvedTerm & {kind: 'search'} {
  return term.kind === 'search';
}

/** The mention bits and the alert word bit, as in the condition of the index `user_message_noticed`. */
const noticedBits = 248;

/** Returns a stream over one of the indexes of starred, mentioned and alerted messages, which are few. */
function flaggedStream(plan: NarrowPlan): MessageIdStream | undefined {
  const term = plan.terms.find(
    (each) => each.kind === 'is' && !each.negated && !isUnread(each) && each.what in flagBits,
  );
  const bits = term?.kind === 'is' ? flagBits[term.what] : undefined;
  if (bits === undefined) return undefined;
  const starred = bits === Flag.starred;
  const index = rawSql(starred ? 'user_message_starred' : 'user_message_noticed');
  const from = sql`user_message AS um INDEXED BY ${index} CROSS JOIN message AS m ON m.id = um.message_id
    WHERE um.user_id = ${plan.viewer.id} AND um.flags & ${rawSql(String(starred ? Flag.starred : noticedBits))}
    AND (um.flags & ${bits}) <> 0`;
  return drivenStream(plan, from, 'um.message_id', filterFor(plan, term));
}

function mentionsStream(plan: NarrowPlan): MessageIdStream | undefined {
  const term = plan.terms.find(({kind, negated}) => kind === 'mentions' && !negated);
  if (term?.kind !== 'mentions') return undefined;
  const from = sql`message_mention AS mm CROSS JOIN message AS m ON m.id = mm.message_id
    WHERE mm.user_id = ${term.userId}`;
  return drivenStream(plan, from, 'mm.message_id', filterFor(plan, term));
}

/** Up to this many messages of a conversation are tested one by one for being unread. */
const smallConversation = 3000;

/** Returns a stream over the viewer's unread messages, unless the scope is one conversation with fewer messages. */
function unreadStream(plan: NarrowPlan): MessageIdStream | undefined {
  const term = plan.terms.find(isUnread);
  if (term === undefined) return undefined;
  const {channels, dmIds} = plan.scope;
  if (channels.length + dmIds.length === 1) {
    const all = mergedStream(scopeParts(plan.db, plan.scope, {by: 'all'}, matchEverything));
    if (all.idsBeyond(0, 'newer', smallConversation).length < smallConversation) return undefined;
  }
  return allUnread(plan, filterFor(plan, term));
}

/** Returns a stream over the viewer's unread messages in the scope: those with a row and those without. */
function allUnread(plan: NarrowPlan, filter: Sql): MessageIdStream {
  const from = sql`user_message AS um CROSS JOIN message AS m ON m.id = um.message_id
    WHERE um.user_id = ${plan.viewer.id} AND um.flags & ${rawSql(String(Flag.unread))}`;
  const withoutRow = sql`${filter} AND ${sqlForUser(unreadInRangeSql, plan.viewer.id)}`;
  return unionStream(
    drivenStream(plan, from, 'um.message_id', filter),
    mergedStream(scopeParts(plan.db, unreadRanges(plan), {by: 'all'}, withoutRow)),
  );
}

/** Returns the part of the scope in which messages without a row can be unread. */
function unreadRanges({db, viewer, scope}: NarrowPlan): NarrowScope {
  const sql = `SELECT channel_id, unread_since FROM subscription AS s WHERE user_id = ? AND active = 1 AND EXISTS (
       SELECT 1 FROM message AS m INDEXED BY message_by_channel WHERE m.channel_id = s.channel_id AND m.id >= s.unread_since
     )`;
  const rows = db.all<{channel_id: number; unread_since: number}>(sql, viewer.id);
  const starts = new Map(rows.map((row) => [row.channel_id, row.unread_since]));
  const channels = scope.channels.flatMap((span) => {
    const start = starts.get(span.channelId);
    return start === undefined || start >= span.until ? [] : [{...span, since: Math.max(span.since, start)}];
  });
  return {channels, dmIds: []};
}

/**
 * Returns a stream that merges the conversations of the scope, each read through the index that fits the terms best.
 */
function scopeStream(plan: NarrowPlan): MessageIdStream {
  const sender = plan.terms.find(({kind, negated}) => kind === 'sender' && !negated);
  const has = plan.terms.find((term) => !term.negated && traitBitsOf(term) !== undefined);
  const bits = has === undefined ? undefined : traitBitsOf(has);
  let scanIndex: ScanIndex = {by: 'all'};
  if (bits !== undefined) scanIndex = {by: 'extras', bits};
  else if (sender?.kind === 'sender') scanIndex = {by: 'sender', senderId: sender.userId};
  const filter = filterFor(plan, bits === undefined ? sender : has);
  const parts = scopeParts(plan.db, plan.scope, scanIndex, filter);
  const exact = mergedStream(parts);
  return scanIndex.by === 'all' && parts.count > manyParts ? nearbyFirst(plan, filter, exact) : exact;
}

/** With more parts than this, most messages near the bound are likely to be in one of them. */
const manyParts = 300;
const nearbyIds = 3000;

/** Reads the ids near the bound first, which needs no look-up per part; then reads part by part. */
function nearbyFirst({db, scope}: NarrowPlan, filter: Sql, exact: MessageIdStream): MessageIdStream {
  const accepts = scopePredicate(scope);
  const select = `SELECT ${columns} FROM message AS m WHERE ${filter.text}`;
  const older = `${select} AND m.id < ? AND m.id >= ? ORDER BY m.id DESC LIMIT ?`;
  const newer = `${select} AND m.id > ? AND m.id <= ? ORDER BY m.id LIMIT ?`;
  return {
    idsBeyond(bound, direction, limit) {
      const isOlder = direction === 'older';
      const start = isOlder ? Math.min(bound, nextMessageId(db)) : bound;
      const edge = isOlder ? start - nearbyIds : start + nearbyIds;
      const near = filteredStream(
        (from, _, chunk) => db.all<MessageCandidate>(isOlder ? older : newer, ...filter.values, from, edge, chunk),
        accepts,
      );
      const ids = near.idsBeyond(start, direction, limit);
      if (ids.length === limit) return ids;
      return [...ids, ...exact.idsBeyond(edge, direction, limit - ids.length)];
    },
  };
}

const flagBits: Partial<Record<IsOperand, number>> = {
  starred: Flag.starred,
  unread: Flag.unread,
  mentioned: Flag.mentioned | Flag.channelWildcard | Flag.topicWildcard,
  alerted: Flag.alertWord,
};

const traitBits: Partial<Record<HasOperand, number>> = {
  link: Trait.link,
  image: Trait.image,
  attachment: Trait.attachment,
};

/** Returns the bits of `message.traits` that a term tests. */
function traitBitsOf(term: ResolvedTerm): number | undefined {
  return term.kind === 'has' ? traitBits[term.what] : undefined;
}

/** Returns a term as a condition on the message `m`; undefined for terms that only limit the scope. */
function termFilter(term: ResolvedTerm, viewer: UserRow): Sql | undefined {
  const condition = unnegatedFilter(term, viewer);
  if (condition === undefined) return undefined;
  return term.negated ? sql`NOT ${condition}` : condition;
}

function unnegatedFilter(term: ResolvedTerm, viewer: UserRow): Sql | undefined {
  switch (term.kind) {
    case 'sender':
      return sql`m.sender_id = ${term.userId}`;
    case 'id':
      return sql`m.id = ${term.id}`;
    case 'mentions':
      return sql`EXISTS (SELECT 1 FROM message_mention WHERE user_id = ${term.userId} AND message_id = m.id)`;
    case 'search':
      // Reached only for a list of given ids; every other list is made from the index.
      return sql`EXISTS (SELECT 1 FROM message_fts WHERE message_fts MATCH ${term.search?.expression ?? ''}
        AND rowid = m.id) AND ${phraseFilter(term.search)}`;
    case 'has':
      if (term.what === 'reaction') return sql`EXISTS (SELECT 1 FROM reaction WHERE message_id = m.id)`;
      return sql`(m.traits & ${traitBits[term.what] ?? 0}) <> 0`;
    case 'is':
      return isFilter(term.what, viewer);
    default:
      return undefined;
  }
}

function isFilter(what: IsOperand, viewer: UserRow): Sql | undefined {
  if (what === 'resolved') return rawSql(`substr(m.topic_key, 1, 2) = '✔ '`);
  const bits = flagBits[what];
  if (bits === undefined) return undefined;
  return sql`(${sqlForUser(flagsSql, viewer.id)} & ${bits}) <> 0`;
}

/** The message around which a page is fetched: an id, a named position, or the first message since a time. */
export type Anchor = number | 'newest' | 'oldest' | 'first_unread' | {readonly since: number};

/** A page of a narrow: an anchor and the number of messages before and after it. */
export interface MessageRange {
  readonly anchor: Anchor;
  readonly includeAnchor: boolean;
  readonly before: number;
  readonly after: number;
}

interface MessageRangeResult {
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
  // Without any other message the anchor is returned even if it was to be left out, as on Zulip's servers.
  const wantAnchor = (includeAnchor || (!wantOlder && !wantNewer)) && !atNewest;
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
