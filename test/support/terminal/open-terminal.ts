import {onTestFailed, onTestFinished} from 'vitest';
import {Terminal, type TerminalOptions} from './terminal.ts';

/** Runs a program in a terminal; both are closed when the test ends. The last screen is printed when the test fails. */
export function openTerminal(file: string, args: readonly string[] = [], options: TerminalOptions = {}): Terminal {
  const terminal = Terminal.open(file, args, options);
  onTestFailed(() => console.error(`${file} ${args.join(' ')}\n${terminal.screen().printed()}`));
  onTestFinished(() => terminal.close());
  return terminal;
}
