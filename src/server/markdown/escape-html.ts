/** Text for between tags. A character reference that was typed stays one; everything else is literal. */
export function escapeText(text: string): string {
  if (!/[&<>]/.test(text)) return text;
  return text
    .replace(/&(?!(?:#\d+|#x[0-9a-f]+|[0-9a-z]+);)/gi, '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

/** Text in which nothing typed means anything else: code, TeX, names. */
export function escapeLiteral(text: string): string {
  if (!/[&<>]/.test(text)) return text;
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** For inside double quotes. Only `&amp;` passes: any other reference could spell a scheme we would have refused. */
export function escapeAttribute(text: string): string {
  if (!/[&<>"]/.test(text)) return text;
  return escapeLiteral(text.replaceAll('&amp;', '&')).replaceAll('"', '&quot;');
}
