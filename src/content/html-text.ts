const tagEndOrQuote = /[>"']/g;

/** Returns the position of the `>` that ends a tag; `>` in a quoted attribute does not. */
export function tagEnd(html: string, start: number): number {
  for (let from = start; ; ) {
    tagEndOrQuote.lastIndex = from;
    const match = tagEndOrQuote.exec(html);
    if (match === null) return -1;
    if (match[0] === '>') return match.index;
    const close = html.indexOf(match[0], match.index + 1);
    if (close < 0) return -1;
    from = close + 1;
  }
}

/** Escapes text for use between tags and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
