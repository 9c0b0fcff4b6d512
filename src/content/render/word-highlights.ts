import type {Span, TextRole} from '#content/styled-text/line.ts';
import {alertWordFinder, type RangeFinder, type SearchWord, wordFinder} from '#content/word-finder.ts';

/** Words that stand out wherever they are. */
export interface WordHighlight {
  readonly findRanges: RangeFinder;
  readonly role: TextRole;
  /** What kinds of text it applies to. */
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
  const overlays: WordHighlight[] = [];
  if (alertWords.length > 0)
    overlays.push({findRanges: knownFinder(alertWords), role: 'alert_word', roles: prose});
  if (matches.length > 0) overlays.push({findRanges: wordFinder(matches), role: 'match', roles: anything});
  return overlays;
}

/** The words of an account stay the same list from message to message. */
const finders = new WeakMap<readonly string[], RangeFinder>();

function knownFinder(alertWords: readonly string[]): RangeFinder {
  let finder = finders.get(alertWords);
  if (finder === undefined) {
    finder = alertWordFinder(alertWords);
    finders.set(alertWords, finder);
  }
  return finder;
}

/** The same text with what matches in spans of its own. */
export function highlightWords(span: Span, overlays: readonly WordHighlight[]): readonly Span[] {
  let spans: readonly Span[] = [span];
  for (const overlay of overlays) {
    if (!overlay.roles.has(span.role)) continue;
    spans = spans.flatMap((part) => (overlay.roles.has(part.role) ? split(part, overlay) : [part]));
  }
  return spans;
}

function split(span: Span, {findRanges: ranges, role}: WordHighlight): readonly Span[] {
  const found = ranges(span.text);
  if (found.length === 0) return [span];
  const spans: Span[] = [];
  let at = 0;
  for (const [start, end] of found) {
    if (start > at) spans.push({...span, text: span.text.slice(at, start)});
    spans.push({...span, text: span.text.slice(start, end), role});
    at = end;
  }
  if (at < span.text.length) spans.push({...span, text: span.text.slice(at)});
  return spans;
}
