/** The named characters people type by hand. Others are left to who shows them. */
const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  copy: '©',
  reg: '®',
  trade: '™',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  laquo: '«',
  raquo: '»',
  bull: '•',
  middot: '·',
  deg: '°',
  plusmn: '±',
  times: '×',
  divide: '÷',
  micro: 'µ',
  para: '¶',
  sect: '§',
  euro: '€',
  pound: '£',
  yen: '¥',
  cent: '¢',
  larr: '←',
  uarr: '↑',
  rarr: '→',
  darr: '↓',
  harr: '↔',
  le: '≤',
  ge: '≥',
  ne: '≠',
  infin: '∞',
  hearts: '♥',
};

/** The character behind `&name;` or `&#n;`, or the source when there is none we may show. */
export function entityText(raw: string): string {
  const body = raw.slice(1, -1);
  if (!body.startsWith('#')) return Object.hasOwn(named, body) ? (named[body] ?? raw) : raw;
  const point = /^#x/i.test(body) ? Number.parseInt(body.slice(2), 16) : Number.parseInt(body.slice(1), 10);
  const printable =
    point >= 0x20 &&
    point <= 0x10ffff &&
    !(point >= 0x7f && point <= 0x9f) &&
    !(point >= 0xd800 && point <= 0xdfff);
  return printable ? String.fromCodePoint(point) : raw;
}
