import {escapeHtml} from '#content/html-text.ts';
import type {Database} from '#server/db/database.ts';
import type {MessageRow} from '#server/db/rows.ts';

const opening = '<span class="highlight">';
const closing = '</span>';
/** The characters around a hit in plain text; neither occurs in messages. */
const hitStart = '\u0001';
const hitEnd = '\u0002';

export interface SearchHits {
  /** The words and phrases that matched, as the content spells them. */
  readonly content: readonly string[];
  /** The topic as HTML with the hits highlighted. */
  readonly topic: string;
}

/** Returns the search hits in each of these messages. The index finds them, because it knows stems and accents. */
export function findSearchHits(
  db: Database,
  searches: readonly string[],
  rows: readonly MessageRow[],
): Map<number, SearchHits> {
  const hits = new Map<number, SearchHits>();
  if (searches.length === 0) return hits;
  const expression = searches.map((search) => `(${search})`).join(' AND ');
  for (const ids of closeGroups(rows.map(({id}) => id))) {
    for (const {id, content, topic} of markedTexts(db, expression, ids)) {
      const hitTexts = [...content.matchAll(/\u0001([^\u0002]*)\u0002/g)].map(([, hit]) => hit ?? '');
      hits.set(id, {content: [...new Set(hitTexts)], topic: highlightedTopic(topic)});
    }
  }
  return hits;
}

/** Skipping this many hits costs as much as starting a new search behind them. */
const maxGap = 300;

/** Splits ascending ids into groups whose neighbours are at most `maxGap` apart. */
function closeGroups(ids: readonly number[]): number[][] {
  const groups: number[][] = [];
  for (const id of ids) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (group !== undefined && last !== undefined && id - last <= maxGap) group.push(id);
    else groups.push([id]);
  }
  return groups;
}

function markedTexts(
  db: Database,
  expression: string,
  ids: readonly number[],
): {id: number; content: string; topic: string}[] {
  // The unary plus keeps FTS5 from starting the search over for each id; without the casts it ignores the range.
  return db.all(
    `SELECT rowid AS id, highlight(message_fts, 0, char(1), char(2)) AS content,
       highlight(message_fts, 1, char(1), char(2)) AS topic
     FROM message_fts WHERE message_fts MATCH ? AND in_time()
       AND rowid BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER)
       AND +rowid IN (SELECT value FROM json_each(?))`,
    expression,
    ids[0] ?? 0,
    ids.at(-1) ?? 0,
    JSON.stringify(ids),
  );
}

function highlightedTopic(topic: string): string {
  return escapeHtml(topic).replaceAll(hitStart, opening).replaceAll(hitEnd, closing);
}

function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}

/** Highlights whole words in the text of rendered HTML; tags and entities stay unchanged. */
export function highlightHtml(html: string, words: readonly string[]): string {
  if (words.length === 0) return html;
  const longestFirst = [...words].sort((a, b) => b.length - a.length).map(escapePattern);
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${longestFirst.join('|')})(?![\\p{L}\\p{N}])`, 'gu');
  return html
    .split(/(<[^>]*>|&#?\w+;)/)
    .map((piece, index) => (index % 2 === 1 ? piece : piece.replaceAll(pattern, (hit) => opening + hit + closing)))
    .join('');
}
