import {statSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {Database} from '#server/db/database.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';

test('database: many writes are copied from the log into the file without waiting for the end', async () => {
  const path = join(scratchDirectory(), 'parley.db');
  const db = new Database(path);
  onTestFinished(() => db.close());
  const before = statSync(path).size;
  db.transaction(() => {
    for (let key = 0; key < 2000; key++) {
      db.run('INSERT INTO meta (key, value) VALUES (?, ?)', `key ${key}`, 'x'.repeat(500));
    }
  });
  await expect.poll(() => statSync(path).size - before).toBeGreaterThan(1_000_000);
  expect(db.value('SELECT COUNT(*) FROM meta')).toBeGreaterThanOrEqual(2000);
});
