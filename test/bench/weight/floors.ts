import {dirname, join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {launchFlags} from '#build/launch-flags.ts';
import {packagePatches} from '#build/package-patches.ts';
import {percentile} from '#test/bench/table.ts';
import {cacheDirectory} from '#test/bench/ui/cache.ts';
import {parleyProgram} from '#test/bench/ui/parley-program.ts';
import {stockBundle} from '#test/support/stock-bundle.ts';
import {builtProgram} from '#test/support/terminal/built-program.ts';
import {type Size, Terminal} from '#test/support/terminal/terminal.ts';
import {measuredWorld, quiet} from './measured-world.ts';
import {anonymousMiB, cpuSeconds, residentMiB} from './process-figures.ts';

const rounds = 5;
const size: Size = {cols: 160, rows: 45};
/** Longer than the program waits before its first collection of garbage, so that this is included. */
const settledMs = 2500;

/** Measures what each layer of the program takes: Node, its packages, its code, its data. */
export async function floorRows(worlds: readonly string[]): Promise<string[][]> {
  const wait = ['--eval', 'setInterval(() => {}, 60_000)'];
  const hello = await stockBundle(
    'test/bench/ui/ink-hello.ts',
    join(cacheDirectory(), 'patched-hello.mjs'),
    packagePatches,
  );
  const rows = [
    await row('bare Node, without flags', () => Terminal.open(process.execPath, wait, {size})),
    await row('bare Node, with the flags of a start', () => node(wait)),
    await row('+ React and a tree of one line in Ink, patched', () => node([hello])),
    await row('+ source and compiled code of the program instead', () => node(['--eval', loading])),
  ];
  for (const name of worlds) {
    const world = await measuredWorld(name);
    try {
      const open = () => world.open(size);
      // The measured starts find data on disk.
      await screenFigures(open());
      rows.push(await row(`+ screen and data of the ${name} account`, open, screenFigures));
    } finally {
      await world.stop();
    }
  }
  return rows;
}

function node(args: readonly string[]): Terminal {
  const env = {...process.env, NODE_ENV: 'production', PROGRAM: dirname(builtProgram())};
  return Terminal.open(process.execPath, [...launchFlags, ...args], {size, env});
}

/** The figures of a process: memory in MiB, CPU time in milliseconds. */
type Figures = readonly [resident: number, ownMemory: number, cpu: number];

async function row(title: string, open: () => Terminal, measure = figures): Promise<string[]> {
  const all: Figures[] = [];
  for (let round = 0; round < rounds; round++) all.push(await measure(open()));
  const [resident, ownMemory, cpu] = [0, 1, 2].map((at) => {
    const samples = all.map((each) => each[at] ?? Number.NaN);
    return percentile(
      samples.sort((one, other) => one - other),
      0.5,
    ).toFixed(0);
  });
  return [title, `${resident} MiB`, `${ownMemory} MiB`, `${cpu} ms`];
}

async function figures(terminal: Terminal): Promise<Figures> {
  try {
    await sleep(settledMs);
    return [residentMiB(terminal.pid), anonymousMiB(terminal.pid), cpuSeconds(terminal.pid) * 1000];
  } finally {
    await terminal.close();
  }
}

async function screenFigures(terminal: Terminal): Promise<Figures> {
  await terminal.waitFor(parleyProgram.isUsable, 'content');
  await quiet(terminal, settledMs);
  const {pid} = terminal;
  const found: Figures = [residentMiB(pid), anonymousMiB(pid), cpuSeconds(pid) * 1000];
  await parleyProgram.quit(terminal);
  await terminal.close();
  return found;
}

/** Loads the program like `launcher.cjs`, and does not start it. */
const loading = `
  const {globSync, readFileSync} = require('node:fs');
  const [cache] = globSync(process.env.PROGRAM + '/compiled/*-screen-limited.cache');
  const cachedData = cache === undefined ? undefined : readFileSync(cache);
  const source = readFileSync(process.env.PROGRAM + '/screen.cjs').latin1Slice();
  const program = {exports: {}};
  new (require('node:vm').Script)(source, {filename: 'parley', cachedData})
    .runInThisContext()(program.exports, require, program, '', '');
  setInterval(() => {}, 60_000);
`;
