import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname} from 'node:path';
import {Worker} from 'node:worker_threads';
import {afterAll, beforeEach} from 'vitest';
import {checksumOf, type Hits, hitsFileOf} from './coverage.ts';
import type {Plan} from './rounds.ts';
import {type Switches, switchesOf} from './switch-functions.ts';

/** The mutants of the sources that a worker has loaded. */
interface Planted {
  readonly checksums: Record<string, string>;
  /** The mutants that were reached since the last test, by source. */
  readonly reached: Map<string, Set<number>>;
  /** The mutants with which a test of this worker failed. */
  readonly caught: Set<string>;
  /** The source and number of the mutant that is on. */
  source: string;
  id: number;
}

interface Global {
  $mutants?: (source: string, checksum: string) => Switches;
  $planted?: Planted;
  /** What Vitest tells its workers. */
  __vitest_worker__?: {readonly filepath: string; readonly ctx: {readonly projectName: string}};
}

const {PARLEY_MUTANT_PLAN: planFile, PARLEY_MUTANT_HITS: hitsFolder, PARLEY_MUTANT_BY_FILE: byFile} = process.env;
const global = globalThis as Global;

// The modules of a worker are evaluated once for all its test files, and so are their switches.
if (global.$mutants === undefined) {
  const state: Planted = {checksums: {}, reached: new Map(), caught: new Set(), source: '', id: -1};
  global.$planted = state;
  global.$mutants = (source, checksum) => {
    state.checksums[source] = checksum;
    const reached = new Set<number>();
    state.reached.set(source, reached);
    const isOn = (id: number) => state.id === id && state.source === source;
    return switchesOf(hitsFolder === undefined ? isOn : (id) => reached.add(id) && false);
  };
  if (planFile !== undefined) endWhenStuck();
}

/** Ends the process when a mutant made an endless loop, which no timeout of a test interrupts. */
function endWhenStuck(): void {
  const beat = new Int32Array(new SharedArrayBuffer(4));
  setInterval(() => Atomics.add(beat, 0, 1), 500).unref();
  const watch = `const {workerData} = require('node:worker_threads');
    let last = -1;
    setInterval(() => {
      const now = Atomics.load(workerData, 0);
      if (now === last) process.kill(process.pid, 'SIGKILL');
      last = now;
    }, 20_000);`;
  new Worker(watch, {eval: true, workerData: beat}).unref();
}

if (hitsFolder !== undefined) {
  const byTest: Record<string, Record<string, readonly number[]>> = {};
  beforeEach(({task, onTestFinished}) => {
    const reached = global.$planted?.reached ?? new Map<string, Set<number>>();
    for (const ids of reached.values()) ids.clear();
    onTestFinished(() => {
      const some = [...reached].filter(([, ids]) => ids.size > 0).map(([source, ids]) => [source, [...ids]] as const);
      if (task.result?.state !== 'fail') byTest[task.fullTestName] = Object.fromEntries(some);
    });
  });
  // biome-ignore lint/correctness/noEmptyPattern: vitest requires a pattern, and the file is the second argument
  afterAll(({}, {file}) => {
    const sources = global.$planted?.checksums ?? {};
    const checksum = checksumOf(readFileSync(file.filepath, 'utf8'));
    const hits: Hits = {file: file.name, project: file.projectName ?? '', checksum, sources, byTest};
    const path = hitsFileOf(hits.file, hits.project);
    mkdirSync(dirname(path), {recursive: true});
    writeFileSync(path, JSON.stringify(hits));
  });
}

if (planFile !== undefined) {
  const plan: Plan = JSON.parse(readFileSync(planFile, 'utf8'));
  // A mutant that is evaluated with its module is on before the modules of the test file are loaded.
  if (byFile !== undefined && global.$planted !== undefined && global.__vitest_worker__ !== undefined) {
    const {filepath, ctx} = global.__vitest_worker__;
    const file = filepath.slice(process.cwd().length + 1);
    Object.assign(global.$planted, Object.values(plan[`${ctx.projectName} ${file}`] ?? {})[0]);
  }
  beforeEach(({task, skip, onTestFinished}) => {
    const state = global.$planted;
    const mutant = plan[`${task.file.projectName} ${task.file.name}`]?.[task.fullTestName];
    if (state === undefined || mutant === undefined) return;
    const {source, id} = mutant;
    // One failure is enough, and with a mutant many tests wait in vain.
    if (state.caught.has(`${source} ${id}`)) skip();
    Object.assign(state, {source, id});
    // What is registered first runs last: what the test left behind is removed with the mutant on.
    onTestFinished(() => {
      if (task.result?.state === 'fail') state.caught.add(`${source} ${id}`);
      if (byFile === undefined) Object.assign(state, {source: '', id: -1});
    });
  });
}
