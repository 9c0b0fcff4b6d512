import {join, resolve} from 'node:path';
import {bundle} from '#build/bundle.ts';
import {openTerminal} from '#test/support/terminal/open-terminal.ts';
import type {Screen} from '#test/support/terminal/screen.ts';
import type {Size, Wanted} from '#test/support/terminal/terminal.ts';
import {scratchDirectory} from './scratch-directory.ts';

/** A program, and what is done with it. */
export interface Scenario {
  /** Its start file among the sources; `src/build/bundle-entry.ts` is Parley. */
  readonly entry: string;
  readonly size: Size;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** What is on the screen before the first step. */
  readonly ready: Wanted;
  /** Keys, and what is on the screen when they have done their work. */
  readonly steps: readonly {readonly keys: readonly string[]; readonly until: Wanted}[];
}

/**
 * What a terminal shows at the start and after every step: with our output stage as the bundle has it, or with Ink as it
 * comes, as the sources run. Both must be the same; `toEqual` says where they are not.
 */
export async function paintedScreens(kind: 'bundle' | 'source', scenario: Scenario): Promise<string[][]> {
  const {entry, size, args = [], env = {}, ready, steps} = scenario;
  const outdir = scratchDirectory();
  await bundle({
    root: resolve('.'),
    entries: {program: entry},
    outdir,
    ...(kind === 'source' && {patches: []}),
  });
  const terminal = openTerminal(process.execPath, [join(outdir, 'program.js'), ...args], {
    size,
    env: paintingEnv(env),
  });
  await terminal.waitFor(ready);
  const pictures = [screenCells(terminal.screen())];
  for (const {keys, until} of steps) {
    terminal.keys(...keys);
    await terminal.waitFor(until);
    pictures.push(screenCells(terminal.screen()));
  }
  return pictures;
}

/** Every cell of a screen that is not blank, and the cursor. */
export function screenCells(screen: Screen): string[] {
  const rows = Array.from({length: screen.rows}, (_, y) =>
    screen
      .row(y)
      .map(({chars, ...look}, x) => `${x} ${chars === '' ? ' ' : chars} ${JSON.stringify(look)}`)
      .join('\n'),
  );
  const {x, y, visible} = screen.cursor;
  return [...rows, visible ? `cursor ${x},${y}` : 'no cursor'];
}

/** Nothing of the user's, and no `CI`: where nobody watches, Ink paints only at the end. */
function paintingEnv(more: NonNullable<Scenario['env']>): Readonly<Record<string, string | undefined>> {
  return {PATH: process.env.PATH, HOME: process.env.HOME, LANG: 'C.UTF-8', ...more};
}
