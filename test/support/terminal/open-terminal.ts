import {onTestFailed, onTestFinished} from 'vitest';
import {Terminal, type TerminalOptions} from './terminal.ts';

/** A program in a terminal; both are gone when the test ends. What it showed last is printed when the test fails. */
export function openTerminal(
  file: string,
  args: readonly string[] = [],
  options: TerminalOptions = {},
): Terminal {
  const terminal = Terminal.open(file, args, options);
  onTestFailed(() => console.error(`${file} ${args.join(' ')}\n${terminal.screen().printed()}`));
  onTestFinished(() => terminal.close());
  return terminal;
}
