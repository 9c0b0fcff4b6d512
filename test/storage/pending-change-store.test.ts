import {expect, test} from 'vitest';
import {openTestStore, scratchFile} from './storage-fixture.ts';

test('pending changes: stored in order until they are removed', () => {
  const path = scratchFile();
  const closed = openTestStore(path);
  const first = closed.store.pendingChanges.add('{"a":1}', 10);
  const second = closed.store.pendingChanges.add('{"b":1}', 11);
  closed.store.close();
  const {store} = openTestStore(path);
  expect(store.pendingChanges.all()).toEqual([first, second]);
  store.pendingChanges.remove(first.id);
  expect(store.pendingChanges.all()).toEqual([second]);
  store.pendingChanges.remove(second.id);
  expect(store.pendingChanges.add('{}', 12).id).toBeGreaterThan(second.id);
});

test('pending changes: claimed by one process at a time', () => {
  const path = scratchFile();
  const [first, second] = [openTestStore(path), openTestStore(path)];
  const {id} = first.store.pendingChanges.add('{}', 10);
  expect(first.store.pendingChanges.claim(id)).toBe(true);
  expect(first.store.pendingChanges.claim(id)).toBe(false);
  expect(second.store.pendingChanges.claim(id)).toBe(false);
  second.store.pendingChanges.release(id);
  expect(second.store.pendingChanges.claim(id)).toBe(false);
  first.store.pendingChanges.release(id);
  expect(second.store.pendingChanges.claim(id)).toBe(true);
  second.store.close();
  expect(first.store.pendingChanges.claim(id)).toBe(true);
  first.store.pendingChanges.remove(id);
  expect(first.store.pendingChanges.claim(id)).toBe(false);
});

test('key-values: stored by name', () => {
  const path = scratchFile();
  const first = openTestStore(path);
  expect(first.store.keyValues.get('seen')).toBeUndefined();
  first.store.keyValues.set('seen', '[1]');
  first.store.keyValues.set('seen', '[1,2]');
  first.store.keyValues.set('other', 'true');
  first.store.keyValues.remove('other');
  first.store.close();
  const {store} = openTestStore(path);
  expect([store.keyValues.get('seen'), store.keyValues.get('other')]).toEqual(['[1,2]', undefined]);
});

test('key-values: several are written and removed in one transaction', () => {
  const {store} = openTestStore(scratchFile());
  store.keyValues.set('old', '1');
  store.keyValues.setAll(
    new Map([
      ['a', '[1]'],
      ['b', '[2]'],
      ['old', undefined],
    ]),
  );
  expect(['a', 'b', 'old'].map((name) => store.keyValues.get(name))).toEqual(['[1]', '[2]', undefined]);
});

test('pending changes: a body is replaced, with key-values, only while it is unchanged', () => {
  const path = scratchFile();
  const [first, second] = [openTestStore(path), openTestStore(path)];
  const change = first.store.pendingChanges.add('{"page":0}', 10);
  expect(second.store.pendingChanges.replace(change, '{"page":1}', new Map([['page', '[1]']]))).toBe(true);
  expect(first.store.pendingChanges.replace(change, '{"page":2}', new Map([['page', '[2]']]))).toBe(false);
  expect(first.store.pendingChanges.all()).toEqual([{...change, body: '{"page":1}'}]);
  expect(first.store.keyValues.get('page')).toBe('[1]');
  first.store.pendingChanges.remove(change.id);
  expect(second.store.pendingChanges.replace({...change, body: '{"page":1}'}, '{}')).toBe(false);
});

test('pending changes: changes and their key-values are written together or not at all', () => {
  const path = scratchFile();
  const {store} = openTestStore(path);
  store.keyValues.set('undo of another', '0');
  store.pendingChanges.addAll(
    ['{"a":1}', '{"a":2}'],
    10,
    new Map([
      ['undo b', '[2]'],
      ['undo a', '[1]'],
      ['under', '1'],
    ]),
  );
  expect(store.keyValues.keysWithPrefix('undo ')).toEqual(['undo a', 'undo b', 'undo of another']);
  expect(store.keyValues.keysWithPrefix('nothing')).toEqual([]);
  const broken = Object.assign(new Map<string, string>(), {
    *[Symbol.iterator]() {
      yield ['undo c', '[3]'];
      throw new Error('cut off');
    },
  });
  expect(() => store.pendingChanges.addAll(['{"b":1}'], 11, broken)).toThrow();
  expect(store.pendingChanges.all().map(({body}) => body)).toEqual(['{"a":1}', '{"a":2}']);
  expect(store.keyValues.get('undo c')).toBeUndefined();
});
