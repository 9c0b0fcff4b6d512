import {expect, test} from 'vitest';
import {Database} from '#storage/database.ts';
import {saveSnapshot} from './save-state-texts.ts';
import {open, scratchFile} from './storage-fixture.ts';

const large = JSON.stringify(Array.from({length: 5000}, (_, id) => ({id, name: `Person ${id} 日本`})));

test('a snapshot comes back as it was saved, large parts in little space', () => {
  const path = scratchFile();
  const one = open(path);
  expect(one.store.snapshot.load()).toBeUndefined();
  saveSnapshot(one.store, {users: large, realm: '{"name":"é"}', empty: ''}, 123_456);
  one.store.close();
  const {store} = open(path);
  expect(store.snapshot.load()).toEqual({
    parts: {users: large, realm: '{"name":"é"}', empty: ''},
    savedAt: 123_456,
  });
  const raw = new Database(path);
  expect(raw.number("SELECT length(body) FROM snapshot WHERE name = 'users'")).toBeLessThan(large.length / 3);
  raw.close();
});

test('parts that were packed beside everything else come back as they were', async () => {
  const {store} = open(scratchFile());
  const texts = {realm: '{}', users: large};
  const parts = Object.entries(texts).map(
    async ([name, text]) => [name, await store.snapshot.pack(Buffer.from(text))] as const,
  );
  store.snapshot.save(new Map(await Promise.all(parts)), 1);
  expect(store.snapshot.load()).toEqual({parts: texts, savedAt: 1});
});

test('the next snapshot replaces all of the last one', () => {
  const {store} = open(scratchFile());
  saveSnapshot(store, {a: '1', b: '2'}, 1);
  saveSnapshot(store, {b: '3'}, 2);
  expect(store.snapshot.load()).toEqual({parts: {b: '3'}, savedAt: 2});
});

test.each([
  ['changed', "UPDATE snapshot SET body = zeroblob(length(body)) WHERE name = 'users'"],
  ['cut short', "UPDATE snapshot SET body = substr(body, 1, 100) WHERE name = 'users'"],
  ['no bytes', "UPDATE snapshot SET body = 'text' WHERE name = 'users'"],
  ['of an unknown codec', "UPDATE snapshot SET codec = 'lz77' WHERE name = 'users'"],
])('a snapshot with a part that is %s is not used', (_, damage) => {
  const path = scratchFile();
  const {store, log} = open(path);
  saveSnapshot(store, {users: large, realm: '{}'}, 1);
  const raw = new Database(path);
  raw.exec(damage);
  raw.close();
  expect(store.snapshot.load()).toBeUndefined();
  expect(log).toEqual([expect.stringContaining('users')]);
  saveSnapshot(store, {realm: '{}'}, 2);
  expect(store.snapshot.load()?.parts).toEqual({realm: '{}'});
});
