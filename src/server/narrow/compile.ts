import type {ReadContext} from '#server/context.ts';
import type {Database} from '#server/db/database.ts';
import {nextMessageId} from '#server/db/messages.ts';
import {Flag, type UserRow} from '#server/db/rows.ts';
import type {WireNarrow} from '#wire/narrow.ts';
import {noAnchor} from '#wire/objects/message.ts';
import {
  emptyStream,
  filteredStream,
  type MessageCandidate,
  type MessageIdStream,
  mergedStream,
  orderedReader,
} from './message-id-stream.ts';
import {approximateScopeSql, type NarrowScope, scopePredicate} from './narrow-scope.ts';
import {scopeOfTerms} from './scope-of-terms.ts';
import {matchEverything, type ScanIndex, scopeParts} from './scope-parts.ts';
import {searchStream} from './search-stream.ts';
import {allConditions, rawSql, type Sql, sql} from './sql-fragment.ts';
import {flagBitsOf, termFilter, traitBitsOf} from './term-filters.ts';
import {parseNarrowTerms, type ResolvedTerm} from './terms.ts';

export interface CompiledNarrow {
  readonly messageIds: MessageIdStream;
  /** FTS5 expressions of the search terms, for highlighting. */
  readonly searches: readonly string[];
}

interface NarrowPlan {
  readonly db: Database;
  readonly viewer: UserRow;
  readonly terms: readonly ResolvedTerm[];
  readonly places: NarrowScope;
}

export interface NarrowOptions {
  /** Only these messages, received or not, as far as they are readable. */
  readonly amongIds?: readonly number[];
  /** Terms of the server's own, which say nothing of where to look. */
  readonly extraTerms?: readonly ResolvedTerm[];
}

/** The messages of a narrow that `viewer` may read, as an ordered stream. Throws BAD_NARROW. */
export function compileNarrow(
  act: ReadContext,
  viewer: UserRow,
  narrow: WireNarrow,
  {amongIds: among, extraTerms: also = []}: NarrowOptions = {},
): CompiledNarrow {
  const written = parseNarrowTerms(act, viewer, narrow);
  const places = scopeOfTerms(act, viewer, written, among);
  const terms = [...written, ...also];
  const searches = terms.flatMap((term) =>
    term.kind === 'search' && !term.negated && term.expression !== undefined ? [term.expression] : [],
  );
  return {messageIds: streamOf({db: act.server.db, viewer, terms, places}, among), searches};
}

/** Picks the shortest ordered list that holds all matches, and tests what is on it by the remaining terms. */
function streamOf(plan: NarrowPlan, among: readonly number[] | undefined): MessageIdStream {
  const {places, terms} = plan;
  if (places.channels.length === 0 && places.dmIds.length === 0) return emptyStream;
  if (terms.some((term) => term.kind === 'search' && !term.negated && term.expression === undefined)) {
    return emptyStream;
  }
  const listed = among ?? listedId(terms);
  if (listed !== undefined) return amongStream(plan, listed);
  return found(plan) ?? flagged(plan) ?? mentioning(plan) ?? unread(plan) ?? placed(plan);
}

function listedId(terms: readonly ResolvedTerm[]): number[] | undefined {
  const term = terms.find(({kind, negated}) => kind === 'id' && !negated);
  return term?.kind === 'id' ? [term.id] : undefined;
}

function filterFor({terms, viewer}: NarrowPlan, ...settled: readonly (ResolvedTerm | undefined)[]): Sql {
  const open = terms.filter((term) => !settled.includes(term));
  return allConditions(open.flatMap((term) => termFilter(term, viewer) ?? []));
}

const columns = 'm.id, m.channel_id, m.dm_id, m.topic_key';

function drivenStream(plan: NarrowPlan, from: Sql, column: string, filter: Sql): MessageIdStream {
  const query = sql`SELECT ${rawSql(columns)} FROM ${from} AND ${filter}`;
  const sparse = sql`${query} AND ${approximateScopeSql(plan.places)}`;
  return filteredStream(
    orderedReader(plan.db, {...query, column}),
    scopePredicate(plan.places),
    orderedReader(plan.db, {...sparse, column}),
  );
}

function amongStream(plan: NarrowPlan, ids: readonly number[]): MessageIdStream {
  const from = sql`message AS m WHERE m.id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`;
  return drivenStream(plan, from, 'm.id', filterFor(plan));
}

function found(plan: NarrowPlan): MessageIdStream | undefined {
  const searches = plan.terms.filter(isSearch);
  if (searches.length === 0) return undefined;
  const expression = searches.map((term) => `(${term.expression})`).join(' AND ');
  return searchStream({
    db: plan.db,
    viewerId: plan.viewer.id,
    expression,
    places: plan.places,
    filter: filterFor(plan, ...searches),
    since: earliest(plan),
  });
}

/** Before the oldest unread message nothing is unread: a search among unread messages need not look there. */
function earliest({db, viewer, terms}: NarrowPlan): number {
  if (!terms.some(isUnread)) return 0;
  const sql = `SELECT message_id FROM user_message WHERE user_id = ? AND flags & ${Flag.unread}
    ORDER BY message_id LIMIT 1`;
  return db.value(sql, viewer.id) ?? noAnchor;
}

function isUnread(term: ResolvedTerm): boolean {
  return term.kind === 'is' && term.what === 'unread' && !term.negated;
}

function isSearch(term: ResolvedTerm): term is ResolvedTerm & {kind: 'search'} {
  return term.kind === 'search' && !term.negated;
}

const noticedBits = 248;

/** Starred, mentioned and alerted messages are few and have indexes of their own. */
function flagged(plan: NarrowPlan): MessageIdStream | undefined {
  const term = plan.terms.find(({kind, negated, ...rest}) => {
    if (negated || kind !== 'is' || !('what' in rest)) return false;
    return rest.what === 'starred' || rest.what === 'mentioned' || rest.what === 'alerted';
  });
  const bits = term === undefined ? undefined : flagBitsOf(term);
  if (bits === undefined) return undefined;
  const starred = bits === Flag.starred;
  const index = rawSql(starred ? 'user_message_starred' : 'user_message_noticed');
  const from = sql`user_message AS um INDEXED BY ${index} CROSS JOIN message AS m ON m.id = um.message_id
    WHERE um.user_id = ${plan.viewer.id} AND um.flags & ${rawSql(String(starred ? Flag.starred : noticedBits))}
    AND (um.flags & ${bits}) <> 0`;
  return drivenStream(plan, from, 'um.message_id', filterFor(plan, term));
}

function mentioning(plan: NarrowPlan): MessageIdStream | undefined {
  const term = plan.terms.find(({kind, negated}) => kind === 'mentions' && !negated);
  if (term?.kind !== 'mentions') return undefined;
  const from = sql`message_mention AS mm CROSS JOIN message AS m ON m.id = mm.message_id
    WHERE mm.user_id = ${term.userId}`;
  return drivenStream(plan, from, 'mm.message_id', filterFor(plan, term));
}

/** Up to this many messages are tested one by one for being unread. */
const smallPlace = 3000;

/** The unread list, unless the narrow is about one place with so few messages that they are the shorter list. */
function unread(plan: NarrowPlan): MessageIdStream | undefined {
  const term = plan.terms.find(isUnread);
  if (term === undefined) return undefined;
  const {channels, dmIds} = plan.places;
  if (channels.length + dmIds.length === 1) {
    const every = mergedStream(scopeParts(plan.db, plan.places, {by: 'place'}, matchEverything));
    if (every.idsBeyond(0, 'newer', smallPlace).length < smallPlace) return undefined;
  }
  const from = sql`user_message AS um CROSS JOIN message AS m ON m.id = um.message_id
    WHERE um.user_id = ${plan.viewer.id} AND um.flags & ${rawSql(String(Flag.unread))}`;
  return drivenStream(plan, from, 'um.message_id', filterFor(plan, term));
}

function placed(plan: NarrowPlan): MessageIdStream {
  const sender = plan.terms.find(({kind, negated}) => kind === 'sender' && !negated);
  const has = plan.terms.find((term) => !term.negated && traitBitsOf(term) !== undefined);
  const bits = has === undefined ? undefined : traitBitsOf(has);
  const track: ScanIndex =
    bits !== undefined
      ? {by: 'extras', bits}
      : sender?.kind === 'sender'
        ? {by: 'sender', senderId: sender.userId}
        : {by: 'place'};
  const filter = filterFor(plan, track.by === 'extras' ? has : track.by === 'sender' ? sender : undefined);
  const parts = scopeParts(plan.db, plan.places, track, filter);
  const exact = mergedStream(parts);
  return track.by === 'place' && parts.count > manyPlaces ? nearFirst(plan, filter, exact) : exact;
}

/** With so many places, chances are that much of what lies around is in one of them. */
const manyPlaces = 300;
const nearIds = 3000;

/** Goes through the ids around the bound first, which does not cost a look-up per place; then place by place. */
function nearFirst({db, places}: NarrowPlan, filter: Sql, exact: MessageIdStream): MessageIdStream {
  const accepts = scopePredicate(places);
  const select = `SELECT ${columns} FROM message AS m WHERE ${filter.text}`;
  const older = `${select} AND m.id < ? AND m.id >= ? ORDER BY m.id DESC LIMIT ?`;
  const newer = `${select} AND m.id > ? AND m.id <= ? ORDER BY m.id LIMIT ?`;
  return {
    idsBeyond(bound, direction, limit) {
      const isOlder = direction === 'older';
      const start = isOlder ? Math.min(bound, nextMessageId(db)) : bound;
      const edge = isOlder ? start - nearIds : start + nearIds;
      const near = filteredStream(
        (from, _, chunk) =>
          db.all<MessageCandidate>(isOlder ? older : newer, ...filter.values, from, edge, chunk),
        accepts,
      );
      const found = near.idsBeyond(start, direction, limit);
      if (found.length === limit) return found;
      return [...found, ...exact.idsBeyond(edge, direction, limit - found.length)];
    },
  };
}
