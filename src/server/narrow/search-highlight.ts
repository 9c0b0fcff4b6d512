import {indexedWords} from '#server/db/search-text.ts';
import type {TextSearch} from './text-search.ts';

const opening = '<span class="highlight">';
const closing = '</span>';

/** Highlights what was searched for in the text of rendered HTML; tags and entities stay unchanged. */
export function highlightHtml(html: string, searches: readonly Pick<TextSearch, 'hits'>[]): string {
  const hits = searches.flatMap((search) => search.hits).sort((a, b) => b.length - a.length);
  if (hits.length === 0) return html;
  return html
    .split(/(<[^>]*>|&#?\w+;)/)
    .map((piece, index) => (index % 2 === 1 ? piece : highlightText(piece, hits)))
    .join('');
}

function highlightText(text: string, hits: TextSearch['hits']): string {
  const words = indexedWords(text);
  let result = '';
  let copied = 0;
  for (const [index, {start}] of words.entries()) {
    if (start < copied) continue;
    const hit = hits.find((keys) => keys.every((key, offset) => words[index + offset]?.key === key));
    const end = hit === undefined ? undefined : words[index + hit.length - 1]?.end;
    if (end === undefined) continue;
    result += text.slice(copied, start) + opening + text.slice(start, end) + closing;
    copied = end;
  }
  return result + text.slice(copied);
}
