/** Entity names of consecutive code points, from `first` on; a dot is a code point without a name. */
const rows: readonly (readonly [first: number, names: string])[] = [
  [0x21, 'excl quot num dollar percnt amp apos lpar rpar ast plus comma . period sol'],
  [0x3a, 'colon semi lt equals gt quest commat'],
  [0x5b, 'lbrack bsol rbrack Hat lowbar grave'],
  [0x7b, 'lbrace vert rbrace'],
  [
    0xa0,
    'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute ' +
      'micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig ' +
      'Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash ' +
      'Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ' +
      'ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc ' +
      'uuml yacute thorn yuml',
  ],
  [0x152, 'OElig oelig'],
  [0x160, 'Scaron scaron'],
  [0x178, 'Yuml'],
  [0x192, 'fnof'],
  [0x2c6, 'circ'],
  [0x2dc, 'tilde'],
  [0x391, 'Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho'],
  [0x3a3, 'Sigma Tau Upsilon Phi Chi Psi Omega'],
  [0x3b1, 'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf sigma tau'],
  [0x3c5, 'upsilon phi chi psi omega'],
  [0x3d1, 'thetasym upsih'],
  [0x3d6, 'piv'],
  [0x2002, 'ensp emsp'],
  [0x2009, 'thinsp'],
  [0x200c, 'zwnj zwj lrm rlm hyphen'],
  [0x2013, 'ndash mdash'],
  [0x2018, 'lsquo rsquo sbquo . ldquo rdquo bdquo . dagger Dagger bull'],
  [0x2026, 'hellip'],
  [0x2030, 'permil . prime Prime'],
  [0x2039, 'lsaquo rsaquo'],
  [0x203e, 'oline'],
  [0x2044, 'frasl'],
  [0x20ac, 'euro'],
  [0x2111, 'image'],
  [0x2118, 'weierp'],
  [0x211c, 'real'],
  [0x2122, 'trade'],
  [0x2135, 'alefsym'],
  [0x2190, 'larr uarr rarr darr harr'],
  [0x21b5, 'crarr'],
  [0x21d0, 'lArr uArr rArr dArr hArr'],
  [0x2200, 'forall . part exist . empty . nabla isin notin . ni'],
  [0x220f, 'prod . sum minus'],
  [0x2217, 'lowast . . radic . . prop infin . ang'],
  [0x2227, 'and or cap cup int'],
  [0x2234, 'there4'],
  [0x223c, 'sim'],
  [0x2245, 'cong . . asymp'],
  [0x2260, 'ne equiv . . le ge'],
  [0x2282, 'sub sup nsub . sube supe'],
  [0x2295, 'oplus . otimes'],
  [0x22a5, 'perp'],
  [0x22c5, 'sdot'],
  [0x2308, 'lceil rceil lfloor rfloor'],
  [0x25ca, 'loz'],
  [0x2605, 'starf'],
  [0x260e, 'phone'],
  [0x2660, 'spades . . clubs . hearts diams'],
  [0x2713, 'check'],
  [0x2717, 'cross'],
  [0x27e8, 'lang rang'],
];

let characters: ReadonlyMap<string, string> | undefined;

/** Returns the character of an entity name: all of HTML 4, and those of later standards that are typed by hand. */
function entityCharacter(name: string): string | undefined {
  characters ??= new Map(
    rows.flatMap(([first, names]) =>
      names
        .split(' ')
        .map((each, index): [string, string] => [each, String.fromCodePoint(first + index)])
        .filter(([each]) => each !== '.'),
    ),
  );
  return characters.get(name);
}

export const entityPattern = /&(?:#\d+|#x[0-9a-fA-F]+|[a-zA-Z0-9]+);/g;

/** Returns the text with each character reference replaced by its character. */
export function decodeEntities(text: string): string {
  return text.includes('&') ? text.replace(entityPattern, entityText) : text;
}

/** Returns the character of `&name;` or `&#n;`, or the source when the name is unknown or the character not printable. */
export function entityText(raw: string): string {
  const body = raw.slice(1, -1);
  if (!body.startsWith('#')) return entityCharacter(body) ?? raw;
  const point = /^#x/i.test(body) ? Number.parseInt(body.slice(2), 16) : Number.parseInt(body.slice(1), 10);
  const isPrintable =
    point >= 0x20 && point <= 0x10ffff && !(point >= 0x7f && point <= 0x9f) && !(point >= 0xd800 && point <= 0xdfff);
  return isPrintable ? String.fromCodePoint(point) : raw;
}
