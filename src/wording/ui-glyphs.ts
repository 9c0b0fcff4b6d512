/** Which symbols a terminal shows; `words`: for a screen reader, with words in place of symbols and nothing that is only decoration. */
export type GlyphSetName = 'unicode' | 'ascii' | 'words';

/** What chooses the symbols. */
interface GlyphOptions {
  readonly glyphs: GlyphSetName;
}

/** A symbol; the word in its place is the ASCII symbol by default. */
type Symbol = readonly [unicode: string, ascii: string, words?: string];

export function glyphSets<K extends string>(table: Readonly<Record<K, Symbol>>) {
  const setAt = (at: 0 | 1 | 2) =>
    // It has the keys of the table.
    Object.fromEntries(Object.keys(table).map((key) => [key, table[key as K][at] ?? table[key as K][1]])) as Readonly<
      Record<K, string>
    >;
  return {unicode: setAt(0), ascii: setAt(1), words: setAt(2)};
}

/** The glyphs of the UI, each one column wide, or words, with one meaning everywhere. */
const glyphsOf = glyphSets({
  bar: ['▌', '>', ' '],
  barIdle: ['▐', '=', ' '],
  marked: ['◆', '+', 'selected '],
  folded: ['▸', '+', 'folded'],
  followed: ['◎', 'F', 'followed'],
  resolved: ['✓', 'v', 'resolved'],
  draft: ['✎', 'd', 'draft'],
  snoozed: ['◷', 'L', 'back from snooze'],
  online: ['●', '*', ''],
  idle: ['◐', '~', ''],
  offline: ['○', '.', ''],
  waiting: ['◌', 'o', ''],
  approximate: ['≈', '~', 'about '],
  /** Between a channel and its topic. */
  topic: ['›', '>'],
  dot: ['·', '-'],
  dash: ['—', '-'],
  ellipsis: ['…', '~', '...'],
});

export type UiGlyphs = (typeof glyphsOf)['unicode'];

export function uiGlyphs({glyphs}: GlyphOptions): UiGlyphs {
  return glyphsOf[glyphs];
}

const plainGlyphs: Readonly<Record<string, string>> = {'›': '>', '…': '...', '·': '-', '—': '-', '≈': '~'};
const glyphWords: Readonly<Record<string, string>> = {
  ...plainGlyphs,
  ' ·': ',',
  '·': ',',
  '≈': 'about ',
  '█': ' ',
  '✓': 'done',
};

/** Replaces glyphs that a plain terminal cannot show, in the app's own texts; user content is not changed. */
export function plainGlyphText(text: string, {glyphs}: GlyphOptions): string {
  // Only a password is written with dots.
  if (glyphs === 'words') return text.replaceAll(/ ·|•+|[›…·—≈█✓]/g, (sign) => glyphWords[sign] ?? 'hidden');
  return glyphs === 'ascii' ? text.replaceAll(/[›…·—≈]/g, (sign) => plainGlyphs[sign] ?? sign) : text;
}

const ruleGlyphs: Readonly<Record<GlyphSetName, string>> = {unicode: '─', ascii: '-', words: ' '};

/** Returns the character that horizontal lines are made of. */
export function ruleGlyph({glyphs}: GlyphOptions): string {
  return ruleGlyphs[glyphs];
}
