import {expect, test} from 'vitest';
import {Database} from '#storage/database.ts';
import {saveStateTexts} from './save-state-texts.ts';
import {openTestStore, scratchFile} from './storage-fixture.ts';

const people = (length: number) => JSON.stringify(Array.from({length}, (_, id) => ({id, name: `Person ${id} 日本`})));
const large = people(5000);
/** Compressed in a thread. */
const huge = people(20_000);

test('saved state: loaded as it was saved, large parts compressed', () => {
  const path = scratchFile();
  const first = openTestStore(path);
  expect(first.store.savedState.load()).toBeUndefined();
  saveStateTexts(first.store, {users: large, realm: '{"name":"é"}', empty: ''}, 123_456);
  first.store.close();
  const {store} = openTestStore(path);
  expect(store.savedState.load()).toEqual({
    parts: {users: large, realm: '{"name":"é"}', empty: ''},
    savedAt: 123_456,
  });
  const raw = new Database(path);
  expect(raw.number("SELECT length(body) FROM snapshot WHERE name = 'users'")).toBeLessThan(large.length / 3);
  raw.close();
});

test('saved state: parts packed asynchronously are loaded as they were', async () => {
  const {store} = openTestStore(scratchFile());
  const texts = {realm: '{}', users: large, messages: huge};
  const parts = Object.entries(texts).map(
    async ([name, text]) => [name, await store.savedState.pack(Buffer.from(text))] as const,
  );
  store.savedState.save(new Map(await Promise.all(parts)), 1);
  expect(store.savedState.load()).toEqual({parts: texts, savedAt: 1});
});

test('saved state: the next save replaces all parts', () => {
  const {store} = openTestStore(scratchFile());
  saveStateTexts(store, {a: '1', b: '2'}, 1);
  saveStateTexts(store, {b: '3'}, 2);
  expect(store.savedState.load()).toEqual({parts: {b: '3'}, savedAt: 2});
});

test.each([
  ['changed', "UPDATE snapshot SET body = zeroblob(length(body)) WHERE name = 'users'"],
  ['truncated', "UPDATE snapshot SET body = substr(body, 1, 100) WHERE name = 'users'"],
  ['not a blob', "UPDATE snapshot SET body = 'text' WHERE name = 'users'"],
  ['of an unknown codec', "UPDATE snapshot SET codec = 'lz77' WHERE name = 'users'"],
])('saved state: one with a part that is %s is not used', (_, damage) => {
  const path = scratchFile();
  const {store, log} = openTestStore(path);
  saveStateTexts(store, {users: large, realm: '{}'}, 1);
  const raw = new Database(path);
  raw.exec(damage);
  raw.close();
  expect(store.savedState.load()).toBeUndefined();
  expect(log).toEqual([expect.stringContaining('users')]);
  saveStateTexts(store, {realm: '{}'}, 2);
  expect(store.savedState.load()?.parts).toEqual({realm: '{}'});
});
