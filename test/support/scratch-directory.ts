import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {onTestFinished} from 'vitest';

/** Creates an empty directory that is removed when the test ends. */
export function scratchDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'parley-test-'));
  onTestFinished(() => rmSync(directory, {recursive: true, force: true}));
  return directory;
}
