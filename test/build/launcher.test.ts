import {execFileSync} from 'node:child_process';
import {mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {expect, test} from 'vitest';
import {stripElf} from '#build/strip-elf.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {openTerminal} from '#test/support/terminal/open-terminal.ts';

/** A program that says whether its compiled code was loaded, and saves it if not. */
const source = `(function (exports) {
  exports.start = (folder, {saveCompiledCode}) => {
    console.log(saveCompiledCode === undefined ? 'loaded' : 'compiled');
    saveCompiledCode?.();
  };
})`;

/** Creates a program folder as the build does. */
function programFolder(buildId: string, program = source): string {
  const folder = scratchDirectory();
  const launcher = readFileSync(resolve('src/build/launcher.cjs'), 'utf8');
  writeFileSync(join(folder, 'parley.cjs'), launcher.replace('BUILD_ID', buildId));
  writeFileSync(join(folder, 'program.cjs'), program);
  return folder;
}

function run(folder: string, cache: string): string {
  const env = {XDG_CACHE_HOME: cache};
  return execFileSync(process.execPath, [join(folder, 'parley.cjs')], {env, encoding: 'utf8'}).trim();
}

test('launcher: compiled code is saved beside the program and loaded by the next start', () => {
  const [folder, cache] = [programFolder('one'), scratchDirectory()];
  expect([run(folder, cache), run(folder, cache)]).toEqual(['compiled', 'loaded']);
  expect(readdirSync(join(folder, 'compiled'))).toEqual([`one-${process.version}-${process.arch}-screen.cache`]);
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
  writeFileSync(join(folder, 'compiled', `one-${process.version}-${process.arch}-screen.cache`), 'damaged');
  expect([run(folder, cache), run(folder, cache)]).toEqual(['compiled', 'loaded']);
});

/** A program that saves a picture and ends at a key. It takes over the terminal if its argument says so. */
const paintingSource = `(function (exports, require) {
  const {statSync, writeFileSync} = require('node:fs');
  exports.start = (folder, {picture}) => {
    const database = folder + '/parley.cjs';
    if (process.argv[2] === 'takes-over') picture.takeOver?.();
    process.stdin.on('data', (text) => {
      // The terminal's reply to the query is not a key.
      if (!String(text).includes('a')) return;
      const header = {key: picture.key, database, changedAt: statSync(database).mtimeMs};
      writeFileSync(picture.file, JSON.stringify(header) + '\\nThe picture');
      process.exit(0);
    });
  };
})`;

function paintingProgram() {
  const [folder, cache] = [programFolder('one', paintingSource), scratchDirectory()];
  mkdirSync(join(cache, 'parley'));
  const env = {XDG_CACHE_HOME: cache, TERM: 'xterm-256color'};
  return {
    folder,
    open: (...args: string[]) => openTerminal(process.execPath, [join(folder, 'parley.cjs'), ...args], {env}),
  };
}

test('launcher: the picture of the first frame is shown once, and only while the database is unchanged', async () => {
  const {folder, open} = paintingProgram();
  for (const isShown of [false, true, true, false]) {
    // As if another program had written to the database.
    if (!isShown) utimesSync(join(folder, 'parley.cjs'), new Date(), new Date());
    const terminal = open();
    if (isShown) await terminal.waitFor('The picture');
    terminal.type('a\r');
    await terminal.waitForExit();
    expect(terminal.transcript().includes('The picture')).toBe(isShown);
    expect(terminal.modes.altScreen).toBe(false);
  }
});

test('launcher: a program that ends before it has taken over the terminal leaves it as it was', async () => {
  const {open} = paintingProgram();
  const first = open();
  first.type('a\r');
  await first.waitForExit();
  const second = open();
  await second.waitFor('The picture');
  second.kill('SIGTERM');
  await second.waitForExit();
  expect(second.modes.altScreen).toBe(false);
  expect(second.cursor.visible).toBe(true);
});

test('single file: only an executable of Linux is stripped', () => {
  expect(() => stripElf(Buffer.from('#!/bin/sh\n'.repeat(10)))).toThrow('not an ELF executable');
});
