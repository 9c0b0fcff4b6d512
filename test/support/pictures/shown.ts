import {EmulatedTerminal} from '#test/support/terminal/emulated-terminal.ts';
import type {Screen} from '#test/support/terminal/screen.ts';
import {modern} from '#test/support/terminal/terminal-profile.ts';

/** Returns the screen of a terminal that got this output. */
export async function shown(output: string, cols = 20, rows = 3): Promise<Screen> {
  const device = new EmulatedTerminal({cols, rows, persona: modern, background: 'dark', onAnswer: () => {}});
  await new Promise<void>((resolve) => device.feed(output, resolve));
  return device.screen();
}
