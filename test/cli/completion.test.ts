import {execFileSync} from 'node:child_process';
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {bashCompletion} from '#cli/completion/bash.ts';
import {fishCompletion} from '#cli/completion/fish.ts';
import {zshCompletion} from '#cli/completion/zsh.ts';
import {verbNames, verbOf} from '#cli/verbs/table.ts';
import {scratchDirectory} from '#test/support/scratch.ts';
import {nowhere, stage, stranger} from './verb-stage.ts';

/** What bash offers for the last of these words. */
function offered(words: readonly string[], home = scratchDirectory()): string[] {
  const script = `
    set -u
    eval "$(cat)"
    COMP_WORDS=("$@")
    COMP_CWORD=$(($# - 1))
    _parley
    printf '%s\\n' "\${COMPREPLY[@]+"\${COMPREPLY[@]}"}"
  `;
  const args = ['--norc', '-c', script, 'bash', 'parley', ...words];
  const env = {PATH: process.env.PATH ?? '', HOME: home};
  const out = execFileSync('bash', args, {input: bashCompletion(), cwd: home, env, encoding: 'utf8'});
  return out.split('\n').filter((line) => line !== '');
}

function home(): string {
  const directory = scratchDirectory();
  const accounts = join(directory, '.config', 'parley', 'accounts');
  mkdirSync(accounts, {recursive: true});
  for (const name of ['work', 'club']) writeFileSync(join(accounts, `${name}.zuliprc`), '');
  writeFileSync(join(directory, 'a file.txt'), '');
  return directory;
}

test('verbs', () => {
  expect(offered([''])).toEqual(expect.arrayContaining([...verbNames, 'help']));
  expect(offered(['un'])).toEqual(['unread']);
  expect(offered(['--account', 'work', 'wh'])).toEqual(['whoami']);
});

test.each(verbNames)('options of %s', (verb) => {
  const options = Object.keys(verbOf(verb).options).map((option) => `--${option}`);
  expect(offered([verb, '--'])).toEqual(options);
});

test('values: names of accounts, files, words of a choice; nothing where nobody knows', () => {
  const directory = home();
  expect(offered(['unread', '--account', ''], directory)).toEqual(['club', 'work', 'demo']);
  expect(offered(['--account', 'w'], directory)).toEqual(['work']);
  expect(offered(['unread', '--config', 'a'], directory)).toEqual(['a file.txt']);
  expect(offered(['upload', 'a'], directory)).toEqual(['a file.txt']);
  expect(offered(['read', '--color', 'a'])).toEqual(['auto', 'always']);
  expect(offered(['read', '--color', '=', 'n'])).toEqual(['never']);
  expect(offered(['read', '-n', ''])).toEqual([]);
  expect(offered(['drafts', 's'])).toEqual(['show', 'send']);
  expect(offered(['completion', ''])).toEqual(['bash', 'zsh', 'fish']);
  expect(offered(['accounts', 'default', 'c'], directory)).toEqual(['club']);
  expect(offered(['accounts', 'remove', 'w'], directory)).toEqual(['work']);
});

/** Where the shell is there, it reads the script; everywhere the script names all there is. */
test.each([
  ['bash', bashCompletion, ['-n']],
  ['zsh', zshCompletion, ['-n']],
  ['fish', fishCompletion, ['--no-execute']],
] as const)('the script for %s is printed, is whole, and can be read by it', async (shell, script, check) => {
  const {code, out} = await stage(nowhere, stranger).run('completion', [shell]);
  expect([code, out]).toEqual([0, script()]);
  for (const verb of verbNames) {
    expect(out).toContain(verb);
    for (const option of Object.keys(verbOf(verb).options)) expect(out).toContain(option);
  }
  const file = join(scratchDirectory(), 'script');
  writeFileSync(file, out);
  try {
    execFileSync(shell, [...check, file], {stdio: 'pipe'});
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
});
