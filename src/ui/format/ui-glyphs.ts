import type {DisplayOptions} from '#ui/core/frame.ts';

/** Returns both sets of glyphs from a table of pairs. */
export function glyphSets<K extends string>(pairs: Readonly<Record<K, readonly [unicode: string, ascii: string]>>) {
  const setAt = (at: 0 | 1) =>
    // It has the keys of the table.
    Object.fromEntries(Object.keys(pairs).map((key) => [key, pairs[key as K][at]])) as Readonly<Record<K, string>>;
  return {unicode: setAt(0), ascii: setAt(1)};
}

/** The glyphs of the UI, each one column wide, with one meaning everywhere. */
const glyphsOf = glyphSets({
  bar: ['▌', '>'],
  barIdle: ['▐', '='],
  marked: ['◆', '+'],
  folded: ['▸', '+'],
  unfolded: ['▾', '-'],
  followed: ['◎', 'F'],
  resolved: ['✓', 'v'],
  draft: ['✎', 'd'],
  /** Back from snooze. */
  snoozed: ['◷', 'L'],
  online: ['●', '*'],
  idle: ['◐', '~'],
  offline: ['○', '.'],
  waiting: ['◌', 'o'],
  approximate: ['≈', '~'],
  /** Between a channel and its topic. */
  topic: ['›', '>'],
  dot: ['·', '-'],
  dash: ['—', '-'],
  ellipsis: ['…', '~'],
});

export type UiGlyphs = (typeof glyphsOf)['unicode'];

export function uiGlyphs({glyphs}: Pick<DisplayOptions, 'glyphs'>): UiGlyphs {
  return glyphsOf[glyphs];
}

const plainGlyphs: Readonly<Record<string, string>> = {'›': '>', '…': '...', '·': '-', '—': '-', '≈': '~'};

/** Replaces glyphs that a plain terminal cannot show, in the app's own texts; user content is not changed. */
export function plainGlyphText(text: string, {glyphs}: Pick<DisplayOptions, 'glyphs'>): string {
  return glyphs === 'ascii' ? text.replaceAll(/[›…·—≈]/g, (sign) => plainGlyphs[sign] ?? sign) : text;
}
