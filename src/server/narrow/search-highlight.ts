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

/** Returns the search hits in each of these messages, which are in the order of ids. The index finds them, because it knows stems and accents. */
export function findSearchHits(
  db: Database,
  searches: readonly string[],
  rows: readonly MessageRow[],
): Map<number, SearchHits> {
  const hits = new Map<number, SearchHits>();
  if (searches.length === 0 || rows.length === 0) return hits;
  const expression = searches.map((search) => `(${search})`).join(' AND ');
  for (const {id, content, topic} of markedTexts(db, expression, rows)) {
    const hitTexts = [...content.matchAll(/\u0001([^\u0002]*)\u0002/g)].map(([, hit]) => hit ?? '');
    hits.set(id, {content: [...new Set(hitTexts)], topic: highlightedTopic(topic)});
  }
  return hits;
}

interface MarkedText {
  readonly id: number;
  readonly content: string;
  readonly topic: string;
}

/** Messages that are farther apart than this on average are copied: the index could have many other hits between them. */
const maxGap = 100;

function markedTexts(db: Database, expression: string, rows: readonly MessageRow[]): MarkedText[] {
  const ids = rows.map(({id}) => id);
  const [first = 0, last = 0] = [ids[0], ids.at(-1)];
  const list = JSON.stringify(ids);
  if (last - first > maxGap * ids.length) return markedCopies(db, expression, list);
  // The unary plus keeps FTS5 from starting the search over for each id; without the casts it ignores the range.
  return db.all(
    `${markedColumns('message_fts')} AND in_time() AND rowid BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER)
       AND +rowid IN (SELECT value FROM json_each(?))`,
    expression,
    first,
    last,
    list,
  );
}

/** Searches copies of the messages in an index of their own, so that the number of other hits does not matter. */
function markedCopies(db: Database, expression: string, ids: string): MarkedText[] {
  // With the columns and the tokenizer of `message_fts`.
  db.exec(`CREATE VIRTUAL TABLE IF NOT EXISTS temp.searched_copy
    USING fts5 (content, topic, place, tokenize='porter unicode61 remove_diacritics 2')`);
  db.run(
    `INSERT INTO searched_copy (rowid, content, topic, place)
     SELECT * FROM message_text WHERE id IN (SELECT value FROM json_each(?)) AND in_time()`,
    ids,
  );
  const marked = db.all<MarkedText>(`${markedColumns('searched_copy')} AND in_time()`, expression);
  db.run('DELETE FROM searched_copy');
  return marked;
}

function markedColumns(table: string): string {
  return `SELECT rowid AS id, highlight(${table}, 0, char(1), char(2)) AS content,
    highlight(${table}, 1, char(1), char(2)) AS topic FROM ${table} WHERE ${table} MATCH ?`;
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
