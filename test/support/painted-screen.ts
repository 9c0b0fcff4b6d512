import {resolve} from 'node:path';
import {bundle} from '#build/bundle.ts';
import {openTerminal} from '#test/support/terminal/open-terminal.ts';
import type {Screen} from '#test/support/terminal/screen.ts';
import type {Size, Wanted} from '#test/support/terminal/terminal.ts';
import {scratchDirectory} from './scratch-directory.ts';

/** A program and the steps to run in it. */
export interface Scenario {
  /** The entry file. */
  readonly entry: string;
  readonly size: Size;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The screen before the first step. */
  readonly ready: Wanted;
  /** Keys, and the screen that they lead to. */
  readonly steps: readonly {readonly keys: readonly string[]; readonly until: Wanted}[];
}

/**
 * Returns what a terminal shows at the start and after every step: with the bundle's patched output stage, or with Ink
 * unpatched, as the sources run. Both must be equal.
 */
export async function paintedScreens(kind: 'bundle' | 'source', scenario: Scenario): Promise<string[][]> {
  const {entry, size, args = [], env = {}, ready, steps} = scenario;
  const outdir = scratchDirectory();
  const {files} = await bundle({
    root: resolve('.'),
    entries: {program: entry},
    outdir,
    format: 'esm',
    ...(kind === 'source' && {patches: []}),
  });
  const terminal = openTerminal(process.execPath, [files.program ?? '', ...args], {
    size,
    env: paintingEnv(env),
  });
  await terminal.waitFor(ready);
  const screens = [screenCells(terminal.screen())];
  for (const {keys, until} of steps) {
    terminal.keys(...keys);
    await terminal.waitFor(until);
    screens.push(screenCells(terminal.screen()));
  }
  return screens;
}

/** Returns every cell of a screen, and the cursor. Colour, weight and slant of a blank cannot be seen. */
export function screenCells(screen: Screen): string[] {
  const rows = Array.from({length: screen.rows}, (_, y) =>
    screen
      .row(y)
      .map(({chars, ...style}, x) => {
        const isBlank =
          chars.trim() === '' && style.bg === 'default' && !style.underline && !style.inverse && !style.strike;
        return isBlank ? `${x}` : `${x} ${chars === '' ? ' ' : chars} ${JSON.stringify(style)}`;
      })
      .join('\n'),
  );
  const {x, y, visible} = screen.cursor;
  return [...rows, visible ? `cursor ${x},${y}` : 'no cursor'];
}

/** Excludes the user's environment and `CI`, with which Ink paints only at the end. */
function paintingEnv(more: NonNullable<Scenario['env']>): Readonly<Record<string, string | undefined>> {
  return {PATH: process.env.PATH, HOME: process.env.HOME, LANG: 'C.UTF-8', ...more};
}
