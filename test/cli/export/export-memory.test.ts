import {once} from 'node:events';
import {readdirSync} from 'node:fs';
import {join} from 'node:path';
import {Worker} from 'node:worker_threads';
import {expect} from 'vitest';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {slowTest} from '#test/support/tier.ts';

slowTest(
  'export: 20,000 messages are saved and written as pages with less memory than their size',
  async () => {
    const directory = join(scratchDirectory(), 'out');
    const worker = new Worker(join(import.meta.dirname, 'export-many.ts'), {
      workerData: {directory, count: 20_000, characters: 2500},
      // The messages have 50 MB. A worker that needs more than this ends with an error.
      resourceLimits: {maxOldGenerationSizeMb: 44},
    });
    const [code] = await once(worker, 'exit');
    expect(code).toBe(0);
    expect(readdirSync(join(directory, 'html'))).toHaveLength(20);
  },
  60_000,
);
