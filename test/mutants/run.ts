import {spawnSync} from 'node:child_process';
import {globSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {availableParallelism, loadavg} from 'node:os';
import {parseArgs} from 'node:util';
import {createVitest} from 'vitest/node';
import {Random} from '#std/random.ts';
import {checksumOf, coverage, folder} from './coverage.ts';
import {kinds, type Mutant, plantMutants} from './plant-mutants.ts';
import {
  keyOf,
  type MutantName,
  ResultReporter,
  runRounds,
  type Sample,
  type TestRecords,
  type Trial,
} from './rounds.ts';

const usage = `npm run test:mutants -- [FOLDER|FILE…] [--kinds K,…] [--sample N] [--even] [--seed S] [--at FILE:LINE…] [--tests FOLDER…] [--unit] [--most N] [--renew]
Plants small bugs in src/FOLDER (what changed since the commit before the last, unless told) and prints those that no test
catches. --kinds plants only these (${Object.keys(kinds).join(', ')}).
--sample N plants N of them, chosen by --seed, with --even as many of each FOLDER; --at plants those of a line. --tests asks only these tests, such as
test/state, --unit only unit tests, --most 24 at most so many for
each mutant. Which tests reach what is learned once; --renew learns it again.`;

const {values, positionals} = parseArgs({
  allowPositionals: true,
  options: {
    kinds: {type: 'string'},
    sample: {type: 'string'},
    even: {type: 'boolean'},
    seed: {type: 'string'},
    at: {type: 'string', multiple: true},
    tests: {type: 'string', multiple: true},
    unit: {type: 'boolean'},
    most: {type: 'string', default: '24'},
    renew: {type: 'boolean'},
    help: {type: 'boolean'},
  },
});

interface Planted extends Mutant, MutantName {
  readonly checksum: string;
}

interface Result {
  readonly mutant: Planted;
  readonly verdict: 'caught' | 'survived' | 'no test';
  /** How many tests reach it. */
  readonly reachedBy: number;
}

function changedFiles(): string[] {
  const {stdout} = spawnSync('git', ['diff', '--name-only', '--diff-filter=d', 'HEAD~1', '--', 'src'], {
    encoding: 'utf8',
  });
  return stdout.split('\n');
}

function sourceFiles(names: readonly string[]): string[] {
  const found = names.flatMap((name) => globSync([`src/${name}/**/*`, `src/${name}`]));
  const files = (names.length === 0 ? changedFiles() : found).filter((file) => /\.tsx?$/.test(file));
  return [...new Set(files.map((file) => file.slice('src/'.length)))].sort();
}

function mutantsOf(source: string): Planted[] {
  const text = readFileSync(`src/${source}`, 'utf8');
  const checksum = checksumOf(text);
  return plantMutants(source, text).mutants.map((mutant, id) => ({...mutant, source, id, checksum}));
}

function sampleOf<T>(items: readonly T[], count: number, seed: number): T[] {
  const random = new Random(seed);
  const rest = [...items];
  return Array.from({length: Math.min(count, rest.length)}, () => rest.splice(random.below(rest.length), 1)).flat();
}

/** Returns a sample with the same number of each folder as far as they have so many. */
function evenSampleOf(items: readonly Planted[], count: number, seed: number): Planted[] {
  const folders = Map.groupBy(items, ({source}) => positionals.find((name) => source.startsWith(name)) ?? '');
  let left = count;
  // Small folders first: what they lack is taken from the others.
  return [...folders.values()]
    .toSorted((a, b) => a.length - b.length)
    .flatMap((ofFolder, index) => {
      const sample = sampleOf(ofFolder, Math.ceil(left / (folders.size - index)), seed);
      left -= sample.length;
      return sample;
    });
}

function folderOf({source}: Planted): string {
  return source.split('/').slice(0, -1).join('/');
}

/** Prints the numbers by folder or kind. */
function printTable(title: string, results: readonly Result[], groupOf: (mutant: Planted) => string): void {
  const groups = Map.groupBy(results, ({mutant}) => groupOf(mutant));
  console.log(`\n| ${title} | mutants | caught | survived | reached by no test |\n| --- | --- | --- | --- | --- |`);
  for (const [name, rows] of [...[...groups].sort(([a], [b]) => (a < b ? -1 : 1)), ['all', results] as const]) {
    const count = (verdict: Result['verdict']) => rows.filter((row) => row.verdict === verdict).length;
    console.log(`| ${name} | ${rows.length} | ${count('caught')} | ${count('survived')} | ${count('no test')} |`);
  }
}

/** Prints the tests that passed with every mutant they met, if they met enough of them to say so. */
function printUnfailing(records: TestRecords): void {
  const never = [...records]
    .filter(([, {met, failed}]) => met >= 4 && failed === 0)
    .sort((a, b) => b[1].met - a[1].met);
  if (never.length > 0) console.log('\nTests that passed with each mutant that they met:');
  for (const [key, {met}] of never) console.log(`${String(met).padStart(4)}  ${key.replace('\n', ': ')}`);
}

/** Runs the tests of mutants that are all evaluated with their modules (`isByFile`), or all later. */
async function runTrials(
  trials: readonly {readonly mutant: Planted; readonly trial: Trial}[],
  isByFile: boolean,
  records: TestRecords,
): Promise<void> {
  const [planFile, sampleFile] = ['plan', 'sample'].map((name) => `${folder}/${name}-${process.pid}.json`) as [
    string,
    string,
  ];
  const bySource = Map.groupBy(trials, ({mutant}) => mutant.source);
  const sample: Sample = Object.fromEntries(
    [...bySource].map(([name, ofSource]) => [name, ofSource.map(({mutant}) => mutant.id)]),
  );
  mkdirSync(folder, {recursive: true});
  writeFileSync(sampleFile, JSON.stringify(sample));
  // A mutant often makes a test wait in vain. The wait is longer where others use the machine too.
  const slowness = Math.min(4, Math.max(1, (loadavg()[0] ?? 0) / availableParallelism()));
  const [waitMs, timeoutMs] = [8000 * slowness, 15_000 * slowness];
  const environment = {
    PARLEY_MUTANT_PLAN: planFile,
    PARLEY_MUTANT_SAMPLE: sampleFile,
    PARLEY_TEST_PATIENCE_MS: String(Math.round(waitMs)),
  };
  Object.assign(process.env, environment, isByFile ? {PARLEY_MUTANT_BY_FILE: '1'} : {});
  const reporter = new ResultReporter();
  const vitest = await createVitest('test', {
    ...{config: 'test/mutants/vitest.config.ts', watch: false, reporters: [reporter]},
    ...{testTimeout: timeoutMs, hookTimeout: timeoutMs, expect: {poll: {timeout: waitMs}}},
  });
  const ofTrials = trials.map(({trial}) => trial);
  await runRounds(vitest, reporter, ofTrials, {planFile, isByFile}, records);
  await vitest.close();
  rmSync(planFile, {force: true});
  rmSync(sampleFile);
}

async function main(): Promise<void> {
  const files = sourceFiles(values.at?.map((place) => place.split(':')[0] ?? '') ?? positionals);
  const isOfKind = ({kind}: Mutant) => values.kinds?.split(',').includes(kind) ?? true;
  const all = files.flatMap(mutantsOf).filter(isOfKind);
  const possible = all.filter(({source, line}) => values.at?.includes(`${source}:${line}`) ?? true);
  const seed = Number(values.seed ?? Date.now() % 1_000_000);
  const sample = (values.even ? evenSampleOf : sampleOf)(possible, Number(values.sample ?? possible.length), seed);
  console.log(`${sample.length} of ${possible.length} mutants in ${files.length} files, seed ${seed}`);
  const asked = {folders: values.tests ?? [], areUnits: values.unit === true, most: Number(values.most)};
  const testsOf = await coverage(asked, values.renew === true);
  const trials = sample.map((mutant) => {
    const tests = testsOf(mutant);
    const trial: Trial = {mutant, left: new Map(tests.map((test) => [keyOf(test), test]))};
    return {mutant, trial, reachedBy: tests.length};
  });
  const records: TestRecords = new Map();
  for (const isByFile of [false, true]) {
    const some = trials.filter(({mutant}) => mutant.isEvaluatedOnce === isByFile);
    if (some.length > 0) await runTrials(some, isByFile, records);
  }
  const results = trials.map(({mutant, trial, reachedBy}): Result => {
    const verdict = trial.failedWith !== undefined ? 'caught' : reachedBy === 0 ? 'no test' : 'survived';
    return {mutant, reachedBy, verdict};
  });
  for (const {mutant, verdict, reachedBy} of results.filter((one) => one.verdict !== 'caught')) {
    console.log(
      `${verdict}  src/${mutant.source}:${mutant.line}  ${mutant.kind}: ${mutant.change}  (${reachedBy} tests)`,
    );
  }
  printTable('folder', results, folderOf);
  printTable('kind', results, ({kind}) => kind);
  printUnfailing(records);
  process.exitCode = 0;
}

if (values.help) console.log(usage);
else await main();
