import {chmodSync, mkdirSync, statSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import {Database} from '#storage/database.ts';
import {thisProcess} from '#storage/process-liveness.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {entry, openTestStore, scratchFile} from './storage-fixture.ts';
import {StoreProcess} from './store-process.ts';

const claim = {sentAt: 1, afterMessageId: 1};

test('processes: concurrent claims give each entry to exactly one', async () => {
  const path = scratchFile();
  const {store} = openTestStore(path);
  const ids = Array.from({length: 200}, (_, index) => `e${index}`);
  for (const id of ids) store.outbox.add(entry(id));
  const programs = await Promise.all([StoreProcess.ready(path, 'claim'), StoreProcess.ready(path, 'claim')]);
  for (const program of programs) program.go();
  await Promise.all(programs.map((program) => program.until('done')));
  const claimed = programs.map((program) => program.saying('claimed'));
  expect(claimed.flat().sort()).toEqual(ids.sort());
  expect(store.outbox.all().every(({status}) => status === 'sending')).toBe(true);
});

test('processes: starting at the same time without a file, they share one', async () => {
  const path = join(dirname(scratchFile()), 'new', 'account.db');
  const programs = ['a', 'b', 'c', 'd'].map((name) => new StoreProcess(path, 'add', name));
  for (const program of programs) program.go();
  await Promise.all(programs.map((program) => program.until('done')));
  expect(programs.flatMap((program) => program.saying('ready'))).toEqual(['', '', '', '']);
  const ids = openTestStore(path)
    .store.outbox.all()
    .map(({id}) => id);
  expect(ids.sort()).toEqual(programs.flatMap((program) => program.saying('added')).sort());
  expect(ids).toHaveLength(200);
});

test('processes: entries of a killed process are adopted at once, by one, and only those', async () => {
  const path = scratchFile();
  const {store} = openTestStore(path);
  for (const id of ['a', 'b', 'c', 'd']) store.outbox.add(entry(id));
  const deed = store.pendingChanges.add('{}', 1);
  store.outbox.claim('d', claim);
  const [victim, survivor] = await Promise.all([
    StoreProcess.ready(path, 'hold', 'a,b'),
    StoreProcess.ready(path, 'hold', 'c'),
  ]);
  victim.go();
  expect(await victim.until('deed')).toBe('deed true');
  survivor.go();
  await survivor.until('deed');
  expect(store.outbox.adoptOrphans()).toEqual([]);
  expect(store.pendingChanges.claim(deed.id)).toBe(false);
  await victim.kill();
  const heirs = await Promise.all([StoreProcess.ready(path, 'adopt'), StoreProcess.ready(path, 'adopt')]);
  for (const heir of heirs) heir.go();
  await Promise.all(heirs.map((heir) => heir.until('done')));
  const adopted = [
    ...store.outbox.adoptOrphans().map(({id}) => id),
    ...heirs.flatMap((heir) => heir.saying('adopted')),
  ];
  expect(adopted.sort()).toEqual(['a', 'b']);
  expect(store.pendingChanges.claim(deed.id)).toBe(true);
});

test('processes: a stopped process keeps its entries', async () => {
  const path = scratchFile();
  const {store} = openTestStore(path);
  store.outbox.add(entry('a'));
  const sleeper = await StoreProcess.ready(path, 'hold', 'a');
  sleeper.go();
  await sleeper.until('holds');
  sleeper.pause();
  expect(store.outbox.adoptOrphans()).toEqual([]);
  await sleeper.kill();
  expect(store.outbox.adoptOrphans()).toMatchObject([{id: 'a'}]);
});

test('processes: the death of a process is reported to listeners once', async () => {
  const path = scratchFile();
  const {store, clock} = openTestStore(path);
  store.outbox.add(entry('a'));
  const victim = await StoreProcess.ready(path, 'hold', 'a');
  victim.go();
  await victim.until('holds');
  let calls = 0;
  store.onExternalChange(() => void calls++);
  clock.advance(5000);
  expect(calls).toBe(0);
  await victim.kill();
  clock.advance(5000);
  expect(calls).toBe(1);
});

test('processes: a process that closes properly hands over at once', async () => {
  const path = scratchFile();
  const {store} = openTestStore(path);
  store.outbox.add(entry('a'));
  const program = await StoreProcess.ready(path, 'hold', 'a');
  program.go();
  await program.until('holds');
  await program.end();
  expect(store.outbox.adoptOrphans()).toMatchObject([{id: 'a'}]);
});

/** Creates an entry owned by a process of another machine or boot. */
function heldBy(program: Partial<ReturnType<typeof thisProcess>>) {
  const path = scratchFile();
  const clock = new ManualClock();
  const holder = openTestStore(path, {
    clock: new ManualClock(),
    processIdentity: {...thisProcess(), ...program},
  });
  holder.store.outbox.add(entry('a'));
  holder.store.outbox.claim('a', claim);
  return {holder, clock, observer: openTestStore(path, {clock})};
}

test('processes: a reused pid counts as dead', () => {
  const {observer} = heldBy({started: '1'});
  expect(observer.store.outbox.adoptOrphans()).toMatchObject([{id: 'a'}]);
});

test.each([
  ['another host', {host: 'elsewhere'}],
  ['another boot or container', {boot: 'earlier'}],
])('processes: a process of %s counts as dead after a minute without a heartbeat', (_, program) => {
  const {holder, clock, observer} = heldBy({...program, pid: 999_999_999});
  const passes = (seconds: number) => {
    for (const one of [clock, holder.clock]) one.advance(seconds * 1000);
  };
  passes(50);
  expect(observer.store.outbox.adoptOrphans()).toEqual([]);
  passes(3600);
  expect(observer.store.outbox.adoptOrphans()).toEqual([]);
  clock.advance(54_000);
  expect(observer.store.outbox.adoptOrphans()).toEqual([]);
  clock.advance(20_000);
  expect(observer.store.outbox.adoptOrphans()).toMatchObject([{id: 'a'}]);
});

test('processes: a heartbeat in the future counts as dead too: the clock was set back', () => {
  const path = scratchFile();
  const holder = openTestStore(path, {
    clock: new ManualClock(Date.UTC(2040, 0, 1)),
    processIdentity: {...thisProcess(), host: 'elsewhere'},
  });
  holder.store.outbox.add(entry('a'));
  holder.store.outbox.claim('a', claim);
  expect(openTestStore(path).store.outbox.adoptOrphans()).toMatchObject([{id: 'a'}]);
});

test('processes: records of dead processes are removed', async () => {
  const path = scratchFile();
  const {store} = openTestStore(path);
  for (const id of ['a', 'b']) store.outbox.add(entry(id));
  for (const id of ['a', 'b']) {
    const program = await StoreProcess.ready(path, 'hold', id);
    program.go();
    await program.until('holds');
    await program.kill();
  }
  const raw = new Database(path, 'read');
  expect(raw.number('SELECT count(*) FROM session')).toBe(2);
  store.outbox.adoptOrphans();
  expect(raw.number('SELECT count(*) FROM session')).toBe(1);
  raw.close();
});

test('full disk: writing user data is refused with a reason, the rest stays', async () => {
  const path = scratchFile();
  const program = await StoreProcess.ready(path, 'fill', '', 'ulimit -f 600;');
  program.go();
  await program.until('added small');
  expect(program.said.slice(1)).toEqual([
    'fits',
    expect.stringMatching(/^refused (full|unwritable)$/),
    expect.stringMatching(/^still has [1-9]/),
    'added small',
  ]);
  await program.kill();
  expect(openTestStore(path).store.outbox.all()).toMatchObject([{id: 'small'}]);
});

test('unwritable directory: nothing is saved, and the user is notified', async () => {
  const directory = join(dirname(scratchFile()), 'locked');
  mkdirSync(directory, {mode: 0o555});
  chmodSync(dirname(directory), 0o755);
  const path = join(directory, 'account.db');
  const program = await StoreProcess.ready(path, 'unprivileged');
  expect(program.said[0]).toContain(`${path} cannot be used`);
  expect(program.said[0]).toContain('so nothing will be saved when Parley quits.');
  program.go();
  expect(await program.until('added')).toBe('added 1');
});

test('read-only file: nothing is saved, and the file stays unchanged', async () => {
  const path = scratchFile();
  const {store} = openTestStore(path);
  store.outbox.add(entry('a'));
  store.close();
  for (const place of [dirname(path), path, `${path}.lock`]) chmodSync(place, 0o555);
  const before = statSync(path);
  const program = await StoreProcess.ready(path, 'unprivileged');
  expect(program.said[0]).toContain('so nothing will be saved when Parley quits.');
  await program.end();
  expect(statSync(path)).toMatchObject({mtimeMs: before.mtimeMs, size: before.size});
});
