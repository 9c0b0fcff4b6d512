import {expect, test} from 'vitest';
import {Random} from '#std/random.ts';
import {Database} from '#storage/database.ts';
import {fewOrAll} from '#test/support/tier.ts';
import {openTestStore, scratchFile} from './storage-fixture.ts';
import {StoreProcess} from './store-process.ts';

/** Checks the file against what the processes reported before they died. */
function checkAgainst(path: string, processes: readonly StoreProcess[]): void {
  const reported = (word: string) => new Set(processes.flatMap((child) => child.outputAfter(word)));
  const {store, notice} = openTestStore(path);
  expect(notice).toBeUndefined();
  const entries = new Map(store.outbox.all().map((entry) => [entry.id, entry]));
  const drafts = new Set(store.drafts.all().map(({id}) => id));
  const [removing, removed, sending, claimed, sent] = [
    reported('removing'),
    reported('removed'),
    reported('sending'),
    reported('claimed'),
    reported('sent'),
  ];
  for (const id of reported('added')) {
    if (!removing.has(id)) expect(entries.has(id), id).toBe(true);
    expect(drafts.has(`draft ${id}`), `draft ${id}`).toBe(false);
  }
  for (const id of reported('drafted')) {
    // In the journal or in the outbox, or removed from both.
    const entryId = id.slice('draft '.length);
    if (!sending.has(id)) expect(drafts.has(id), id).toBe(true);
    if (!removing.has(entryId)) expect(drafts.has(id) !== entries.has(entryId), id).toBe(true);
  }
  for (const id of removed) expect(entries.has(id), id).toBe(false);
  for (const id of claimed) expect(entries.get(id)?.status, id).not.toBe('queued');
  for (const id of sent) expect(entries.get(id)?.status ?? 'sent', id).toBe('sent');
  const orphans = store.outbox.adoptOrphans();
  expect(orphans.map(({id}) => id)).toEqual(
    [...entries.values()].filter(({status}) => status === 'sending').map(({id}) => id),
  );
  expect(store.outbox.adoptOrphans()).toEqual([]);
  // The next round kills its own processes.
  for (const {id} of orphans) store.outbox.update(id, ['sending'], {status: 'unconfirmed'});
  store.close();
  const raw = new Database(path, 'read');
  expect(raw.all('PRAGMA integrity_check')).toEqual([{integrity_check: 'ok'}]);
  raw.close();
}

test('kill safety: processes killed at any moment leave a valid file, and nothing saved is lost', async () => {
  const path = scratchFile();
  const all: StoreProcess[] = [];
  let claims = 0;
  for (let round = 1; round <= fewOrAll(2, 12); round++) {
    const random = new Random(round);
    const processes = await Promise.all(
      [1, 2].map((which) => StoreProcess.ready(path, 'churn', `${round * 10 + which}`)),
    );
    for (const child of processes) child.start();
    await Promise.all(
      processes.map(async (child) => {
        await child.lines(1 + random.below(120));
        await child.kill();
      }),
    );
    all.push(...processes);
    checkAgainst(path, all);
    claims += processes.flatMap((child) => child.outputAfter('claimed')).length;
  }
  // No entry was claimed twice.
  expect(new Set(all.flatMap((child) => child.outputAfter('claimed'))).size).toBe(claims);
  expect(claims).toBeGreaterThan(10);
});
