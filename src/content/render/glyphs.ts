/** The characters that draw lists, quotes, rules and tables. */
export interface Glyphs {
  readonly bullets: readonly string[];
  readonly quoteBar: string;
  readonly codeBar: string;
  readonly rule: string;
  readonly columnBar: string;
  readonly crossing: string;
  readonly closed: string;
  readonly open: string;
  readonly topic: string;
  readonly message: string;
  readonly more: string;
  /** Whether emoji are written as `:name:` and formulas as their source. */
  readonly isAscii: boolean;
}

export const unicodeGlyphs: Glyphs = {
  bullets: ['•', '◦', '▪'],
  quoteBar: '▌',
  codeBar: '┆',
  rule: '─',
  columnBar: '│',
  crossing: '┼',
  closed: '▸',
  open: '▾',
  topic: '›',
  message: '💬',
  more: '…',
  isAscii: false,
};

export const asciiGlyphs: Glyphs = {
  bullets: ['*', '-', '+'],
  quoteBar: '>',
  codeBar: '|',
  rule: '-',
  columnBar: '|',
  crossing: '+',
  closed: '+',
  open: '-',
  topic: '>',
  message: '(message)',
  more: '...',
  isAscii: true,
};

/** For a screen reader: no decoration, and emoji as they are, because readers know their names. */
export const spokenGlyphs: Glyphs = {
  ...asciiGlyphs,
  bullets: ['-', '-', '-'],
  codeBar: ' ',
  rule: ' ',
  columnBar: ',',
  crossing: ' ',
  closed: ' ',
  open: ' ',
  isAscii: false,
};
