import {join} from 'node:path';
import {expect, test} from 'vitest';
import {Database, DatabaseInUse} from '#server/db/database.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';

const countRows = 'SELECT COUNT(*) FROM meta';

test('database: a snapshot reads one state while the owner goes on writing, and a second owner is refused', () => {
  const path = join(scratchDirectory(), 'parley.db');
  const owner = new Database(path);
  const add = (key: string) => owner.run('INSERT INTO meta (key, value) VALUES (?, ?)', key, '');
  add('before');
  const snapshot = new Database(path, {snapshot: true});
  add('after');
  expect([snapshot.value(countRows), owner.value(countRows)]).toEqual([1, 2]);
  expect(() => snapshot.run('DELETE FROM meta')).toThrow(/readonly/);
  expect(() => new Database(path)).toThrow(DatabaseInUse);
  snapshot.close();
  owner.close();
  const next = new Database(path);
  expect(next.value(countRows)).toBe(2);
  next.close();
});

test('database: a snapshot of data of another version is refused', () => {
  const path = join(scratchDirectory(), 'parley.db');
  const owner = new Database(path);
  owner.exec('PRAGMA user_version = 1');
  owner.close();
  expect(() => new Database(path, {snapshot: true})).toThrow('This data was written by an older Parley');
});
