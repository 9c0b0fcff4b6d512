import {mkdtempSync, rmSync, statfsSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {onTestFinished} from 'vitest';

const minBytes = 4 * 1024 ** 3;

/** Returns the folder for temporary files: one in memory if it has room, so that tests do not wait for the disk. */
function temporaryFolder(): string {
  try {
    const {bavail, bsize} = statfsSync('/dev/shm');
    if (bavail * bsize >= minBytes) return '/dev/shm';
  } catch {
    // Only Linux has it.
  }
  return tmpdir();
}

/** Creates an empty directory that is removed when the test ends. */
export function scratchDirectory(): string {
  const directory = mkdtempSync(join(temporaryFolder(), 'parley-test-'));
  // A process that is ending may still write a file.
  onTestFinished(() => rmSync(directory, {recursive: true, force: true, maxRetries: 5}));
  return directory;
}
