import {expect, test} from 'vitest';
import {Database} from '#storage/database.ts';
import {open, scratchFile} from './scratch.ts';

const large = JSON.stringify(Array.from({length: 5000}, (_, id) => ({id, name: `Person ${id} 日本`})));

test('a snapshot comes back as it was saved, large parts in little space', () => {
  const path = scratchFile();
  const one = open(path);
  expect(one.store.snapshot.load()).toBeUndefined();
  one.store.snapshot.save({users: large, realm: '{"name":"é"}', empty: ''}, 123_456);
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

test('the next snapshot replaces all of the last one', () => {
  const {store} = open(scratchFile());
  store.snapshot.save({a: '1', b: '2'}, 1);
  store.snapshot.save({b: '3'}, 2);
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
  store.snapshot.save({users: large, realm: '{}'}, 1);
  const raw = new Database(path);
  raw.exec(damage);
  raw.close();
  expect(store.snapshot.load()).toBeUndefined();
  expect(log).toEqual([expect.stringContaining('users')]);
  store.snapshot.save({realm: '{}'}, 2);
  expect(store.snapshot.load()?.parts).toEqual({realm: '{}'});
});
