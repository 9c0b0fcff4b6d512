import {chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import {Database} from '#storage/database.ts';
import {inspectStore} from '#storage/inspect-store.ts';
import {migrations} from '#storage/migrations.ts';
import {channelMessage, draft, entry, filesBeside, openTestStore, scratchFile} from './storage-fixture.ts';

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}

test('open: files and directory are readable by the owner only, even where they were not', () => {
  const path = join(dirname(scratchFile()), 'deep', 'er', 'account.db');
  const first = openTestStore(path);
  first.store.outbox.add(entry('a'));
  expect([dirname(dirname(path)), dirname(path)].map(modeOf)).toEqual(['700', '700']);
  const files = filesBeside(path).map((name) => join(dirname(path), name));
  expect(files).toHaveLength(4);
  expect(files.map(modeOf)).toEqual(['600', '600', '600', '600']);
  for (const file of files) chmodSync(file, 0o644);
  openTestStore(path);
  expect(files.filter((file) => !file.endsWith('.lock')).map(modeOf)).toEqual(['600', '600', '600']);
});

test('open: an existing directory keeps its mode', () => {
  const path = scratchFile();
  chmodSync(dirname(path), 0o755);
  openTestStore(path);
  expect(modeOf(dirname(path))).toBe('755');
});

test('open: a symbolic link to the file is followed', () => {
  const path = scratchFile();
  const link = join(dirname(path), 'link.db');
  openTestStore(path).store.outbox.add(entry('a'));
  symlinkSync(path, link);
  expect(openTestStore(link).store.outbox.all()).toMatchObject([{id: 'a'}]);
});

test('open: a file of an earlier format is migrated with all its data', () => {
  const path = scratchFile();
  const old = openTestStore(path);
  old.store.outbox.add(entry('a'));
  old.store.drafts.put(draft('d'));
  old.store.close();
  const steps = [
    ...migrations,
    'ALTER TABLE outbox ADD COLUMN priority INTEGER NOT NULL DEFAULT 3',
    'CREATE TABLE extra (id INTEGER PRIMARY KEY); INSERT INTO extra VALUES (7)',
  ];
  const {store, notice} = openTestStore(path, {migrationSteps: steps});
  expect(notice).toBe(`The saved data of this account was converted. As it was, it is kept in ${path}.before-v3.`);
  expect(store.outbox.all()).toMatchObject([{id: 'a'}]);
  expect(store.drafts.all()).toEqual([draft('d')]);
  const copy = new Database(`${path}.before-v3`, 'read');
  expect([copy.number('PRAGMA user_version'), copy.number('SELECT count(*) FROM outbox')]).toEqual([1, 1]);
  copy.close();
  const raw = new Database(path, 'read');
  expect(raw.number('PRAGMA user_version')).toBe(3);
  expect(raw.number('SELECT priority FROM outbox')).toBe(3);
  expect(raw.number('SELECT id FROM extra')).toBe(7);
  raw.close();
  // Only once.
  expect(openTestStore(path, {migrationSteps: steps}).notice).toBeUndefined();
});

test('open: a file whose migration fails is renamed, and unsent messages are carried over', () => {
  const path = scratchFile();
  const old = openTestStore(path);
  old.store.outbox.add(entry('a'));
  old.store.keyValues.set('n', '1');
  old.store.close();
  const steps = [...migrations, 'CREATE TABLE extra (id); UPDATE note SET name = NULL, body = NULL'];
  const {store, notice} = openTestStore(path, {migrationSteps: steps});
  expect(notice).toContain('with 1 unsent message');
  store.outbox.add(entry('b'));
  expect(openTestStore(path, {migrationSteps: steps}).store.outbox.all()).toMatchObject([{id: 'a'}, {id: 'b'}]);
});

test('open: a file of a newer format is renamed unchanged', () => {
  const path = scratchFile();
  const newer = openTestStore(path, {migrationSteps: [...migrations, 'CREATE TABLE extra (id)']});
  newer.store.outbox.add(entry('a'));
  newer.store.close();
  const {store, notice} = openTestStore(path);
  const aside = filesBeside(path).find((name) => name.includes('.newer-'));
  expect(aside).toBe('account.db.newer-20260101T000000Z');
  expect(notice).toBe(
    `The saved data of this account was written by a newer version of Parley: it was renamed to ${aside}, and a new file was created.`,
  );
  expect(store.outbox.all()).toEqual([]);
  store.outbox.add(entry('b'));
  const raw = new Database(join(dirname(path), String(aside)), 'read');
  expect(raw.number("SELECT count(*) FROM outbox WHERE id = 'a'")).toBe(1);
  raw.close();
  expect(openTestStore(path).store.outbox.all()).toMatchObject([{id: 'b'}]);
});

test('open: a file that a newer version is using stays in place', () => {
  const path = scratchFile();
  const newer = openTestStore(path, {migrationSteps: [...migrations, 'CREATE TABLE extra (id)']});
  newer.store.outbox.add(entry('a'));
  const {store, notice} = openTestStore(path);
  expect(notice).toBe(`A newer version of Parley is using ${path}, so nothing will be saved when Parley quits.`);
  expect(store.outbox.all()).toEqual([]);
  newer.store.outbox.add(entry('b'));
  expect(newer.store.outbox.all()).toHaveLength(2);
});

test('open: a process whose file a newer version migrates reports it and writes nothing', () => {
  const path = scratchFile();
  const old = openTestStore(path);
  old.store.outbox.add(entry('a'));
  const raw = new Database(path);
  raw.exec('ALTER TABLE outbox RENAME COLUMN id TO name; DROP TABLE draft; PRAGMA user_version = 9');
  raw.close();
  const refused = expect.objectContaining({name: 'StoreError', reason: 'newer'});
  expect(() => old.store.outbox.add(entry('b'))).toThrow(refused);
  expect(() => old.store.drafts.put(draft('d'))).toThrow(refused);
  expect(() => old.store.drafts.all()).toThrow(refused);
  expect(filesBeside(path).filter((name) => /corrupt|newer|fresh/.test(name))).toEqual([]);
  old.store.messages.save([channelMessage(1)]);
  expect(old.log.length).toBeGreaterThan(0);
});

test('open: a foreign database is renamed, not modified', () => {
  const path = scratchFile();
  const foreign = new Database(path);
  foreign.exec('CREATE TABLE recipes (name); INSERT INTO recipes VALUES (5)');
  foreign.close();
  const bytes = readFileSync(path);
  const {store, notice} = openTestStore(path);
  expect(notice).toContain('renamed to account.db.corrupt-20260101T000000Z');
  store.outbox.add(entry('a'));
  expect(readFileSync(`${path}.corrupt-20260101T000000Z`).equals(bytes)).toBe(true);
});

test('open: two files renamed in the same second both stay', () => {
  const path = scratchFile();
  writeFileSync(path, 'not a database, but long enough to be looked at as one. '.repeat(100));
  openTestStore(path).store.close();
  writeFileSync(path, 'another one that is no database either, and no shorter. '.repeat(100));
  const {notice} = openTestStore(path);
  expect(notice).toContain('account.db.corrupt-20260101T000000Z-2');
  expect(existsSync(`${path}.corrupt-20260101T000000Z`)).toBe(true);
});

test('open: an empty file counts as none', () => {
  const path = scratchFile();
  writeFileSync(path, '');
  const {store, notice} = openTestStore(path);
  expect(notice).toBeUndefined();
  store.outbox.add(entry('a'));
  expect(openTestStore(path).store.outbox.all()).toHaveLength(1);
});

test('open: a directory in place of the file: nothing is saved, and nothing fails', () => {
  const path = scratchFile();
  mkdirSync(path);
  const {store, notice} = openTestStore(path);
  expect(notice).toMatch(/account\.db cannot be used .* nothing will be saved/);
  store.outbox.add(entry('a'));
  expect(store.outbox.all()).toHaveLength(1);
  expect(statSync(path).isDirectory()).toBe(true);
});

test('open: a file in place of the directory: nothing is saved', () => {
  const path = scratchFile();
  writeFileSync(path, '');
  expect(openTestStore(join(path, 'account.db')).notice).toContain('nothing will be saved');
});

test('open: a replacement interrupted before its last step is completed at the next start', () => {
  const path = scratchFile();
  const stale = openTestStore(path);
  stale.store.outbox.add(entry('stale'));
  const log = readFileSync(`${path}-wal`);
  stale.store.close();
  rmSync(path);
  writeFileSync(`${path}-wal`, log);
  const fresh = openTestStore(`${path}.fresh`);
  fresh.store.outbox.add(entry('saved'));
  fresh.store.close();
  expect(openTestStore(path).store.outbox.all()).toMatchObject([{id: 'saved'}]);
});

test('inspect: reports the contents without changing them', () => {
  const path = scratchFile();
  expect(inspectStore(path).state).toBe('missing');
  const {store} = openTestStore(path);
  store.outbox.add(entry('a'));
  store.messages.save([channelMessage(1), channelMessage(2)]);
  expect(inspectStore(path)).toEqual({
    state: 'ok',
    detail: expect.stringMatching(/^2 messages, 1 unsent, 0 drafts, \d\.\d MB\.$/),
  });
  store.close();
  expect(inspectStore(path).state).toBe('ok');
  const raw = new Database(path);
  raw.exec('PRAGMA user_version = 7');
  raw.close();
  expect(inspectStore(path)).toEqual({
    state: 'newer',
    detail: 'It has format 7; this version of Parley supports formats up to 1.',
  });
  writeFileSync(path, 'x'.repeat(5000));
  expect(inspectStore(path).state).toBe('corrupt');
  expect(readFileSync(path, 'utf8')).toBe('x'.repeat(5000));
  rmSync(path);
  mkdirSync(path);
  expect(inspectStore(path).state).toBe('unreadable');
  expect(filesBeside(path)).toEqual(['account.db', 'account.db.lock']);
});

test('open: what is written while the disk allows no file is added to the file when it does', () => {
  const path = scratchFile();
  const blocked = join(dirname(path), 'folder', 'account.db');
  writeFileSync(dirname(blocked), '');
  const {store, clock} = openTestStore(blocked);
  expect(store.writeProblem).toEqual({path: blocked, cause: 'file already exists'});
  const changes: (string | undefined)[] = [];
  store.onWriteProblem(() => changes.push(store.writeProblem?.cause));
  store.outbox.add(entry('ours'));
  store.drafts.put(draft('ours'));
  store.pendingChanges.add('{"ours":1}', 10);
  clock.advance(3000);
  expect(changes).toEqual([]);
  // Another process creates the file first: its rows have the same numbers.
  rmSync(dirname(blocked));
  const other = openTestStore(blocked).store;
  other.outbox.add(entry('theirs'));
  other.drafts.put(draft('theirs'));
  other.pendingChanges.add('{"theirs":1}', 10);
  clock.advance(3000);
  expect(changes).toEqual([undefined]);
  for (const each of [store, other, openTestStore(blocked).store]) {
    expect(each.outbox.all().map(({id}) => id)).toEqual(['theirs', 'ours']);
    expect(each.drafts.all().map(({id}) => id)).toEqual(['theirs', 'ours']);
    expect(each.pendingChanges.all().map(({body}) => body)).toEqual(['{"theirs":1}', '{"ours":1}']);
  }
});

test('write: a problem of the disk is reported until writing succeeds again', () => {
  const path = scratchFile();
  const {store, clock} = openTestStore(path);
  const changes: (string | undefined)[] = [];
  store.onWriteProblem(() => changes.push(store.writeProblem?.cause));
  const raw = new Database(path);
  raw.run("CREATE TRIGGER refuse BEFORE UPDATE ON tally BEGIN SELECT RAISE(ABORT, 'refused'); END");
  expect(() => store.outbox.add(entry('a'))).toThrow(expect.objectContaining({reason: 'unwritable'}));
  clock.advance(3000);
  expect(changes).toEqual(['refused']);
  raw.run('DROP TRIGGER refuse');
  raw.close();
  clock.advance(3000);
  expect(changes).toEqual(['refused', undefined]);
  store.outbox.add(entry('a'));
  expect(store.outbox.all()).toMatchObject([{id: 'a'}]);
});
