import {existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {downloadsDirectory, saveDownload, saveFile} from '#terminal/save-file.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';

async function* chunks(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield new TextEncoder().encode(text);
}

test('save file: the pieces are written to the downloads folder', async () => {
  const home = scratchDirectory();
  const path = await saveDownload({HOME: home}, 'plan.txt', chunks('one ', 'two'));
  expect(path).toBe('~/Downloads/plan.txt');
  expect(readFileSync(join(home, 'Downloads/plan.txt'), 'utf8')).toBe('one two');
});

test('save file: existing files are not overwritten', async () => {
  const directory = scratchDirectory();
  writeFileSync(join(directory, 'plan.txt'), 'mine');
  expect(await saveFile(directory, 'plan.txt', chunks('theirs'))).toBe(join(directory, 'plan (2).txt'));
  expect(readFileSync(join(directory, 'plan.txt'), 'utf8')).toBe('mine');
});

test('save file: an incomplete file is removed', async () => {
  const directory = scratchDirectory();
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield new Uint8Array(4);
    throw new Error('The connection was lost.');
  }
  await expect(saveFile(directory, 'plan.txt', broken())).rejects.toThrow('The connection was lost.');
  expect(readdirSync(directory)).toEqual([]);
});

test.each([
  ['../../.bashrc', '_.._.bashrc'],
  ['/etc/passwd', '_etc_passwd'],
  ['.hidden', 'hidden'],
  ['a\u001b[31mb\n.png', 'a[31mb .png'],
  ['', 'file'],
  [`${'ü'.repeat(300)}.png`, `${'ü'.repeat(98)}.png`],
])('save file: the name %j cannot leave the folder', async (name, saved) => {
  const directory = scratchDirectory();
  await saveFile(directory, name, chunks('x'));
  expect(readdirSync(directory)).toEqual([saved]);
  expect(existsSync(join(directory, '..', '.bashrc'))).toBe(false);
});

test('save file: the desktop configuration names the downloads folder', () => {
  const home = scratchDirectory();
  mkdirSync(join(home, '.config'));
  writeFileSync(join(home, '.config/user-dirs.dirs'), '# xdg\nXDG_DOWNLOAD_DIR="$HOME/Laden"\n');
  expect(downloadsDirectory({}, home)).toBe(join(home, 'Laden'));
  expect(downloadsDirectory({XDG_DOWNLOAD_DIR: '/elsewhere'}, home)).toBe('/elsewhere');
});
