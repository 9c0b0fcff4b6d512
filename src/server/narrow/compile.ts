import type {Act} from '#server/context.ts';
import type {Database} from '#server/db/database.ts';
import {nextMessageId} from '#server/db/messages.ts';
import {Flag, type UserRow} from '#server/db/rows.ts';
import type {WireNarrow} from '#wire/narrow.ts';
import {noAnchor} from '#wire/objects/message.ts';
import {type Candidate, merged, nothing, readOrdered, type Stream, sifted} from './message-id-stream.ts';
import {holdsIn, type Places, roughly} from './narrow-scope.ts';
import {placesOf} from './scope-of-terms.ts';
import {anything, placeParts, type Track} from './scope-parts.ts';
import {searchStream} from './search-stream.ts';
import {all, type Sql, sql, verbatim} from './sql-fragment.ts';
import {flagBitsOf, rowFilter, traitBitsOf} from './term-filters.ts';
import {readNarrow, type Term} from './terms.ts';

export interface Narrowed {
  readonly stream: Stream;
  /** FTS5 expressions of the search terms, for highlighting. */
  readonly searches: readonly string[];
}

interface Plan {
  readonly db: Database;
  readonly viewer: UserRow;
  readonly terms: readonly Term[];
  readonly places: Places;
}

export interface NarrowOptions {
  /** Only these messages, received or not, as far as they are readable. */
  readonly among?: readonly number[];
  /** Terms of the server's own, which say nothing of where to look. */
  readonly also?: readonly Term[];
}

/** The messages of a narrow that `viewer` may read, as an ordered stream. Throws BAD_NARROW. */
export function compileNarrow(
  act: Pick<Act, 'world' | 'now'>,
  viewer: UserRow,
  narrow: WireNarrow,
  {among, also = []}: NarrowOptions = {},
): Narrowed {
  const written = readNarrow(act, viewer, narrow);
  const places = placesOf(act, viewer, written, among);
  const terms = [...written, ...also];
  const searches = terms.flatMap((term) =>
    term.kind === 'search' && !term.negated && term.expression !== undefined ? [term.expression] : [],
  );
  return {stream: streamOf({db: act.world.db, viewer, terms, places}, among), searches};
}

/** Picks the shortest ordered list that holds all matches, and tests what is on it by the remaining terms. */
function streamOf(plan: Plan, among: readonly number[] | undefined): Stream {
  const {places, terms} = plan;
  if (places.channels.length === 0 && places.dmIds.length === 0) return nothing;
  if (terms.some((term) => term.kind === 'search' && !term.negated && term.expression === undefined)) {
    return nothing;
  }
  const listed = among ?? listedId(terms);
  if (listed !== undefined) return amongStream(plan, listed);
  return found(plan) ?? flagged(plan) ?? mentioning(plan) ?? unread(plan) ?? placed(plan);
}

function listedId(terms: readonly Term[]): number[] | undefined {
  const term = terms.find(({kind, negated}) => kind === 'id' && !negated);
  return term?.kind === 'id' ? [term.id] : undefined;
}

function filterFor({terms, viewer}: Plan, ...settled: readonly (Term | undefined)[]): Sql {
  const open = terms.filter((term) => !settled.includes(term));
  return all(open.flatMap((term) => rowFilter(term, viewer) ?? []));
}

const columns = 'm.id, m.channel_id, m.dm_id, m.topic_key';

function drivenStream(plan: Plan, from: Sql, column: string, filter: Sql): Stream {
  const query = sql`SELECT ${verbatim(columns)} FROM ${from} AND ${filter}`;
  const sparse = sql`${query} AND ${roughly(plan.places)}`;
  return sifted(
    readOrdered(plan.db, {...query, column}),
    holdsIn(plan.places),
    readOrdered(plan.db, {...sparse, column}),
  );
}

function amongStream(plan: Plan, ids: readonly number[]): Stream {
  const from = sql`message AS m WHERE m.id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`;
  return drivenStream(plan, from, 'm.id', filterFor(plan));
}

function found(plan: Plan): Stream | undefined {
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
function earliest({db, viewer, terms}: Plan): number {
  if (!terms.some(isUnread)) return 0;
  const sql = `SELECT message_id FROM user_message WHERE user_id = ? AND flags & ${Flag.unread}
    ORDER BY message_id LIMIT 1`;
  return db.value(sql, viewer.id) ?? noAnchor;
}

function isUnread(term: Term): boolean {
  return term.kind === 'is' && term.what === 'unread' && !term.negated;
}

function isSearch(term: Term): term is Term & {kind: 'search'} {
  return term.kind === 'search' && !term.negated;
}

const noticedBits = 248;

/** Starred, mentioned and alerted messages are few and have indexes of their own. */
function flagged(plan: Plan): Stream | undefined {
  const term = plan.terms.find(({kind, negated, ...rest}) => {
    if (negated || kind !== 'is' || !('what' in rest)) return false;
    return rest.what === 'starred' || rest.what === 'mentioned' || rest.what === 'alerted';
  });
  const bits = term === undefined ? undefined : flagBitsOf(term);
  if (bits === undefined) return undefined;
  const starred = bits === Flag.starred;
  const index = verbatim(starred ? 'user_message_starred' : 'user_message_noticed');
  const from = sql`user_message AS um INDEXED BY ${index} CROSS JOIN message AS m ON m.id = um.message_id
    WHERE um.user_id = ${plan.viewer.id} AND um.flags & ${verbatim(String(starred ? Flag.starred : noticedBits))}
    AND (um.flags & ${bits}) <> 0`;
  return drivenStream(plan, from, 'um.message_id', filterFor(plan, term));
}

function mentioning(plan: Plan): Stream | undefined {
  const term = plan.terms.find(({kind, negated}) => kind === 'mentions' && !negated);
  if (term?.kind !== 'mentions') return undefined;
  const from = sql`message_mention AS mm CROSS JOIN message AS m ON m.id = mm.message_id
    WHERE mm.user_id = ${term.userId}`;
  return drivenStream(plan, from, 'mm.message_id', filterFor(plan, term));
}

/** Up to this many messages are tested one by one for being unread. */
const smallPlace = 3000;

/** The unread list, unless the narrow is about one place with so few messages that they are the shorter list. */
function unread(plan: Plan): Stream | undefined {
  const term = plan.terms.find(isUnread);
  if (term === undefined) return undefined;
  const {channels, dmIds} = plan.places;
  if (channels.length + dmIds.length === 1) {
    const every = merged(placeParts(plan.db, plan.places, {by: 'place'}, anything));
    if (every.beyond(0, 'newer', smallPlace).length < smallPlace) return undefined;
  }
  const from = sql`user_message AS um CROSS JOIN message AS m ON m.id = um.message_id
    WHERE um.user_id = ${plan.viewer.id} AND um.flags & ${verbatim(String(Flag.unread))}`;
  return drivenStream(plan, from, 'um.message_id', filterFor(plan, term));
}

function placed(plan: Plan): Stream {
  const sender = plan.terms.find(({kind, negated}) => kind === 'sender' && !negated);
  const has = plan.terms.find((term) => !term.negated && traitBitsOf(term) !== undefined);
  const bits = has === undefined ? undefined : traitBitsOf(has);
  const track: Track =
    bits !== undefined
      ? {by: 'extras', bits}
      : sender?.kind === 'sender'
        ? {by: 'sender', senderId: sender.userId}
        : {by: 'place'};
  const filter = filterFor(plan, track.by === 'extras' ? has : track.by === 'sender' ? sender : undefined);
  const parts = placeParts(plan.db, plan.places, track, filter);
  const exact = merged(parts);
  return track.by === 'place' && parts.count > manyPlaces ? nearFirst(plan, filter, exact) : exact;
}

/** With so many places, chances are that much of what lies around is in one of them. */
const manyPlaces = 300;
const nearIds = 3000;

/** Goes through the ids around the bound first, which does not cost a look-up per place; then place by place. */
function nearFirst({db, places}: Plan, filter: Sql, exact: Stream): Stream {
  const accepts = holdsIn(places);
  const select = `SELECT ${columns} FROM message AS m WHERE ${filter.text}`;
  const older = `${select} AND m.id < ? AND m.id >= ? ORDER BY m.id DESC LIMIT ?`;
  const newer = `${select} AND m.id > ? AND m.id <= ? ORDER BY m.id LIMIT ?`;
  return {
    beyond(bound, direction, limit) {
      const isOlder = direction === 'older';
      const start = isOlder ? Math.min(bound, nextMessageId(db)) : bound;
      const edge = isOlder ? start - nearIds : start + nearIds;
      const near = sifted(
        (from, _, chunk) => db.all<Candidate>(isOlder ? older : newer, ...filter.values, from, edge, chunk),
        accepts,
      );
      const found = near.beyond(start, direction, limit);
      if (found.length === limit) return found;
      return [...found, ...exact.beyond(edge, direction, limit - found.length)];
    },
  };
}
