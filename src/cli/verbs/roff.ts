/** ASCII characters that roff interprets or prints as typographic ones, and characters that every device has. */
const glyphs: Readonly<Record<string, string>> = {
  '\\': '\\(rs',
  '-': '\\-',
  "'": '\\(aq',
  '"': '\\(dq',
  '`': '\\(ga',
  '^': '\\(ha',
  '~': '\\(ti',
  '“': '\\(lq',
  '”': '\\(rq',
  '’': '\\(cq',
  '…': '...',
};

/** Returns the text so that roff prints it as it is, wherever it stands in a line or in a quoted argument. */
export function roffText(text: string): string {
  const escaped = text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\\\-'"`^~]|[^ -~]/gu, (character) => glyphs[character] ?? unicodeEscape(character));
  // A dot at the start of a line would make it a request.
  return escaped.startsWith('.') ? `\\&${escaped}` : escaped;
}

/** Returns the name of a glyph by its decomposed code points, as groff requires. */
function unicodeEscape(character: string): string {
  const codes = [...character.normalize('NFD')].map((each) => each.codePointAt(0)?.toString(16).toUpperCase());
  return `\\[u${codes.map((code) => code?.padStart(4, '0')).join('_')}]`;
}
