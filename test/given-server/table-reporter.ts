import type {Reporter, TestCase, TestModule} from 'vitest/node';

/** Prints one row per test: result, time, name and the reason of a skip; then the failures. */
// biome-ignore lint/style/noDefaultExport: vitest loads a reporter by its default export
export default class TableReporter implements Reporter {
  onTestCaseResult(test: TestCase): void {
    const result = test.result();
    const seconds = ((test.diagnostic()?.duration ?? 0) / 1000).toFixed(1).padStart(6);
    const note = result.state === 'skipped' && result.note !== undefined ? ` (${result.note})` : '';
    console.log(`${result.state.padEnd(8)}${seconds} s  ${test.fullName}${note}`);
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    for (const test of tests) {
      for (const error of test.result().errors ?? []) {
        console.log(`\n${test.fullName}\n${error.message}\n${error.diff ?? ''}`);
      }
    }
    // A file that could not be loaded has no tests.
    const moduleErrors = modules.flatMap((module) => module.errors());
    for (const error of moduleErrors) console.log(error.message);
    const count = (state: string) => tests.filter((test) => test.result().state === state).length;
    console.log(`\n${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`);
  }
}
