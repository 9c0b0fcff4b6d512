import {spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {rmSync} from 'node:fs';
import {cpuSeconds} from './cpu-time.ts';
import {durationText, readTestTimes, timesFile} from './test-times.ts';

const lint = ['biome', 'check', '--error-on-warnings'];

/** The steps of `npm test`, `npm run check` and `npm run test:slow`. Each is a program of `node_modules/.bin`. */
const steps = {
  types: ['tsc'],
  lint,
  'lint-changes': [...lint, '--no-errors-on-unmatched', ...changedFiles()],
  build: ['node', 'src/build/build.ts'],
  tests: ['vitest', 'run', '--config', 'test/vitest.config.ts'],
};

/**
 * Runs the named groups of steps one after the other until one fails; the steps of a group (`lint+tests`) run at once, because
 * the tests leave the cores idle now and then. Further arguments are for the tests.
 */
async function run(groups: readonly string[], testArgs: readonly string[]): Promise<number> {
  rmSync(timesFile, {force: true});
  const began = performance.now();
  const parts: string[] = [];
  let status = 0;
  for (const group of groups) {
    const groupBegan = performance.now();
    const names = group.split('+');
    const results = await Promise.all(names.map((name) => runStep(name, testArgs)));
    for (const {output} of results) process.stdout.write(output);
    const failures = results.filter((result) => result.status !== 0);
    for (const {name} of failures) console.log(`Failed: ${name}`);
    status = failures[0]?.status ?? 0;
    parts.push(`${group.replaceAll('+', ', ')} ${durationText((performance.now() - groupBegan) / 1000)}`);
    if (status !== 0) break;
  }
  const total = durationText((performance.now() - began) / 1000);
  console.log(`${total} (${parts.join('; ')}), ${Math.round(cpuSeconds())} s of CPU time`);
  printCounts();
  return status;
}

/** Returns the files that differ from the commit before the last one; none, which means all, when there is no such commit. */
function changedFiles(): string[] {
  const lists = [
    ['diff', '--name-only', '--diff-filter=d', 'HEAD~1'],
    ['ls-files', '--others', '--exclude-standard'],
  ].map((args) => spawnSync('git', args, {encoding: 'utf8'}));
  return lists.some(({status}) => status !== 0) ? [] : lists.flatMap(({stdout}) => stdout.split('\n').filter(Boolean));
}

interface StepResult {
  readonly name: string;
  readonly status: number;
  /** Empty for the tests, which print while they run. */
  readonly output: string;
}

async function runStep(name: string, testArgs: readonly string[]): Promise<StepResult> {
  const [program = '', ...args] = steps[name as keyof typeof steps];
  if (name === 'tests') {
    const [status] = await once(spawn(program, [...args, ...testArgs], {stdio: 'inherit'}), 'close');
    return {name, status: status ?? 1, output: ''};
  }
  const child = spawn(program, args, {stdio: ['ignore', 'pipe', 'pipe']});
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(chunk));
  const [status] = await once(child, 'close');
  return {name, status: status ?? 1, output: Buffer.concat(chunks).toString()};
}

/** Prints the number of tests, if they ran. */
function printCounts(): void {
  try {
    const {passed, failed, skipped} = readTestTimes();
    console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
  } catch {
    console.log('The tests did not run.');
  }
}

const [names = '', ...testArgs] = process.argv.slice(2);
process.exitCode = await run(names.split(','), testArgs);
