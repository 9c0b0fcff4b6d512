import {execFileSync} from 'node:child_process';
import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {expect, test} from 'vitest';
import {stripElf} from '#build/strip-elf.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';

/** A program that says whether its compiled code was loaded, and saves it if not. */
const source = `(function (exports) {
  exports.start = (folder, save) => {
    console.log(save === undefined ? 'loaded' : 'compiled');
    save?.();
  };
})`;

/** Creates a program folder as the build does. */
function programFolder(buildId: string): string {
  const folder = scratchDirectory();
  const launcher = readFileSync(resolve('src/build/launcher.cjs'), 'utf8');
  writeFileSync(join(folder, 'parley.cjs'), launcher.replace('BUILD_ID', buildId));
  writeFileSync(join(folder, 'program.cjs'), source);
  return folder;
}

function run(folder: string, cache: string): string {
  const env = {XDG_CACHE_HOME: cache};
  return execFileSync(process.execPath, [join(folder, 'parley.cjs')], {env, encoding: 'utf8'}).trim();
}

test('launcher: compiled code is saved beside the program and loaded by the next start', () => {
  const [folder, cache] = [programFolder('one'), scratchDirectory()];
  expect([run(folder, cache), run(folder, cache)]).toEqual(['compiled', 'loaded']);
  expect(readdirSync(join(folder, 'compiled'))).toEqual([`one-${process.version}-${process.arch}.cache`]);
  expect(readdirSync(cache)).toEqual([]);
});

test('launcher: compiled code is saved in the cache folder of the user when the program folder is not writable', () => {
  const [folder, other, cache] = [programFolder('one'), programFolder('two'), scratchDirectory()];
  // A file in place of the folder: the tests may run as a user who may write everywhere.
  for (const each of [folder, other]) writeFileSync(join(each, 'compiled'), '');
  expect([run(folder, cache), run(folder, cache)]).toEqual(['compiled', 'loaded']);
  expect(run(other, cache)).toBe('compiled');
});

test('launcher: a damaged file of compiled code is replaced', () => {
  const [folder, cache] = [programFolder('one'), scratchDirectory()];
  mkdirSync(join(folder, 'compiled'));
  writeFileSync(join(folder, 'compiled', `one-${process.version}-${process.arch}.cache`), 'damaged');
  expect([run(folder, cache), run(folder, cache)]).toEqual(['compiled', 'loaded']);
});

test('single file: only an executable of Linux is stripped', () => {
  expect(() => stripElf(Buffer.from('#!/bin/sh\n'.repeat(10)))).toThrow('not an ELF executable');
});
