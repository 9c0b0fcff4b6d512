import xterm, {type IUnicodeHandling, type Terminal} from '@xterm/headless';
import {eastAsianWidth} from 'get-east-asian-width';

/**
 * Returns a modern terminal, in which an emoji of several code points is one character of two columns. The emulator only
 * has the widths of Unicode 6; this adds grapheme clusters, with another source than the code under test: another table of
 * widths, and the Unicode properties of regular expressions.
 */
export function modernTerminal(cols: number, rows: number): Terminal {
  const terminal = new xterm.Terminal({cols, rows, allowProposedApi: true, scrollback: 0});
  const unicode: IUnicodeHandling = terminal.unicode;
  unicode.register(modernWidths);
  unicode.activeVersion = modernWidths.version;
  return terminal;
}

type Provider = Parameters<IUnicodeHandling['register']>[0];

// The class of the previous character, as far as joining depends on it; 0 means that nothing joins.
const [other, flagHalf, pictureState, joiner, keycapBase] = [1, 2, 3, 4, 5] as const;

const modernWidths = {
  version: 'clusters',
  wcwidth: (point: number) => widthOf(String.fromCodePoint(point)),
  charProperties(point: number, preceding: number): number {
    // Most text; none of it joins the previous character.
    if (point >= 0x20 && point < 0x7f) return packed(isKeycapBase(point) ? keycapBase : other, 1, false);
    const character = String.fromCodePoint(point);
    const state = preceding >> 3;
    const width = (preceding >> 1) & 3;
    const isPicture = /\p{Extended_Pictographic}/u.test(character);
    if (/\p{Regional_Indicator}/u.test(character)) {
      return state === flagHalf ? packed(other, 2, true) : packed(flagHalf, 2, false);
    }
    if (preceding !== 0 && isPicture && state === joiner) return packed(pictureState, 2, true);
    const joins = /\u200d|[\p{M}\u200c\p{Emoji_Modifier}\u1160-\u11ff\u{e0020}-\u{e007f}]/u.test(character);
    if (preceding !== 0 && joins && !(/\p{Emoji_Modifier}/u.test(character) && state !== pictureState)) {
      const next = character === '\u200d' && state === pictureState ? joiner : state;
      const grows =
        (character === '\ufe0f' && state === pictureState) || (character === '\u20e3' && state === keycapBase);
      const spacing = /\p{Mc}/u.test(character) ? 1 : 0;
      return packed(next, grows ? 2 : Math.min(2, width + spacing), true);
    }
    return packed(isPicture ? pictureState : other, widthOf(character), false);
  },
} as Provider;

function isKeycapBase(point: number): boolean {
  return (point >= 0x30 && point <= 0x39) || point === 0x23 || point === 0x2a;
}

function packed(state: number, width: number, joins: boolean): number {
  return (state << 3) | (width << 1) | (joins ? 1 : 0);
}

function widthOf(character: string): 0 | 1 | 2 {
  if (/[\p{Mn}\p{Me}\u200b-\u200f\u1160-\u11ff]/u.test(character)) return 0;
  return eastAsianWidth(character.codePointAt(0) ?? 0);
}

export function writeToTerminal(terminal: Terminal, data: string): Promise<void> {
  return new Promise((resolve) => terminal.write(data, resolve));
}
