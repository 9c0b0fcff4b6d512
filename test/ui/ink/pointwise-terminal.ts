import xterm, {type IUnicodeHandling, type Terminal} from '@xterm/headless';
import {eastAsianWidth} from 'get-east-asian-width';

/** A terminal that measures every code point separately, like tmux before 3.5 and the Linux console. */
export function pointwiseTerminal(columns: number, rows: number): Terminal {
  const terminal = new xterm.Terminal({cols: columns, rows, allowProposedApi: true, scrollback: 0});
  const unicode: IUnicodeHandling = terminal.unicode;
  const wcwidth = (point: number): 0 | 1 | 2 =>
    /[\p{Mn}\p{Me}\u200b-\u200f]/u.test(String.fromCodePoint(point)) ? 0 : eastAsianWidth(point);
  unicode.register({
    version: 'points',
    wcwidth,
    charProperties: (point, before) =>
      wcwidth(point) === 0 && before !== 0 ? (before & ~1) | 1 : (wcwidth(point) << 1) | 8,
  });
  unicode.activeVersion = 'points';
  return terminal;
}
