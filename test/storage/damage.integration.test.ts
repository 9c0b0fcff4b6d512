import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import {expect, test} from 'vitest';
import {Random} from '#std/random.ts';
import {Database} from '#storage/database.ts';
import {inspectStore} from '#storage/inspect-store.ts';
import {fewOrAll} from '#test/support/tier.ts';
import {saveStateTexts} from './save-state-texts.ts';
import {channelMessage, draft, entry, filesBeside, openTestStore, scratchFile} from './storage-fixture.ts';

const pageSize = 4096;

/** Creates a closed file with data of more than a few pages. */
function filled(): string {
  const path = scratchFile();
  const {store} = openTestStore(path);
  for (const id of ['a', 'b']) store.outbox.add(entry(id));
  store.outbox.add({...entry('c'), draftId: 'sent'});
  store.outbox.claim('c', {sentAt: 5, afterMessageId: 7});
  store.outbox.update('c', ['sending'], {status: 'unconfirmed', problem: 'No answer.'});
  store.drafts.put(draft('d'));
  store.keyValues.set('n', '1');
  store.pendingChanges.add('{}', 1);
  store.messages.save(Array.from({length: 500}, (_, index) => channelMessage(index + 1)));
  store.close();
  return path;
}

function overwrite(path: string, offset: number, bytes: Uint8Array): void {
  const file = openSync(path, 'r+');
  writeSync(file, bytes, 0, bytes.length, offset);
  closeSync(file);
}

function garbage(length: number, seed = 1): Buffer {
  const random = new Random(seed);
  return Buffer.from(Array.from({length}, () => random.below(256)));
}

function rootPage(path: string, table: string): number {
  const raw = new Database(path, 'read');
  const page = raw.number('SELECT rootpage FROM sqlite_schema WHERE name = ?', table);
  raw.close();
  return page;
}

test.each([
  ['a bad header', (path: string) => overwrite(path, 0, garbage(100))],
  ['a first page of zeros', (path: string) => overwrite(path, 0, new Uint8Array(pageSize))],
  ['a first page of garbage', (path: string) => overwrite(path, 0, garbage(pageSize))],
])('damage: a file with %s is renamed, and unsent messages are carried over', (_, damage) => {
  const path = filled();
  damage(path);
  expect(inspectStore(path).state).toBe('corrupt');
  const damaged = readFileSync(path);
  const {store, notice} = openTestStore(path);
  expect(notice).toBe(
    'The saved data of this account was damaged: it was renamed to account.db.corrupt-20260101T000000Z, ' +
      'and a new file was created with 3 unsent messages and 1 draft.',
  );
  expect(store.outbox.all().map(({id, order}) => [id, order])).toEqual([
    ['a', 1],
    ['b', 2],
    ['c', 3],
  ]);
  // What decides whether it is sent again.
  const unconfirmed = {status: 'unconfirmed', problem: 'No answer.', sentAt: 5, afterMessageId: 7, draftId: 'sent'};
  expect(store.outbox.all().at(-1)).toMatchObject({...entry('c'), ...unconfirmed});
  expect(store.drafts.all()).toEqual([draft('d')]);
  expect(store.keyValues.get('n')).toBe('1');
  expect(store.pendingChanges.all()).toHaveLength(1);
  expect(store.messages.newest(5)).toEqual([]);
  expect(readFileSync(`${path}.corrupt-20260101T000000Z`).equals(damaged)).toBe(true);
  store.close();
  expect(filesBeside(path)).toEqual(['account.db', 'account.db.corrupt-20260101T000000Z', 'account.db.lock']);
  expect(inspectStore(path).state).toBe('ok');
  expect(openTestStore(path).notice).toBeUndefined();
});

test('damage: a truncated file is renamed, and the data before the cut is carried over', () => {
  const path = filled();
  const last = rootPage(path, 'draft');
  expect(last).toBeGreaterThan(rootPage(path, 'outbox'));
  truncateSync(path, (last - 1) * pageSize);
  const {store, notice} = openTestStore(path);
  expect(notice).toContain('3 unsent messages');
  expect(store.outbox.all()).toHaveLength(3);
  expect(store.drafts.all()).toEqual([]);
});

test('damage: a file truncated to less than a page leaves nothing to carry over', () => {
  const path = filled();
  truncateSync(path, 1000);
  const {store, notice} = openTestStore(path);
  expect(notice).toMatch(/damaged.*a new file was created\.$/);
  expect(store.outbox.all()).toEqual([]);
  store.outbox.add(entry('x'));
});

test('damage: damage in the draft table does not lose the outbox', () => {
  const path = filled();
  overwrite(path, (rootPage(path, 'draft') - 1) * pageSize, garbage(pageSize));
  expect(inspectStore(path).state).toBe('corrupt');
  const {store, notice} = openTestStore(path);
  expect(notice).toContain('3 unsent messages');
  expect(store.outbox.all()).toHaveLength(3);
  expect(store.drafts.all()).toEqual([]);
});

test('damage: rows on both sides of the damage are carried over', () => {
  const path = scratchFile();
  const {store} = openTestStore(path);
  const content = 'x'.repeat(1500);
  for (let serial = 0; serial < 60; serial++) store.outbox.add(entry(`e${serial}`, {content}));
  store.close();
  const raw = new Database(path, 'read');
  const page = raw.number("SELECT pageno FROM dbstat WHERE name = 'outbox' AND pagetype = 'leaf' LIMIT 1 OFFSET 10");
  raw.close();
  overwrite(path, (page - 1) * pageSize, garbage(pageSize));
  const {store: fresh} = openTestStore(path);
  const savedIds = fresh.outbox.all().map(({id}) => Number(id.slice(1)));
  expect(savedIds.length).toBeGreaterThanOrEqual(50);
  expect(savedIds.length).toBeLessThan(60);
  expect(savedIds[0]).toBe(0);
  expect(savedIds.at(-1)).toBe(59);
});

test('damage: invalid rows are not carried over', () => {
  const path = filled();
  const raw = new Database(path);
  raw.exec(`
    UPDATE outbox SET conversation = '{"kind":"telepathy"}' WHERE id = 'a';
    UPDATE outbox SET status = 'lost' WHERE id = 'b';
    UPDATE draft SET body = '{';
  `);
  raw.close();
  expect(openTestStore(path).store.outbox.all()).toMatchObject([{id: 'c'}]);
  overwrite(path, (rootPage(path, 'note') - 1) * pageSize, garbage(pageSize));
  const {store} = openTestStore(path);
  expect(store.outbox.all()).toMatchObject([{id: 'c'}]);
  expect(store.drafts.all()).toEqual([]);
});

test('damage: a garbage log loses only the data in the log', () => {
  const path = filled();
  writeFileSync(`${path}-wal`, garbage(20_000));
  const {store, notice} = openTestStore(path);
  expect(notice).toBeUndefined();
  expect(store.outbox.all()).toHaveLength(3);
  store.outbox.add(entry('x'));
  store.close();
  expect(inspectStore(path).state).toBe('ok');
});

test('damage: found during a session, unsent messages continue in a new file', () => {
  const path = filled();
  const leaf = rootPage(path, 'message');
  overwrite(path, (leaf - 1) * pageSize, garbage(pageSize));
  const first = openTestStore(path);
  expect(first.notice).toBeUndefined(); // Only cached data is damaged, and nothing has read it yet.
  const claimed = first.store.outbox.claim('a', {sentAt: 1, afterMessageId: 2});
  expect(first.store.messages.newest(5)).toEqual([]);
  expect(first.notices).toEqual([expect.stringContaining('3 unsent messages and 1 draft')]);
  expect(first.store.outbox.all()).toMatchObject([claimed, {id: 'b'}, {id: 'c'}]);
  first.store.messages.save([channelMessage(9)]);
  expect(first.store.messages.newest(5)).toHaveLength(1);
  first.store.outbox.add(entry('z'));
  expect(openTestStore(path).store.outbox.all()).toHaveLength(4);
});

test('damage: all processes switch to the same new file, and keep their claims', () => {
  const path = filled();
  overwrite(path, (rootPage(path, 'message') - 1) * pageSize, garbage(pageSize));
  const [first, second] = [openTestStore(path), openTestStore(path)];
  let calls = 0;
  second.store.onExternalChange(() => void calls++);
  second.store.outbox.claim('b', {sentAt: 1, afterMessageId: 2});
  first.store.messages.newest(5);
  expect(first.notices).toHaveLength(1);
  expect(first.store.outbox.adoptOrphans()).toEqual([]);
  expect(second.store.outbox.update('b', ['sending'], {status: 'sent', messageId: 4})).toMatchObject({
    id: 'b',
  });
  expect(first.store.outbox.all()).toMatchObject([{id: 'a'}, {id: 'b', status: 'sent'}, {id: 'c'}]);
  second.clock.advance(30_000);
  expect(calls).toBe(1);
  expect([second.notice, second.notices]).toEqual([undefined, []]);
  expect(filesBeside(path).filter((name) => name.includes('corrupt') && !/-(wal|shm)$/.test(name))).toHaveLength(1);
  // Closing the old connection must not remove the new log.
  second.store.close();
  first.store.outbox.add(entry('y'));
  first.store.close();
  expect(openTestStore(path).store.outbox.all()).toHaveLength(4);
});

test('damage: two processes that find it at the same time replace the file once', () => {
  const path = filled();
  overwrite(path, (rootPage(path, 'message') - 1) * pageSize, garbage(pageSize));
  const [first, second] = [openTestStore(path), openTestStore(path)];
  first.store.messages.newest(5);
  first.store.outbox.add(entry('x'));
  second.store.messages.newest(5);
  expect(second.notices).toEqual([]);
  expect(second.store.outbox.all()).toHaveLength(4);
});

test('damage: a file deleted while in use is recreated with the unsent messages', () => {
  const path = filled();
  const [first, second] = [openTestStore(path), openTestStore(path)];
  first.store.outbox.add(entry('x'));
  for (const part of ['', '-wal', '-shm']) rmSync(path + part, {force: true});
  second.store.outbox.add(entry('y'));
  first.store.drafts.put(draft('e'));
  expect(first.store.outbox.all().map(({id}) => id)).toEqual(['a', 'b', 'c', 'x', 'y']);
  first.store.close();
  second.store.close();
  const {store} = openTestStore(path);
  expect(store.outbox.all().map(({id}) => id)).toEqual(['a', 'b', 'c', 'x', 'y']);
  expect(store.drafts.all().map(({id}) => id)).toEqual(['d', 'e']);
});

test('damage: a file emptied while in use is replaced', () => {
  const path = filled();
  const {store} = openTestStore(path);
  store.outbox.add(entry('x'));
  truncateSync(path, 0);
  store.messages.search('message', 5);
  store.outbox.add(entry('y'));
  expect(store.outbox.all().map(({id}) => id)).toContain('y');
  store.close();
  expect(inspectStore(path).state).toBe('ok');
  expect(
    openTestStore(path)
      .store.outbox.all()
      .map(({id}) => id),
  ).toContain('y');
});

test('damage: whatever is overwritten, opening never fails and leaves a valid file', () => {
  const path = filled();
  const sound = readFileSync(path);
  for (let seed = 1; seed <= fewOrAll(8, 50); seed++) {
    const random = new Random(seed);
    for (const part of ['-wal', '-shm']) rmSync(path + part, {force: true});
    writeFileSync(path, sound);
    for (let spot = 0; spot < 4; spot++) {
      overwrite(path, random.below(sound.length), garbage(1 + random.below(600), seed * 10 + spot));
    }
    if (random.below(4) === 0) truncateSync(path, random.below(statSync(path).size));
    const {store} = openTestStore(path);
    store.outbox.add(entry(`new ${seed}`));
    store.messages.save([channelMessage(1000)]);
    store.messages.search('message', 3);
    store.messages.newest(1000);
    store.outbox.adoptOrphans();
    expect(store.outbox.all().map(({id}) => id)).toContain(`new ${seed}`);
    store.close();
    const {store: again, log} = openTestStore(path);
    expect(again.outbox.all().map(({id}) => id)).toContain(`new ${seed}`);
    // The caches work too, or are replaced by the first access that finds the damage.
    for (let time = 1; time <= 2; time++) {
      again.messages.newest(1000);
      again.messages.save([channelMessage(2000 + time)]);
      again.messages.search('message', 1);
      saveStateTexts(again, {a: '1'}, 1);
    }
    expect(again.messages.byIds([2002]), `${seed}: ${log}`).toHaveLength(1);
    expect(again.messages.search('message', 1), `${seed}: ${log}`).toHaveLength(1);
    expect(again.savedState.load()?.parts, `${seed}: ${log}`).toEqual({a: '1'});
    again.close();
  }
});

test('damage: a replacement that fails leaves the usable parts', () => {
  const path = filled();
  overwrite(path, (rootPage(path, 'message') - 1) * pageSize, garbage(pageSize));
  const first = openTestStore(path);
  mkdirSync(`${path}.fresh`);
  expect(first.store.messages.newest(5)).toEqual([]);
  expect(first.log.length).toBeGreaterThan(0);
  first.store.outbox.add(entry('x'));
  expect(first.store.outbox.all()).toHaveLength(4);
  rmSync(`${path}.fresh`, {recursive: true});
  expect(first.store.messages.newest(5)).toEqual([]);
  expect(first.notices).toEqual([expect.stringContaining('4 unsent messages')]);
  expect(first.store.outbox.all()).toHaveLength(4);
});

test('damage: the remains of an interrupted replacement do no harm', () => {
  const path = filled();
  writeFileSync(`${path}.fresh`, garbage(9000));
  writeFileSync(`${path}.fresh-wal`, garbage(9000));
  const first = openTestStore(path);
  expect(first.store.outbox.all()).toHaveLength(3);
  first.store.close();
  expect(filesBeside(path)).toEqual(['account.db', 'account.db.lock']);
});
