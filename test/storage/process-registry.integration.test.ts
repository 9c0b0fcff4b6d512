import {chmodSync, mkdirSync, statSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import {Database} from '#storage/database.ts';
import {thisProcess} from '#storage/process-registry.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {slowTest} from '#test/support/tier.ts';
import {entry, openTestStore, scratchFile} from './storage-fixture.ts';
import {StoreProcess} from './store-process.ts';

const claim = {sentAt: 1, afterMessageId: 1};

test('processes: concurrent claims give each entry to exactly one', async () => {
  const path = scratchFile();
  const {store} = openTestStore(path);
  const ids = Array.from({length: 200}, (_, index) => `e${index}`);
  for (const id of ids) store.outbox.add(entry(id));
  const processes = await Promise.all([StoreProcess.ready(path, 'claim'), StoreProcess.ready(path, 'claim')]);
  for (const child of processes) child.start();
  await Promise.all(processes.map((child) => child.until('done')));
  const claimed = processes.map((child) => child.outputAfter('claimed'));
  expect(claimed.flat().sort()).toEqual(ids.sort());
  expect(store.outbox.all().every(({status}) => status === 'sending')).toBe(true);
});

slowTest('processes: starting at the same time without a file, they share one', async () => {
  const path = join(dirname(scratchFile()), 'new', 'account.db');
  const processes = ['a', 'b', 'c', 'd'].map((name) => new StoreProcess(path, 'add', name));
  for (const child of processes) child.start();
  await Promise.all(processes.map((child) => child.until('done')));
  expect(processes.flatMap((child) => child.outputAfter('ready'))).toEqual(['', '', '', '']);
  const ids = openTestStore(path)
    .store.outbox.all()
    .map(({id}) => id);
  expect(ids.sort()).toEqual(processes.flatMap((child) => child.outputAfter('added')).sort());
  expect(ids).toHaveLength(200);
});

test('processes: entries of a killed process are adopted at once, by one, and only those', async () => {
  const path = scratchFile();
  const {store} = openTestStore(path);
  for (const id of ['a', 'b', 'c', 'd']) store.outbox.add(entry(id));
  const change = store.pendingChanges.add('{}', 1);
  store.outbox.claim('d', claim);
  const [victim, survivor] = await Promise.all([
    StoreProcess.ready(path, 'hold', 'a,b'),
    StoreProcess.ready(path, 'hold', 'c'),
  ]);
  victim.start();
  expect(await victim.until('deed')).toBe('deed true');
  survivor.start();
  await survivor.until('deed');
  expect(store.outbox.adoptOrphans()).toEqual([]);
  expect(store.pendingChanges.claim(change.id)).toBe(false);
  await victim.kill();
  const adopters = await Promise.all([StoreProcess.ready(path, 'adopt'), StoreProcess.ready(path, 'adopt')]);
  for (const adopter of adopters) adopter.start();
  await Promise.all(adopters.map((adopter) => adopter.until('done')));
  const adopted = [
    ...store.outbox.adoptOrphans().map(({id}) => id),
    ...adopters.flatMap((adopter) => adopter.outputAfter('adopted')),
  ];
  expect(adopted.sort()).toEqual(['a', 'b']);
  expect(store.pendingChanges.claim(change.id)).toBe(true);
});

test('processes: a stopped process keeps its entries', async () => {
  const path = scratchFile();
  const {store} = openTestStore(path);
  store.outbox.add(entry('a'));
  const sleeper = await StoreProcess.ready(path, 'hold', 'a');
  sleeper.start();
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
  victim.start();
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
  const child = await StoreProcess.ready(path, 'hold', 'a');
  child.start();
  await child.until('holds');
  await child.end();
  expect(store.outbox.adoptOrphans()).toMatchObject([{id: 'a'}]);
});

/** Creates an entry owned by a process of another machine or boot. */
function ownedBy(child: Partial<ReturnType<typeof thisProcess>>) {
  const path = scratchFile();
  const clock = new ManualClock();
  const holder = openTestStore(path, {
    clock: new ManualClock(),
    processIdentity: {...thisProcess(), ...child},
  });
  holder.store.outbox.add(entry('a'));
  holder.store.outbox.claim('a', claim);
  return {holder, clock, observer: openTestStore(path, {clock})};
}

test('processes: a reused pid counts as dead', () => {
  const {observer} = ownedBy({started: '1'});
  expect(observer.store.outbox.adoptOrphans()).toMatchObject([{id: 'a'}]);
});

test.each([
  ['another host', {host: 'elsewhere'}],
  ['another boot or container', {boot: 'earlier'}],
])('processes: a process of %s counts as dead after a minute without a heartbeat', (_, child) => {
  const {holder, clock, observer} = ownedBy({...child, pid: 999_999_999});
  const passes = (seconds: number) => {
    for (const first of [clock, holder.clock]) first.advance(seconds * 1000);
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
    const child = await StoreProcess.ready(path, 'hold', id);
    child.start();
    await child.until('holds');
    await child.kill();
  }
  const raw = new Database(path, 'read');
  expect(raw.number('SELECT count(*) FROM session')).toBe(2);
  store.outbox.adoptOrphans();
  expect(raw.number('SELECT count(*) FROM session')).toBe(1);
  raw.close();
});

test('full disk: writing user data is refused with a reason, the rest stays', async () => {
  const path = scratchFile();
  const child = await StoreProcess.ready(path, 'fill', '', 'ulimit -f 600;');
  child.start();
  await child.until('added small');
  expect(child.output.slice(1)).toEqual([
    'fits',
    expect.stringMatching(/^refused (full|unwritable)$/),
    expect.stringMatching(/^still has [1-9]/),
    'added small',
  ]);
  await child.kill();
  expect(openTestStore(path).store.outbox.all()).toMatchObject([{id: 'small'}]);
});

test('unwritable directory: nothing is saved, and the user is notified', async () => {
  const directory = join(dirname(scratchFile()), 'locked');
  mkdirSync(directory, {mode: 0o555});
  chmodSync(dirname(directory), 0o755);
  const path = join(directory, 'account.db');
  const child = await StoreProcess.ready(path, 'unprivileged');
  expect(child.output[0]).toContain(`${path} cannot be used`);
  expect(child.output[0]).toContain('so nothing will be saved when Parley quits.');
  child.start();
  expect(await child.until('added')).toBe('added 1');
});

test('read-only file: nothing is saved, and the file stays unchanged', async () => {
  const path = scratchFile();
  const {store} = openTestStore(path);
  store.outbox.add(entry('a'));
  store.close();
  for (const file of [dirname(path), path, `${path}.lock`]) chmodSync(file, 0o555);
  const before = statSync(path);
  const child = await StoreProcess.ready(path, 'unprivileged');
  expect(child.output[0]).toContain('so nothing will be saved when Parley quits.');
  await child.end();
  expect(statSync(path)).toMatchObject({mtimeMs: before.mtimeMs, size: before.size});
});
