import {expect, test} from 'vitest';
import {open, scratchFile} from './storage-fixture.ts';

test('deeds are kept in order until they are done', () => {
  const path = scratchFile();
  const one = open(path);
  const first = one.store.deeds.add('{"a":1}', 10);
  const second = one.store.deeds.add('{"b":1}', 11);
  one.store.close();
  const {store} = open(path);
  expect(store.deeds.all()).toEqual([first, second]);
  store.deeds.remove(first.id);
  expect(store.deeds.all()).toEqual([second]);
  store.deeds.remove(second.id);
  expect(store.deeds.add('{}', 12).id).toBeGreaterThan(second.id);
});

test('a deed is done by one at a time', () => {
  const path = scratchFile();
  const [one, two] = [open(path), open(path)];
  const {id} = one.store.deeds.add('{}', 10);
  expect(one.store.deeds.claim(id)).toBe(true);
  expect(one.store.deeds.claim(id)).toBe(false);
  expect(two.store.deeds.claim(id)).toBe(false);
  two.store.deeds.release(id);
  expect(two.store.deeds.claim(id)).toBe(false);
  one.store.deeds.release(id);
  expect(two.store.deeds.claim(id)).toBe(true);
  two.store.close();
  expect(one.store.deeds.claim(id)).toBe(true);
  one.store.deeds.remove(id);
  expect(one.store.deeds.claim(id)).toBe(false);
});

test('notes are kept by name', () => {
  const path = scratchFile();
  const one = open(path);
  expect(one.store.notes.get('seen')).toBeUndefined();
  one.store.notes.set('seen', '[1]');
  one.store.notes.set('seen', '[1,2]');
  one.store.notes.set('other', 'true');
  one.store.notes.remove('other');
  one.store.close();
  const {store} = open(path);
  expect([store.notes.get('seen'), store.notes.get('other')]).toEqual(['[1,2]', undefined]);
});

test('several notes are written and removed in one step', () => {
  const {store} = open(scratchFile());
  store.notes.set('old', '1');
  store.notes.setAll(
    new Map([
      ['a', '[1]'],
      ['b', '[2]'],
      ['old', undefined],
    ]),
  );
  expect(['a', 'b', 'old'].map((name) => store.notes.get(name))).toEqual(['[1]', '[2]', undefined]);
});

test('a deed says something else, together with notes, only while it still says what is given', () => {
  const path = scratchFile();
  const [one, two] = [open(path), open(path)];
  const deed = one.store.deeds.add('{"page":0}', 10);
  expect(two.store.deeds.replace(deed, '{"page":1}', new Map([['page', '[1]']]))).toBe(true);
  expect(one.store.deeds.replace(deed, '{"page":2}', new Map([['page', '[2]']]))).toBe(false);
  expect(one.store.deeds.all()).toEqual([{...deed, body: '{"page":1}'}]);
  expect(one.store.notes.get('page')).toBe('[1]');
  one.store.deeds.remove(deed.id);
  expect(two.store.deeds.replace({...deed, body: '{"page":1}'}, '{}')).toBe(false);
});

test('deeds and the notes that belong to them are on disk together, or none is', () => {
  const path = scratchFile();
  const {store} = open(path);
  store.notes.set('undo of another', '0');
  store.deeds.addAll(
    ['{"a":1}', '{"a":2}'],
    10,
    new Map([
      ['undo b', '[2]'],
      ['undo a', '[1]'],
      ['under', '1'],
    ]),
  );
  expect(store.notes.names('undo ')).toEqual(['undo a', 'undo b', 'undo of another']);
  expect(store.notes.names('nothing')).toEqual([]);
  const broken = Object.assign(new Map<string, string>(), {
    *[Symbol.iterator]() {
      yield ['undo c', '[3]'];
      throw new Error('cut off');
    },
  });
  expect(() => store.deeds.addAll(['{"b":1}'], 11, broken)).toThrow();
  expect(store.deeds.all().map(({body}) => body)).toEqual(['{"a":1}', '{"a":2}']);
  expect(store.notes.get('undo c')).toBeUndefined();
});
