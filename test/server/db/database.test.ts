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

test('database: a copy can begin during a transaction', async () => {
  const folder = scratchDirectory();
  const db = new Database(join(folder, 'parley.db'));
  onTestFinished(() => db.close());
  let isCopying = true;
  let writes = 0;
  // The steps of a copy run in another thread; a transaction that waits makes it likely that the first is during one.
  const pause = new Int32Array(new SharedArrayBuffer(4));
  const write = () => {
    if (!isCopying) return;
    db.transaction(() => {
      db.run('INSERT INTO meta (key, value) VALUES (?, ?)', `key ${writes++}`, 'x');
      Atomics.wait(pause, 0, 0, 20);
    });
    if (writes < 20) setImmediate(write);
  };
  setImmediate(write);
  await db.copyTo(join(folder, 'copy.db')).finally(() => {
    isCopying = false;
  });
  const copy = new Database(join(folder, 'copy.db'), {asFound: true});
  expect(copy.value('PRAGMA integrity_check')).toBe('ok');
  copy.close();
});
