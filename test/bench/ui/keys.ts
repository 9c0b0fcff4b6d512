import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {ms, printTable} from '#test/bench/table.ts';
import type {Size, Terminal} from '#test/support/terminal/terminal.ts';
import {echoBaseline} from './baselines.ts';
import {flood} from './flood.ts';
import {type Latency, latencyOf} from './latency.ts';
import type {MeasuredAction, MeasuredProgram} from './measured-program.ts';
import {residentMiB} from './start.ts';
import {type LongWorld, longTopic, longWorld} from './worlds.ts';

const incomingPerSecond = 200;

/** Measures keys with ten thousand messages loaded: idle, under a flood of messages, and with a server that hangs. */
export async function keyCosts(program: MeasuredProgram, sizes: readonly Size[], rounds: number): Promise<void> {
  for (const size of sizes) {
    const world = await longWorld();
    const home = mkdtempSync(join(tmpdir(), 'parley-bench-'));
    try {
      await atSize(program, size, rounds, world, home);
    } finally {
      await world.stop();
      rmSync(home, {recursive: true, force: true});
    }
  }
}

async function atSize(
  program: MeasuredProgram,
  size: Size,
  rounds: number,
  world: LongWorld,
  home: string,
): Promise<void> {
  const {served, you} = world;
  const floor = await echoBaseline(size, rounds);
  const place = {home, site: served.url, email: you.email, apiKey: you.api_key};
  const terminal = program.open(size, place, longTopic);
  try {
    await terminal.waitFor(program.isUsable, `${program.name} ready`);
    await program.load(terminal);
    const loaded = residentMiB(terminal.pid);
    const calm = await each(terminal, program.actions, rounds);
    const stop = await flood(world, incomingPerSecond);
    const repeatable = program.actions.filter((action) => action.rounds === undefined);
    const flooded = await each(terminal, repeatable, rounds);
    const sent = await stop();
    const [typing] = program.actions;
    const hanging = typing === undefined ? undefined : await whileHanging(world, terminal, typing, rounds);
    const rows = program.actions.map((action) => row(action.name, floor, calm, flooded));
    if (hanging !== undefined) rows.push([`${typing?.name}, server hangs`, ...figures(hanging, floor)]);
    printTable(
      `${program.name} at ${size.cols}x${size.rows}`,
      ['', 'p50', 'p99', 'worst', 'bytes', 'p50 ÷ cat', 'flood p50', 'flood p99', 'flood bytes'],
      [['(floor: cat)', ...figures(floor, floor), '', '', ''], ...rows.map(padded)],
    );
    console.log(
      `${sent} messages came in; resident ${loaded} MiB with the long topic loaded, ${residentMiB(terminal.pid)} MiB at the end`,
    );
  } finally {
    await terminal.close();
  }
}

async function each(
  terminal: Terminal,
  actions: readonly MeasuredAction[],
  rounds: number,
): Promise<ReadonlyMap<string, Latency>> {
  const found = new Map<string, Latency>();
  for (const action of actions) found.set(action.name, await latencyOf(terminal, action, rounds));
  return found;
}

async function whileHanging(
  {served}: LongWorld,
  terminal: Terminal,
  action: MeasuredAction,
  rounds: number,
): Promise<Latency> {
  served.signal('SIGSTOP');
  try {
    return await latencyOf(terminal, action, rounds);
  } finally {
    served.signal('SIGCONT');
  }
}

type ByName = ReadonlyMap<string, Latency>;

function row(name: string, floor: Latency, calm: ByName, flooded: ByName): string[] {
  const [quiet, loud] = [calm.get(name), flooded.get(name)];
  return [
    name,
    ...(quiet === undefined ? ['', '', '', '', ''] : figures(quiet, floor)),
    ...(loud === undefined ? [] : [ms(loud.p50), ms(loud.p99), loud.bytes.toFixed(0)]),
  ];
}

function figures({p50, p99, worst, bytes}: Latency, floor: Latency): string[] {
  return [ms(p50), ms(p99), ms(worst), bytes.toFixed(0), `${(p50 / floor.p50).toFixed(0)}×`];
}

function padded(cells: readonly string[]): string[] {
  return Array.from({length: 9}, (_, at) => cells[at] ?? '-');
}
