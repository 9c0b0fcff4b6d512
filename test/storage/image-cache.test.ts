import {readdirSync, rmSync, statSync, utimesSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {systemClock} from '#std/clock.ts';
import {ImageCache} from '#storage/image-cache.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';

function fixture(maxBytes: number) {
  const folder = join(scratchDirectory(), 'images', 'one');
  const cache = new ImageCache(folder, () => maxBytes, systemClock);
  /** Saves files that were used one after the other. */
  const setAt = async (key: string, size: number, second: number) => {
    await cache.set(key, Buffer.alloc(size, key));
    const newest = readdirSync(folder).find((name) => statSync(join(folder, name)).mtimeMs > 1_000_000);
    if (newest !== undefined) utimesSync(join(folder, newest), second, second);
  };
  const has = async (...keys: string[]) =>
    (await Promise.all(keys.map(async (key) => ((await cache.get(key)) === undefined ? '' : key)))).join('');
  return {folder, cache, setAt, has};
}

test('a saved file is returned, and its name says nothing about it', async () => {
  const {cache, folder} = fixture(1000);
  await cache.set('/user_uploads/2/secret/plan.png', Buffer.from('abc'));
  expect((await cache.get('/user_uploads/2/secret/plan.png'))?.toString()).toBe('abc');
  expect(readdirSync(folder)).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
});

test('files are readable only by their user', async () => {
  const {cache, folder} = fixture(1000);
  await cache.set('a', Buffer.from('abc'));
  const [name = ''] = readdirSync(folder);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
});

test('beyond the limit, the files that were not used for longest are removed', async () => {
  const {setAt, has, cache, folder} = fixture(100);
  for (const [second, key] of ['a', 'b', 'c'].entries()) await setAt(key, 30, second + 1);
  // It is the newest from now on.
  expect(await has('a')).toBe('a');
  await cache.set('d', Buffer.alloc(30));
  expect(await has('a', 'b', 'c', 'd')).toBe('acd');
  const total = readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  expect(total).toBeLessThanOrEqual(100);
});

test('files of an earlier run count', async () => {
  const {setAt, folder, has} = fixture(100);
  await setAt('a', 60, 1);
  const later = new ImageCache(folder, () => 100, systemClock);
  await later.set('b', Buffer.alloc(60));
  expect(await has('a', 'b')).toBe('b');
});

test('a file that is larger than the limit is not saved, and a limit of 0 saves nothing', async () => {
  const {cache, has} = fixture(100);
  await cache.set('a', Buffer.alloc(101));
  expect(await has('a')).toBe('');
  const none = fixture(0);
  await none.cache.set('a', Buffer.alloc(1));
  expect(await none.has('a')).toBe('');
});

test('a limit that is lowered to 0 removes what was saved', async () => {
  const {setAt, folder} = fixture(100);
  await setAt('a', 30, 1);
  await new ImageCache(folder, () => 0, systemClock).set('b', Buffer.alloc(30));
  expect(readdirSync(folder)).toEqual([]);
});

test('a folder that cannot be made or is removed loses nothing but the cache', async () => {
  const {cache, folder} = fixture(100);
  await cache.set('a', Buffer.alloc(10));
  rmSync(folder, {recursive: true});
  expect(await cache.get('a')).toBeUndefined();
  writeFileSync(folder, 'a file');
  await cache.set('b', Buffer.alloc(10));
  expect(await cache.get('b')).toBeUndefined();
});
