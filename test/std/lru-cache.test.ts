import {expect, test} from 'vitest';
import {LruCache} from '#std/lru-cache.ts';

test('LRU cache: the least recently used entry is evicted first', () => {
  const lru = new LruCache<string, number>(2);
  lru.set('a', 1);
  lru.set('b', 2);
  lru.get('a');
  lru.set('c', 3);
  expect(lru.get('b')).toBeUndefined();
  expect([lru.get('a'), lru.get('c')]).toEqual([1, 3]);
});

test('LRU cache: setting a key again replaces its value without growing', () => {
  const lru = new LruCache<string, number>(2);
  lru.set('a', 1);
  lru.set('a', 2);
  expect([lru.size, lru.get('a')]).toEqual([1, 2]);
});

test('LRU cache: entries are evicted until their sizes fit', () => {
  const lru = new LruCache<string, string>(10, (text) => text.length);
  lru.set('a', 'xxx');
  lru.set('b', 'xxx');
  lru.set('c', 'xxx');
  lru.get('a');
  lru.set('d', 'xxxxxx');
  expect([lru.get('a'), lru.get('b'), lru.get('c'), lru.get('d')]).toEqual(['xxx', undefined, undefined, 'xxxxxx']);
});

test('LRU cache: a replaced or deleted value no longer counts', () => {
  const lru = new LruCache<string, string>(10, (text) => text.length);
  lru.set('a', 'xxxxxxxx');
  lru.set('a', 'x');
  lru.set('b', 'xxxxxxxx');
  lru.delete('b');
  lru.set('c', 'xxxxxxxx');
  expect([lru.get('a'), lru.get('b'), lru.get('c')]).toEqual(['x', undefined, 'xxxxxxxx']);
});

test('LRU cache: an entry larger than the cache stays until the next one', () => {
  const lru = new LruCache<string, string>(10, (text) => text.length);
  lru.set('a', 'x'.repeat(20));
  expect(lru.get('a')).toHaveLength(20);
  lru.set('b', 'x');
  expect([lru.get('a'), lru.get('b')]).toEqual([undefined, 'x']);
});

test('LRU cache: a value is computed once while it is cached', () => {
  const lru = new LruCache<string, number>(1);
  let computed = 0;
  const value = (key: string) => lru.getOrCompute(key, () => ++computed);
  expect([value('a'), value('a'), value('b'), value('a')]).toEqual([1, 1, 2, 3]);
});

test('LRU cache: an entry that was read is spared once, and the newest one always', () => {
  const lru = new LruCache<string, number>(2);
  lru.set('a', 1);
  lru.set('b', 2);
  lru.get('a');
  lru.get('b');
  lru.set('c', 3);
  expect([lru.size, lru.get('c')]).toEqual([2, 3]);
  lru.set('d', 4);
  lru.set('e', 5);
  expect([lru.get('a'), lru.get('b'), lru.get('e')]).toEqual([undefined, undefined, 5]);
});
