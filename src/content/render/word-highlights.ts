import type {Role, Span} from '#content/styled-text/line.ts';
import {alertFinder, type Finder, type SoughtWord, wordFinder} from '#content/word-finder.ts';

/** Words that stand out wherever they are. */
export interface Overlay {
  readonly ranges: Finder;
  readonly role: Role;
  /** What kinds of text it applies to. */
  readonly on: ReadonlySet<Role>;
}

const prose: ReadonlySet<Role> = new Set(['text', 'heading', 'quote', 'table_header', 'spoiler']);
const anything: ReadonlySet<Role> = new Set([
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

export function overlaysOf(
  alertWords: readonly string[] = [],
  matches: readonly SoughtWord[] = [],
): readonly Overlay[] {
  const overlays: Overlay[] = [];
  if (alertWords.length > 0) overlays.push({ranges: knownFinder(alertWords), role: 'alert_word', on: prose});
  if (matches.length > 0) overlays.push({ranges: wordFinder(matches), role: 'match', on: anything});
  return overlays;
}

/** The words of an account stay the same list from message to message. */
const finders = new WeakMap<readonly string[], Finder>();

function knownFinder(alertWords: readonly string[]): Finder {
  let finder = finders.get(alertWords);
  if (finder === undefined) {
    finder = alertFinder(alertWords);
    finders.set(alertWords, finder);
  }
  return finder;
}

/** The same text with what matches in spans of its own. */
export function overlaid(span: Span, overlays: readonly Overlay[]): readonly Span[] {
  let spans: readonly Span[] = [span];
  for (const overlay of overlays) {
    if (!overlay.on.has(span.role)) continue;
    spans = spans.flatMap((part) => (overlay.on.has(part.role) ? split(part, overlay) : [part]));
  }
  return spans;
}

function split(span: Span, {ranges, role}: Overlay): readonly Span[] {
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
