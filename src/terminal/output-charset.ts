import {eachGrapheme} from '#content/styled-text/text-width.ts';

/** The character sets that the screen is written in. */
export type Charset = 'utf-8' | 'latin-1' | 'ascii';

/** ASCII characters for others of the same width. Letters with marks need no entry. */
const substitutes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{'“': '"', '”': '"', '„': '"', '«': '"', '»': '"', '‘': "'", '’': "'", '‚': "'", '´': "'"},
    ...{'–': '-', '—': '-', '‐': '-', '‑': '-', '−': '-', '…': '.', '•': '*', '·': '*', '×': 'x', '÷': '/'},
    ...{'‹': '<', '›': '>', '←': '<', '→': '>', '↑': '^', '↓': 'v', '✓': 'v', '✔': 'v', '│': '|', '─': '-'},
    ...{ß: 's', æ: 'a', Æ: 'A', ø: 'o', Ø: 'O', œ: 'o', Œ: 'O', đ: 'd', ð: 'd', ł: 'l', Ł: 'L', þ: 't', ı: 'i'},
    ...{'€': 'E', '£': 'L', '©': 'c', '®': 'r', '°': 'o', '¿': '?', '¡': '!', '\u00a0': ' ', '\u202f': ' '},
  }),
);

/** What ISO 8859-1 and 8859-15 have in common above ASCII. */
const latin1 = /^[\u00a0-\u00a3\u00a5\u00a7\u00a9-\u00b3\u00b5-\u00b7\u00b9-\u00bb\u00bf-\u00ff]$/;

/**
 * Returns the bytes to write for text with control sequences. What the set lacks becomes a similar character or question
 * marks, in as many columns, so that everything stays in its place.
 */
export function encodeOutput(text: string, charset: Charset): string | Uint8Array {
  if (charset === 'utf-8') return text;
  // With the character before it, which may be the base of a mark.
  const encoded = text.replaceAll(/[ -~]?[^\0-\u007f]+/g, (run) => encodeRun(run, charset));
  return Buffer.from(encoded, 'latin1');
}

function encodeRun(run: string, charset: Charset): string {
  let encoded = '';
  let from = 0;
  eachGrapheme(run, (end, columns) => {
    encoded += encodeGrapheme(run.slice(from, end), columns, charset);
    from = end;
  });
  return encoded;
}

function encodeGrapheme(grapheme: string, columns: number, charset: Charset): string {
  const composed = grapheme.normalize('NFC');
  if (charset === 'latin-1' && latin1.test(composed)) return composed;
  const base = composed.normalize('NFD').charAt(0);
  const substitute = substitutes.get(composed) ?? substitutes.get(base) ?? (/^[ -~]$/.test(base) ? base : '?');
  return substitute.repeat(columns);
}
