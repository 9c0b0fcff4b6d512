import {escapeLiteral} from './escape-html.ts';

const tag = /<[^<>]*>/g;

/** Marks search words in rendered HTML. Only text is looked at: never tags, nor the inside of a character reference. */
export function highlightMatches(html: string, words: readonly string[]): string {
  const wanted = words
    .filter((word) => word.trim() !== '')
    .map((word) => escapeLiteral(word).replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  if (wanted.length === 0) return html;
  // Longer words first, so that one that begins with another is marked whole.
  wanted.sort((a, b) => b.length - a.length);
  const pattern = new RegExp(`(${wanted.join('|')})|&(?:#\\d+|#x[0-9a-f]+|[a-z0-9]+);`, 'gi');
  const mark = (text: string): string =>
    text.replace(pattern, (match, word: string | undefined) =>
      word === undefined ? match : `<span class="highlight">${word}</span>`,
    );
  let out = '';
  let last = 0;
  for (const match of html.matchAll(tag)) {
    out += mark(html.slice(last, match.index)) + match[0];
    last = match.index + match[0].length;
  }
  return out + mark(html.slice(last));
}
