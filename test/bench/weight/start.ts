import {execFileSync} from 'node:child_process';
import {rmSync} from 'node:fs';
import {join} from 'node:path';
import {percentile} from '#test/bench/table.ts';
import {bareNodeBaseline} from '#test/bench/ui/baselines.ts';
import {parleyProgram} from '#test/bench/ui/parley-program.ts';
import {type MeasuredWorld, measuredWorld, quiet} from './measured-world.ts';
import {residentMiB} from './process-figures.ts';

const rounds = 5;
const size = {cols: 120, rows: 40};

interface Start {
  /** Until the first frame with content from disk. */
  readonly content: number;
  /** Until the last change of the screen. */
  readonly settled: number;
  readonly resident: number;
}

/** Measures the start of the screen with data on disk, and of two verbs. */
export async function startRows(worlds: readonly string[]): Promise<string[][]> {
  const floor = middle(Array.from({length: rounds}, bareNodeBaseline));
  const rows = [['(floor: node -e "")', '', '', ms(floor), '1.0×', '']];
  for (const name of worlds) {
    const world = await measuredWorld(name);
    try {
      await startScreen(world);
      rows.push(await screenRow(`${name}: screen`, floor, () => startScreen(world)));
      const withoutPicture = () => {
        rmSync(join(world.home, '.cache/parley/first-frame'));
        return startScreen(world);
      };
      rows.push(await screenRow(`${name}: screen, no picture`, floor, withoutPicture));
      for (const args of [['unread'], ['send', '--to', '#weight>conversation 00', '-m', 'hello']]) {
        runVerb(world, args);
        const took = middle(Array.from({length: rounds}, () => runVerb(world, args)));
        rows.push([`${name}: parley ${args[0]}`, '', '', ms(took), times(took, floor), '']);
      }
    } finally {
      await world.stop();
    }
  }
  return rows;
}

async function screenRow(name: string, floor: number, start: () => Promise<Start>): Promise<string[]> {
  const starts: Start[] = [];
  for (let round = 0; round < rounds; round++) starts.push(await start());
  const [content, settled, resident] = (['content', 'settled', 'resident'] as const).map((key) =>
    middle(starts.map((each) => each[key])),
  ) as [number, number, number];
  return [name, ms(content), ms(settled), '', times(content, floor), `${resident.toFixed(0)} MiB`];
}

async function startScreen(world: MeasuredWorld): Promise<Start> {
  const began = performance.now();
  const terminal = world.open(size);
  try {
    let settled = 0;
    let text = '';
    terminal.onFrame(() => {
      const now = terminal.screen().text;
      if (now !== text) settled = performance.now() - began;
      text = now;
    });
    await terminal.waitFor(parleyProgram.isUsable, 'content');
    const content = performance.now() - began;
    await quiet(terminal, 900);
    const start = {content, settled, resident: residentMiB(terminal.pid)};
    await parleyProgram.quit(terminal);
    return start;
  } finally {
    await terminal.close();
  }
}

function runVerb(world: MeasuredWorld, args: readonly string[]): number {
  const {file, args: words, env, cwd} = world.command(args);
  const began = performance.now();
  execFileSync(file, [...words], {env, cwd, stdio: ['ignore', 'ignore', 'inherit']});
  return performance.now() - began;
}

const ms = (value: number): string => `${value.toFixed(0)} ms`;
const times = (value: number, floor: number): string => `${(value / floor).toFixed(1)}×`;

function middle(samples: readonly number[]): number {
  return percentile(
    [...samples].sort((a, b) => a - b),
    0.5,
  );
}
