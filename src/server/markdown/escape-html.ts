/** Escapes message text for use between tags. Character references in the source stay references. */
export function escapeText(text: string): string {
  if (!/[&<>]/.test(text)) return text;
  return text
    .replace(/&(?!(?:#\d+|#x[0-9a-f]+|[0-9a-z]+);)/gi, '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

/** Escapes literal text for use between tags: code, TeX, names. */
export function escapeLiteral(text: string): string {
  if (!/[&<>]/.test(text)) return text;
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Escapes text for a double-quoted attribute. Character references stay references, as on a Zulip server. */
export function escapeAttribute(text: string): string {
  return /[&<>"]/.test(text) ? escapeText(text).replaceAll('"', '&quot;') : text;
}
