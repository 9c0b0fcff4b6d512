import {execFileSync} from 'node:child_process';
import {chmodSync, chownSync, cpSync, existsSync, mkdirSync, readdirSync, statSync, symlinkSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {slowTest} from '#test/support/tier.ts';

/** Only root can make files of another user. */
const isRoot = process.getuid?.() === 0;
const cacheName = 'node_modules/.cache/parley-compiled';

/** Creates a checkout that was not built, and an empty temporary directory. */
function checkout() {
  const root = scratchDirectory();
  const temporary = join(root, 'tmp');
  for (const name of ['src', 'package.json']) cpSync(name, join(root, name), {recursive: true});
  mkdirSync(join(root, 'node_modules'));
  mkdirSync(temporary);
  for (const name of readdirSync('node_modules')) {
    if (!name.startsWith('.')) symlinkSync(join(process.cwd(), 'node_modules', name), join(root, 'node_modules', name));
  }
  return {
    cache: join(root, cacheName),
    temporary,
    start: () =>
      execFileSync(process.execPath, [join(root, 'src/parley.js'), '--version'], {
        env: {HOME: root, TMPDIR: temporary},
        encoding: 'utf8',
      }),
  };
}

test('start from sources: compiled code is kept in a private folder of the checkout, none in the temporary directory', () => {
  const {cache, temporary, start} = checkout();
  expect(start()).toContain('sources');
  expect(readdirSync(temporary)).toEqual([]);
  expect(readdirSync(cache)).toHaveLength(1);
  expect(statSync(cache).mode & 0o777).toBe(0o700);
});

const untrusted: readonly (readonly [string, (folder: string) => void])[] = [
  ['others may write to', (folder) => chmodSync(folder, 0o777)],
  ['the group may read', (folder) => chmodSync(folder, 0o750)],
  ...(isRoot ? [['another user owns', (folder: string) => chownSync(folder, 65_534, 65_534)] as const] : []),
];

test.each(untrusted)('start from sources: with a cache folder that %s, it starts without it', (_name, change) => {
  const {cache, temporary, start} = checkout();
  mkdirSync(cache, {recursive: true, mode: 0o700});
  change(cache);
  expect(start()).toContain('sources');
  expect([readdirSync(cache), readdirSync(temporary)]).toEqual([[], []]);
});

test('start from sources: a link in place of the cache folder is not followed', () => {
  const {cache, temporary, start} = checkout();
  const target = scratchDirectory();
  mkdirSync(join(cache, '..'), {recursive: true});
  symlinkSync(target, cache);
  expect(start()).toContain('sources');
  expect([readdirSync(target), readdirSync(temporary)]).toEqual([[], []]);
});

slowTest('start from sources: where no folder can be created, it starts without a cache', () => {
  const {cache, temporary, start} = checkout();
  // A link to nothing in place of the folder: the tests may run as a user who may write everywhere.
  symlinkSync('/nonexistent', join(cache, '..'));
  expect(start()).toContain('sources');
  expect([existsSync(cache), readdirSync(temporary)]).toEqual([false, []]);
});
