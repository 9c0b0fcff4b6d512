import {mkdirSync, renameSync, rmdirSync} from 'node:fs';
import {open} from 'node:fs/promises';
import {expect, onTestFinished, test, vi} from 'vitest';
import type {AccountStore} from '#state/account-store.ts';
import {draft, entry, openTestStore, scratchFile} from './storage-fixture.ts';

/** The default timeout is one second. */
const patience = {interval: 1, timeout: 30_000};

/** Watches the syncs of the test's process, which still reach the disk. */
async function watchSyncs() {
  const file = await open(import.meta.filename);
  const spy = vi.spyOn(Object.getPrototypeOf(file), 'datasync');
  await file.close();
  onTestFinished(() => spy.mockRestore());
  return spy;
}

const writes: Readonly<Record<string, (store: AccountStore) => void>> = {
  'a pending change': ({pendingChanges}) => pendingChanges.addAll(['{}'], 10),
  'a draft': ({drafts}) => drafts.put(draft('d')),
  'a key-value': ({keyValues}) => keyValues.set('name', '1'),
  'an outgoing message': ({outbox}) => outbox.add(entry('o')),
};

test.each(Object.entries(writes))('log sync: %s is synced in the background, each time', async (_name, write) => {
  const syncs = await watchSyncs();
  const {store, log, clock} = openTestStore(scratchFile());
  write(store);
  expect(syncs).not.toHaveBeenCalled();
  await vi.waitFor(() => expect(syncs).toHaveBeenCalledTimes(1), patience);
  // During the first sync.
  store.pendingChanges.add('{}', 11);
  const afterPause = () => {
    clock.advance(300);
    expect(syncs).toHaveBeenCalledTimes(2);
  };
  await vi.waitFor(afterPause, patience);
  await Promise.all(syncs.mock.results.map(({value}) => value));
  expect(log).toEqual([]);
});

test('log sync: whoever waits for the disk waits for the write before, and not for a pause', async () => {
  const syncs = await watchSyncs();
  const {store, clock} = openTestStore(scratchFile());
  for (const id of ['a', 'b']) {
    store.outbox.add(entry(id));
    await store.synced();
  }
  // Typing does not ask the disk with each key.
  const count = syncs.mock.calls.length;
  expect(count).toBeGreaterThanOrEqual(2);
  for (const id of ['c', 'd', 'e']) store.drafts.put(draft(id));
  expect(syncs).toHaveBeenCalledTimes(count);
  clock.advance(300);
  await vi.waitFor(() => expect(syncs).toHaveBeenCalledTimes(count + 1), patience);
});

test('log sync: whoever waits for the disk learns that it refuses', async () => {
  const path = scratchFile();
  const {store, log} = openTestStore(path);
  store.outbox.add(entry('a'));
  await store.synced();
  renameSync(`${path}-wal`, `${path}-aside`);
  mkdirSync(`${path}-wal`);
  await expect(store.synced()).rejects.toThrow('EISDIR');
  expect(log).toEqual([expect.stringContaining(`Writing ${path} to the disk failed: EISDIR`)]);
  rmdirSync(`${path}-wal`);
  renameSync(`${path}-aside`, `${path}-wal`);
  await store.synced();
});

test('log sync: a log that SQLite has removed needs no sync', async () => {
  const path = scratchFile();
  const {store, log} = openTestStore(path);
  store.outbox.add(entry('a'));
  store.close();
  await store.synced();
  expect(log).toEqual([]);
});
