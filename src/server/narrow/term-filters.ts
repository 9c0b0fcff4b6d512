import {Flag, Trait, type UserRow} from '#server/db/rows.ts';
import {flagsSql} from '#server/db/unread-messages.ts';
import {rawSql, type Sql, sql, sqlForUser} from './sql-fragment.ts';
import type {HasOperand, IsOperand, ResolvedTerm} from './terms.ts';
import {phraseFilter} from './text-search.ts';

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

/** Returns the bits of `user_message.flags` that a term tests. */
export function flagBitsOf(term: ResolvedTerm): number | undefined {
  return term.kind === 'is' ? flagBits[term.what] : undefined;
}

/** Returns the bits of `message.traits` that a term tests. */
export function traitBitsOf(term: ResolvedTerm): number | undefined {
  return term.kind === 'has' ? traitBits[term.what] : undefined;
}

/** Returns a term as a condition on the message `m`; undefined for terms that only limit the scope. */
export function termFilter(term: ResolvedTerm, viewer: UserRow): Sql | undefined {
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
