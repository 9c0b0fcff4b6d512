import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname} from 'node:path';
import {Worker} from 'node:worker_threads';
import {afterAll, beforeEach} from 'vitest';
import {type Hits, hitsFileOf} from './coverage.ts';
import type {Plan} from './rounds.ts';

/** The switches of the mutants of one source file. */
interface Switches {
  (id: number): boolean;
  not(id: number, value: unknown): unknown;
  compare(id: number, operator: string, left: number, right: number): unknown;
  drop<T>(id: number, value: T, call: (value: T) => T): T;
}

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
}

const {PARLEY_MUTANT_PLAN: planFile, PARLEY_MUTANT_HITS: hitsFolder} = process.env;
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

function switchesOf(isOn: (id: number) => boolean): Switches {
  return Object.assign(isOn, {
    not: (id: number, value: unknown) => (isOn(id) ? !value : value),
    compare: (id: number, operator: string, left: number, right: number) => compare(operator, isOn(id), left, right),
    drop: <T>(id: number, value: T, call: (value: T) => T) => (isOn(id) ? value : call(value)),
  });
}

function compare(operator: string, isMutated: boolean, left: number, right: number): unknown {
  if (operator === '-') return isMutated ? left + right : left - right;
  if (operator === '===' || operator === '!==') return (left === right) !== ((operator === '!==') !== isMutated);
  // With the mutation, equal values give the other answer.
  if (left === right) return operator.endsWith('=') !== isMutated;
  return operator.startsWith('<') ? left < right : left > right;
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
    const hits: Hits = {file: file.name, project: file.projectName ?? '', sources, byTest};
    const path = hitsFileOf(hits.file, hits.project);
    mkdirSync(dirname(path), {recursive: true});
    writeFileSync(path, JSON.stringify(hits));
  });
}

if (planFile !== undefined) {
  const plan: Plan = JSON.parse(readFileSync(planFile, 'utf8'));
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
      Object.assign(state, {source: '', id: -1});
    });
  });
}
