import {mkdirSync, writeFileSync} from 'node:fs';
import {dirname} from 'node:path';
import type {Reporter, TestModule} from 'vitest/node';
import {type TestTimes, timesFile} from './test-times.ts';

/** Writes the results and times of a run to a file, for `npm test` and `npm run test:times`. */
// biome-ignore lint/style/noDefaultExport: vitest loads a reporter by its default export
export default class TimesReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string) => tests.filter((test) => test.result().state === state).length;
    // A file that could not be loaded has no tests.
    const brokenFiles = modules.filter((module) => module.errors().length > 0);
    const times: TestTimes = {
      passed: count('passed'),
      failed: count('failed') + brokenFiles.length + errors.length,
      skipped: count('skipped'),
      files: modules.map((module) => ({
        name: `${module.relativeModuleId} (${module.project.name})`,
        wallSeconds: module.diagnostic().duration / 1000,
        cpuSeconds: module.meta().cpuSeconds ?? 0,
      })),
      tests: tests.map((test) => ({
        name: `${test.module.relativeModuleId}: ${test.fullName}`,
        wallSeconds: (test.diagnostic()?.duration ?? 0) / 1000,
        cpuSeconds: test.meta().cpuSeconds ?? 0,
      })),
    };
    mkdirSync(dirname(timesFile), {recursive: true});
    writeFileSync(timesFile, JSON.stringify(times));
  }
}
