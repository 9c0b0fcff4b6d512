import {deepEqual} from '#std/deep-equal.ts';
import type {TerminalEnvironment} from '#terminal/environment.ts';
import type {KeySource} from '#terminal/input/key-source.ts';
import {
  colorMode,
  cursorShape,
  enterModes,
  leaveModes,
  type ModeOptions,
  repeatModes,
  textOrderMode,
} from '#terminal/modes.ts';
import type {Charset} from '#terminal/output-charset.ts';
import {backgroundQuery} from '#terminal/probe.ts';
import type {TerminalOutput} from '#terminal/terminal-output.ts';

/** Sets the modes of the terminal, and knows which of them are set. `wanted` returns those that the screen needs now. */
export function screenModes(
  output: TerminalOutput,
  keys: KeySource,
  environment: () => TerminalEnvironment,
  wanted: () => ModeOptions,
) {
  let charset: Charset = 'utf-8';
  // The modes are set when the terminal is taken over.
  let {ordersText = false, colors} = wanted();
  let isWriting = false;
  return {
    get isUtf8() {
      return charset === 'utf-8';
    },
    /** The modes that the picture of the next start needs. */
    get forPicture() {
      const needed = wanted();
      return (needed.ordersText ? textOrderMode(true) : '') + (needed.colors ? colorMode(needed.colors) : '');
    },
    /** Returns the sequences that take over the terminal. */
    enter: (hasPicture: boolean) => {
      ({ordersText = false, colors} = wanted());
      isWriting = false;
      return enterModes(environment(), wanted(), hasPicture);
    },
    leave: () => leaveModes(environment(), {...wanted(), ordersText, colors}),
    /** Returns the sequences that set the modes of a terminal that may be another one. */
    repeat: () => {
      isWriting = false;
      return repeatModes(environment(), wanted());
    },
    /** Sets the charset, the order of text and colours. Returns whether the first two changed, so that all rows must be written again. */
    adapt: (nextCharset: Charset) => {
      const {ordersText: nextOrder = false, colors: nextColors} = wanted();
      if (!deepEqual(nextColors, colors)) {
        output.write(colorMode(nextColors) + (nextColors === undefined ? backgroundQuery : ''));
        colors = nextColors;
      }
      if (nextCharset === charset && nextOrder === ordersText) return false;
      if (nextOrder !== ordersText) output.write(textOrderMode(nextOrder));
      ordersText = nextOrder;
      charset = nextCharset;
      output.setCharset(charset);
      keys.setUtf8(charset === 'utf-8');
      return true;
    },
    /** Makes the cursor a bar while text is edited. */
    shapeCursor: (isWritingNow: boolean) => {
      if (isWritingNow === isWriting) return;
      isWriting = isWritingNow;
      output.write(cursorShape(environment(), isWriting ? 'bar' : 'usual'));
    },
  };
}
