import {setTimeout as sleep} from 'node:timers/promises';
import type {ProgramEnvironment} from '#test/bench/ui/measured-program.ts';
import {quiet} from '#test/bench/weight/measured-world.ts';
import {cpuSeconds, residentMiB} from '#test/bench/weight/process-figures.ts';
import type {Terminal} from '#test/support/terminal/terminal.ts';
import type {ComparedProgram} from './compared-programs.ts';

const size = {cols: 160, rows: 45};
const scrolls = 200;
const characters = 150;
/** A program is quiet when it has written nothing for this long. */
const quietMs = 2000;
/** Between two keys. */
const pauseMs = 25;

/** The figures of a run, by the title of their row. Times are in milliseconds, memory in MiB. */
export type Figures = Readonly<Record<string, number>>;

/** Starts the program with what an earlier run left on disk, and uses it. Without such a run the start is a cold one. */
export async function figuresOf(
  program: ComparedProgram,
  place: ProgramEnvironment,
  isCold: boolean,
): Promise<Figures> {
  const began = performance.now();
  const terminal = program.open(size, place);
  try {
    let lastOutput = began;
    let cpu = 0;
    const stop = terminal.onFrame(() => {
      lastOutput = performance.now();
      cpu = cpuSeconds(terminal.pid);
    });
    await terminal.waitFor((screen) => program.hasContent(screen), `content of ${program.name}`);
    const content = performance.now() - began;
    await quiet(terminal, quietMs);
    stop();
    const start = {
      [isCold ? 'first content, cold' : 'first content, warm']: content,
      [`output quiet, ${isCold ? 'cold' : 'warm'}`]: lastOutput - began,
      [`CPU time until then, ${isCold ? 'cold' : 'warm'}`]: cpu * 1000,
    };
    return {...start, ...(isCold ? {} : await use(program, terminal))};
  } finally {
    for (const key of program.quit) terminal.keys(key);
    await terminal.waitForExit();
    await terminal.close();
  }
}

async function use(program: ComparedProgram, terminal: Terminal): Promise<Figures> {
  const atStart = residentMiB(terminal.pid);
  terminal.keys(program.feed);
  await terminal.waitFor((screen) => program.showsFeed(screen), `combined feed of ${program.name}`);
  await quiet(terminal);
  const scroll = await costOfKey(terminal, scrolls, (at) =>
    terminal.keys(at < scrolls / 2 ? program.up : program.down),
  );
  terminal.keys(...program.write);
  await terminal.waitUntil(({cursor}) => cursor.visible, 'cursor where text is written');
  await quiet(terminal);
  const typed = await costOfKey(terminal, characters, (at) => terminal.type('the tide is in. '[at % 16] ?? 'a'));
  const afterUse = residentMiB(terminal.pid);
  terminal.keys(...program.discard);
  await quiet(terminal);
  return {
    'resident at start': atStart,
    [`resident after ${scrolls} scrolls, ${characters} characters`]: afterUse,
    'CPU time of a typed character': typed,
    'CPU time of a scroll key': scroll,
  };
}

async function costOfKey(terminal: Terminal, count: number, press: (at: number) => void): Promise<number> {
  const before = cpuSeconds(terminal.pid);
  for (let at = 0; at < count; at++) {
    press(at);
    await sleep(pauseMs);
  }
  await quiet(terminal, 200);
  return ((cpuSeconds(terminal.pid) - before) * 1000) / count;
}
