import {spawnSync} from 'node:child_process';
import {rmSync} from 'node:fs';
import {cpuSeconds} from './cpu-time.ts';
import {durationText, readTestTimes, timesFile} from './test-times.ts';

/** The steps of `npm test`; `npm run test:slow` has the last two. Each is a program of `node_modules/.bin`. */
const steps = {
  types: ['tsc'],
  lint: ['biome', 'check', '--error-on-warnings'],
  build: ['node', 'src/build/build.ts'],
  tests: ['vitest', 'run', '--config', 'test/vitest.config.ts'],
};

/** Runs the named steps one after the other until one fails; further arguments are for the last one. */
function run(names: readonly string[], lastArgs: readonly string[]): number {
  rmSync(timesFile, {force: true});
  const began = performance.now();
  const parts: string[] = [];
  let status = 0;
  for (const [index, name] of names.entries()) {
    const [program = '', ...args] = steps[name as keyof typeof steps];
    const stepBegan = performance.now();
    const more = index === names.length - 1 ? lastArgs : [];
    status = spawnSync(program, [...args, ...more], {stdio: 'inherit'}).status ?? 1;
    parts.push(`${name} ${durationText((performance.now() - stepBegan) / 1000)}`);
    if (status !== 0) break;
  }
  const total = durationText((performance.now() - began) / 1000);
  console.log(`${total} (${parts.join(', ')}), ${Math.round(cpuSeconds())} s of CPU time`);
  printCounts();
  return status;
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

const [names = '', ...lastArgs] = process.argv.slice(2);
process.exitCode = run(names.split(','), lastArgs);
