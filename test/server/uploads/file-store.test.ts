import {readdirSync} from 'node:fs';
import {expect, test} from 'vitest';
import {directoryFileStore} from '#server/uploads/file-store.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';

test('file store: a file that is deleted during copies goes after the last of them', async () => {
  const directory = scratchDirectory();
  const files = directoryFileStore(directory);
  for (const name of ['a.txt', 'b.txt']) await files.put(name, Buffer.from('tide'));
  const [first, second] = [files.holdDeletions(), files.holdDeletions()];
  await files.delete('a.txt');
  first();
  for (let look = 0; look < 20; look++) expect(await files.open('a.txt')).toBeDefined();
  await files.delete('b.txt');
  expect(readdirSync(directory).toSorted()).toEqual(['a.txt', 'b.txt']);
  second();
  await expect.poll(() => readdirSync(directory)).toEqual([]);
});
