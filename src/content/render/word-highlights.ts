import type {Span, TextRole} from '#content/styled-text/line.ts';
import {alertWordFinder, type RangeFinder, type SearchWord, wordFinder} from '#content/word-finder.ts';
import {memoByObject} from '#std/memo.ts';

/** A set of words to highlight: alert words or search terms. */
export interface WordHighlight {
  readonly findRanges: RangeFinder;
  readonly role: TextRole;
  /** The roles of text it applies to. */
  readonly roles: ReadonlySet<TextRole>;
}

const prose: ReadonlySet<TextRole> = new Set(['text', 'heading', 'quote', 'table_header', 'spoiler']);
const anything: ReadonlySet<TextRole> = new Set([
  ...prose,
  'link',
  'code',
  'code_block',
  'mention',
  'self_mention',
  'silent_mention',
  'channel_link',
  'chip',
]);

export function wordHighlights(
  alertWords: readonly string[] = [],
  matches: readonly SearchWord[] = [],
): readonly WordHighlight[] {
  const highlights: WordHighlight[] = [];
  if (alertWords.length > 0) highlights.push({findRanges: cachedFinder(alertWords), role: 'alert_word', roles: prose});
  if (matches.length > 0) highlights.push({findRanges: wordFinder(matches), role: 'match', roles: anything});
  return highlights;
}

/** An account passes the same list for every message. */
const cachedFinder = memoByObject(alertWordFinder);

/** Splits a span so that each match becomes its own span. */
export function highlightWords(span: Span, highlights: readonly WordHighlight[]): readonly Span[] {
  let spans: readonly Span[] = [span];
  for (const highlight of highlights) {
    if (!highlight.roles.has(span.role)) continue;
    spans = spans.flatMap((part) => (highlight.roles.has(part.role) ? split(part, highlight) : [part]));
  }
  return spans;
}

function split(span: Span, {findRanges, role}: WordHighlight): readonly Span[] {
  const ranges = findRanges(span.text);
  if (ranges.length === 0) return [span];
  const spans: Span[] = [];
  let at = 0;
  for (const [start, end] of ranges) {
    if (start > at) spans.push({...span, text: span.text.slice(at, start)});
    spans.push({...span, text: span.text.slice(start, end), role});
    at = end;
  }
  if (at < span.text.length) spans.push({...span, text: span.text.slice(at)});
  return spans;
}
