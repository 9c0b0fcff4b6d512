import {expect, test} from 'vitest';
import {Random} from '#std/random.ts';
import {Database} from '#storage/database.ts';
import {openTestStore, scratchFile} from './storage-fixture.ts';
import {StoreProcess} from './store-process.ts';

/** Checks the file against what the processes reported before they died. */
function checkAgainst(path: string, programs: readonly StoreProcess[]): void {
  const said = (word: string) => new Set(programs.flatMap((program) => program.saying(word)));
  const {store, notice} = openTestStore(path);
  expect(notice).toBeUndefined();
  const entries = new Map(store.outbox.all().map((entry) => [entry.id, entry]));
  const drafts = new Set(store.drafts.all().map(({id}) => id));
  const [removing, removed, sending, claimed, sent] = [
    said('removing'),
    said('removed'),
    said('sending'),
    said('claimed'),
    said('sent'),
  ];
  for (const id of said('added')) {
    if (!removing.has(id)) expect(entries.has(id), id).toBe(true);
    expect(drafts.has(`draft ${id}`), `draft ${id}`).toBe(false);
  }
  for (const id of said('drafted')) {
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
  for (let round = 1; round <= 6; round++) {
    const random = new Random(round);
    const programs = await Promise.all(
      [1, 2].map((which) => StoreProcess.ready(path, 'churn', `${round * 10 + which}`)),
    );
    for (const program of programs) program.go();
    await Promise.all(
      programs.map(async (program) => {
        await program.lines(1 + random.below(120));
        await program.kill();
      }),
    );
    all.push(...programs);
    checkAgainst(path, all);
    claims += programs.flatMap((program) => program.saying('claimed')).length;
  }
  // No entry was claimed twice.
  expect(new Set(all.flatMap((program) => program.saying('claimed'))).size).toBe(claims);
  expect(claims).toBeGreaterThan(10);
});
