import type {DisplayOptions} from '#ui/core/frame.ts';

/** The glyphs of the UI, each one column wide, with one meaning everywhere. */
export interface UiGlyphs {
  readonly bar: string;
  readonly barIdle: string;
  readonly marked: string;
  readonly folded: string;
  readonly unfolded: string;
  readonly followed: string;
  readonly resolved: string;
  readonly draft: string;
  /** Back from snooze. */
  readonly snoozed: string;
  readonly online: string;
  readonly idle: string;
  readonly offline: string;
  readonly waiting: string;
  readonly approximate: string;
  /** Between a channel and its topic. */
  readonly topic: string;
  readonly dot: string;
  readonly dash: string;
  readonly ellipsis: string;
}

const unicode: UiGlyphs = {
  bar: '▌',
  barIdle: '▐',
  marked: '◆',
  folded: '▸',
  unfolded: '▾',
  followed: '◎',
  resolved: '✓',
  draft: '✎',
  snoozed: '◷',
  online: '●',
  idle: '◐',
  offline: '○',
  waiting: '◌',
  approximate: '≈',
  topic: '›',
  dot: '·',
  dash: '—',
  ellipsis: '…',
};

const ascii: UiGlyphs = {
  bar: '>',
  barIdle: '=',
  marked: '+',
  folded: '+',
  unfolded: '-',
  followed: 'F',
  resolved: 'v',
  draft: 'd',
  snoozed: 'L',
  online: '*',
  idle: '~',
  offline: '.',
  waiting: 'o',
  approximate: '~',
  topic: '>',
  dot: '-',
  dash: '-',
  ellipsis: '~',
};

export function uiGlyphs({glyphs}: Pick<DisplayOptions, 'glyphs'>): UiGlyphs {
  return glyphs === 'ascii' ? ascii : unicode;
}

const plainGlyphs: Readonly<Record<string, string>> = {'›': '>', '…': '...', '·': '-', '—': '-', '≈': '~'};

/** Replaces glyphs that a plain terminal cannot show, in the app's own texts; user content is not changed. */
export function plainGlyphText(text: string, {glyphs}: Pick<DisplayOptions, 'glyphs'>): string {
  return glyphs === 'ascii' ? text.replaceAll(/[›…·—≈]/g, (sign) => plainGlyphs[sign] ?? sign) : text;
}
