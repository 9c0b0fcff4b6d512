import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {type BenchServer, startBenchServer, worldDirectory} from '#test/bench/bench-server.ts';
import {ms, percentile, printTable} from '#test/bench/table.ts';
import {type Size, Terminal} from '#test/support/terminal/terminal.ts';
import {bareNodeBaseline, inkHello} from './baselines.ts';
import type {MeasuredProgram, ProgramEnvironment} from './measured-program.ts';

const size: Size = {cols: 120, rows: 40};

interface Start {
  readonly painted: number;
  readonly usable: number;
  /** In MiB, when it is ready. */
  readonly resident: number;
}

/** Measures from the start of the process to the first output and to the requested content. */
export async function startCosts(program: MeasuredProgram, worlds: readonly string[], rounds: number): Promise<void> {
  const floor = await floors(rounds);
  const rows = [
    ['(floor: Node alone)', ms(middle(Array.from({length: rounds}, bareNodeBaseline))), '', '', ''],
    row('(floor: Ink hello-world, bundled)', floor.bundled, floor.bundled),
    row('(floor: Ink hello-world, packages as they are)', floor.plain, floor.bundled),
  ];
  for (const world of worlds) {
    const served = await startBenchServer('--data', worldDirectory(world), '--size', world, '--bots', 'off');
    try {
      const {fresh, kept} = await inWorld(program, served, rounds);
      rows.push(row(`${world}, nothing on disk`, fresh, floor.bundled));
      rows.push(row(`${world}, with disk`, kept, floor.bundled));
    } finally {
      await served.stop();
    }
  }
  printTable(
    `Start of ${program.name} (middle of ${rounds})`,
    ['', 'first paint', 'usable', 'paint ÷ hello', 'RSS'],
    rows,
  );
}

async function floors(rounds: number): Promise<{plain: Start; bundled: Start}> {
  const files = await inkHello();
  const start = (file: string) =>
    repeated(rounds, async () => {
      const env = {...process.env, NODE_ENV: 'production'};
      const began = performance.now();
      return watched(Terminal.open(process.execPath, [file], {size, env}), began, greets, greets);
    });
  return {plain: await start(files.plain), bundled: await start(files.bundled)};
}

const greets = ({text}: {readonly text: string}): boolean => text.includes('Hello');

async function inWorld(
  program: MeasuredProgram,
  served: BenchServer,
  rounds: number,
): Promise<{fresh: Start; kept: Start}> {
  const [you] = served.accounts;
  if (you === undefined) throw new Error('nobody to sign in as');
  const {isPainted, isUsable} = program;
  const at = async (home: string) => {
    const place: ProgramEnvironment = {home, site: served.url, email: you.email, apiKey: you.api_key};
    const began = performance.now();
    return watched(program.open(size, place), began, isPainted, isUsable, program.quit);
  };
  const fresh = await repeated(rounds, () => inScratch(at));
  const kept = await inScratch(async (home) => {
    await at(home);
    return repeated(rounds, () => at(home));
  });
  return {fresh, kept};
}

async function watched(
  terminal: Terminal,
  began: number,
  isPainted: MeasuredProgram['isPainted'],
  isUsable: MeasuredProgram['isUsable'],
  quit: MeasuredProgram['quit'] = async () => {},
): Promise<Start> {
  try {
    let painted: number | undefined;
    await terminal.waitFor((screen) => {
      if (isPainted(screen)) painted ??= performance.now() - began;
      return isUsable(screen);
    }, 'the program ready');
    const usable = performance.now() - began;
    const resident = residentMiB(terminal.pid);
    await quit(terminal);
    return {painted: painted ?? usable, usable, resident};
  } finally {
    await terminal.close();
  }
}

export function residentMiB(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}

/** Runs once without counting, to fill the caches of compiled code. */
async function repeated(rounds: number, once: () => Promise<Start>): Promise<Start> {
  await once();
  const starts: Start[] = [];
  for (let round = 0; round < rounds; round++) starts.push(await once());
  return {
    painted: middle(starts.map(({painted}) => painted)),
    usable: middle(starts.map(({usable}) => usable)),
    resident: middle(starts.map(({resident}) => resident)),
  };
}

async function inScratch<T>(body: (directory: string) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'parley-bench-'));
  try {
    return await body(directory);
  } finally {
    rmSync(directory, {recursive: true, force: true});
  }
}

function middle(samples: readonly number[]): number {
  return percentile(
    [...samples].sort((a, b) => a - b),
    0.5,
  );
}

function row(name: string, {painted, usable, resident}: Start, floor: Start): string[] {
  return [name, ms(painted), ms(usable), `${(painted / floor.painted).toFixed(1)}×`, `${resident} MiB`];
}
