import {afterAll, beforeEach} from 'vitest';
import {cpuSeconds} from './cpu-time.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** The CPU seconds of a test or of a file with its imports, child processes included. */
    cpuSeconds?: number;
  }
}

// This setup file is evaluated before each test file. A worker is a process that runs one file at a time.
const fileBegan = cpuSeconds();
// Tests run one after the other, so the end of one is where the next begins: reading the time once for each is enough.
let lastEnd = fileBegan;

beforeEach(({task, onTestFinished}) => {
  // What is registered first runs last, after the test's own processes have ended.
  onTestFinished(() => {
    const end = cpuSeconds();
    task.meta.cpuSeconds = end - lastEnd;
    lastEnd = end;
  });
});

// biome-ignore lint/correctness/noEmptyPattern: vitest requires a pattern, and the file is the second argument
afterAll(({}, {file}) => {
  file.meta.cpuSeconds = cpuSeconds() - fileBegan;
});
