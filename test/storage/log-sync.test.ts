import {open} from 'node:fs/promises';
import {expect, onTestFinished, test, vi} from 'vitest';
import type {AccountStore} from '#state/account-store.ts';
import {draft, openTestStore, scratchFile} from './storage-fixture.ts';

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
};

test.each(Object.entries(writes))('log sync: %s is synced in the background, each time', async (_name, write) => {
  const syncs = await watchSyncs();
  const {store, log} = openTestStore(scratchFile());
  write(store);
  expect(syncs).not.toHaveBeenCalled();
  await vi.waitFor(() => expect(syncs).toHaveBeenCalledTimes(1), {interval: 1});
  // During the first sync.
  store.pendingChanges.add('{}', 11);
  await vi.waitFor(() => expect(syncs).toHaveBeenCalledTimes(2), {interval: 1});
  await Promise.all(syncs.mock.results.map(({value}) => value));
  expect(log).toEqual([]);
});
