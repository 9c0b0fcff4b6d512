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
