import {writeFileSync} from 'node:fs';
import type {Reporter, TestCase, TestSpecification, Vitest} from 'vitest/node';
import type {CoveringTest} from './coverage.ts';

/** A mutant, by its source file and number. */
export interface MutantName {
  readonly source: string;
  readonly id: number;
}

/** Which mutant each test runs with, by `project file` and test name. */
export type Plan = Readonly<Record<string, Readonly<Record<string, MutantName>>>>;

/** The numbers of the mutants that are planted, by source. */
export type Sample = Readonly<Record<string, readonly number[]>>;

/** A mutant with the tests that reach it and have not run with it. */
export interface Trial {
  readonly mutant: MutantName;
  readonly left: Map<string, CoveringTest>;
  /** The test that failed with the mutant and not without. */
  failedWith?: CoveringTest;
}

interface ChosenTest {
  readonly test: CoveringTest;
  readonly trial: Trial;
}

/** How many mutants each test met, and with how many it failed. */
export type TestRecords = Map<string, {met: number; failed: number}>;

export function keyOf({project, file, name}: CoveringTest): string {
  return `${project} ${file}\n${name}`;
}

/** Hears which tests ended, and which began and never ended: those made an endless loop. */
export class ResultReporter implements Reporter {
  readonly begun = new Set<string>();
  readonly results = new Map<string, 'passed' | 'failed' | 'skipped'>();

  onTestCaseReady(test: TestCase): void {
    this.begun.add(keyOfCase(test));
  }

  onTestCaseResult(test: TestCase): void {
    const {state} = test.result();
    if (state !== 'pending') this.results.set(keyOfCase(test), state);
  }
}

function keyOfCase({module, project, fullName}: TestCase): string {
  return keyOf({project: project.name, file: module.relativeModuleId, name: fullName});
}

/**
 * Runs tests in rounds, until each mutant is caught or all its tests ran with it. In a round every test runs with one mutant
 * that it reaches, so a round tries as many mutants as there are tests, and the modules are loaded once for all of them. With
 * `isByFile`, all tests of a file run with the same mutant, which is on while its modules are loaded. Tests that failed run
 * once more without mutants: on a busy machine one that takes too long says nothing about a mutant.
 */
export async function runRounds(
  vitest: Vitest,
  reporter: ResultReporter,
  trials: readonly Trial[],
  {planFile, isByFile}: {readonly planFile: string; readonly isByFile: boolean},
  records: TestRecords,
): Promise<void> {
  /** The tests that failed with a mutant and passed without. */
  const sound = new Set<string>();
  const run = async (chosen: readonly ChosenTest[], plan: Plan) => {
    writeFileSync(planFile, JSON.stringify(plan));
    reporter.begun.clear();
    reporter.results.clear();
    const tests = chosen.map(({test}) => test);
    await vitest.runTestSpecifications(specificationsOf(vitest, tests));
    return (key: string) => reporter.results.get(key) ?? (reporter.begun.has(key) || isByFile ? 'failed' : undefined);
  };
  for (let round = 1; ; round++) {
    // Most mutants fail the first tests they meet.
    const chosen = chooseTests(trials, 4 * round, isByFile);
    if (chosen.size === 0) {
      const failed = trials.flatMap((trial) => {
        const {failedWith: test} = trial;
        return test === undefined || sound.has(keyOf(test)) ? [] : [{test, trial}];
      });
      if (failed.length === 0) return;
      console.log(`again without mutants: ${failed.length} tests that failed`);
      const resultOf = await run(failed, {});
      for (const {test, trial} of failed) {
        if (resultOf(keyOf(test)) === 'passed') sound.add(keyOf(test));
        else delete trial.failedWith;
      }
      continue;
    }
    const mutants = new Set([...chosen.values()].map(({trial}) => trial));
    console.log(`round ${round}: ${chosen.size} tests, ${mutants.size} mutants`);
    const resultOf = await run([...chosen.values()], planOf([...chosen.values()]));
    for (const [key, {test, trial}] of chosen) {
      const result = resultOf(key);
      // Without a result its modules could not be loaded. If others share them, the test may not have had its turn because
      // its worker ended; it is tried again once, in the next round.
      if (result !== undefined || reporter.results.size === 0) trial.left.delete(key);
      if (result === undefined || result === 'skipped') continue;
      if (result === 'failed') trial.failedWith ??= test;
      const {met, failed} = records.get(key) ?? {met: 0, failed: 0};
      records.set(key, {met: met + 1, failed: failed + (result === 'failed' ? 1 : 0)});
    }
  }
}

/**
 * Gives tests to each mutant, the best ones first, and each test or test file to one mutant only: first to those with the
 * fewest left.
 */
function chooseTests(trials: readonly Trial[], count: number, isByFile: boolean): Map<string, ChosenTest> {
  const chosen = new Map<string, ChosenTest>();
  const takenBy = new Map<string, Trial>();
  const open = trials.filter(({failedWith}) => failedWith === undefined);
  for (const trial of open.toSorted((a, b) => a.left.size - b.left.size)) {
    const takenKey = (test: CoveringTest) => (isByFile ? `${test.project} ${test.file}` : keyOf(test));
    const free = [...trial.left].filter(([, test]) => (takenBy.get(takenKey(test)) ?? trial) === trial);
    for (const [key, test] of free.slice(0, count)) {
      chosen.set(key, {test, trial});
      takenBy.set(takenKey(test), trial);
    }
  }
  return chosen;
}

function planOf(chosen: readonly ChosenTest[]): Plan {
  const plan: Record<string, Record<string, MutantName>> = {};
  for (const {test, trial} of chosen) {
    const name = `${test.project} ${test.file}`;
    plan[name] = {...plan[name], [test.name]: {source: trial.mutant.source, id: trial.mutant.id}};
  }
  return plan;
}

/** Returns what runs the given tests, one specification for each file. */
function specificationsOf(vitest: Vitest, tests: readonly CoveringTest[]): TestSpecification[] {
  const byFile = Map.groupBy(tests, ({project, file}) => `${project} ${file}`);
  return [...byFile.values()].flatMap((ofFile) => {
    const [first] = ofFile;
    const project = vitest.projects.find(({name}) => name === first?.project);
    const testNames = ofFile.map(({name}) => name);
    return project?.createSpecification(`${process.cwd()}/${first?.file}`, {testNames}) ?? [];
  });
}
