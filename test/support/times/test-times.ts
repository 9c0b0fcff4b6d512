import {readFileSync} from 'node:fs';

/** Where the times of the last run are kept. */
export const timesFile = 'node_modules/.cache/test-times.json';

export interface Timed {
  /** The file, or the file and the name of a test. */
  readonly name: string;
  readonly wallSeconds: number;
  readonly cpuSeconds: number;
}

/** What `times-reporter.ts` writes. */
export interface TestTimes {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly files: readonly Timed[];
  readonly tests: readonly Timed[];
}

export function readTestTimes(): TestTimes {
  return JSON.parse(readFileSync(timesFile, 'utf8'));
}

/** Returns seconds as text, such as `3 min 20 s`. */
export function durationText(seconds: number): string {
  const rounded = Math.round(seconds);
  return rounded < 60 ? `${rounded} s` : `${Math.floor(rounded / 60)} min ${rounded % 60} s`;
}
