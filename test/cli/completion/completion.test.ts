import {execFileSync, spawnSync} from 'node:child_process';
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {spawn} from '@lydell/node-pty';
import {expect, test} from 'vitest';
import {completionScripts} from '#cli/completion/completion.ts';
import {firstWords, verbNames, verbOf} from '#cli/verbs/verb-table.ts';
import {stranger, unreachableServer, verbFixture} from '#test/cli/verbs/verb-fixture.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {fewOf} from '#test/support/tier.ts';

const {bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion} = completionScripts;

/** Returns what bash offers for the last of these words. */
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

test('completion: bash offers the verbs', () => {
  expect(offered([''])).toEqual(expect.arrayContaining([...firstWords(), 'help']));
  expect(offered(['unr'])).toEqual(['unread']);
  expect(offered([''])).not.toContain('create');
  expect(offered(['--account', 'work', 'wh'])).toEqual(['whoami']);
});

test.each(fewOf(verbNames, 20))('options of %s', (verb) => {
  const options = Object.keys(verbOf(verb).options).map((option) => `--${option}`);
  expect(offered([...verb.split(' '), '--'])).toEqual(options);
});

test('completion: bash offers account names, files and choices for option values', () => {
  const directory = home();
  expect(offered(['unread', '--account', ''], directory)).toEqual(['club', 'work', 'demo']);
  expect(offered(['--account', 'w'], directory)).toEqual(['work']);
  expect(offered(['unread', '--config', 'a'], directory)).toEqual(['a file.txt']);
  expect(offered(['upload', 'a'], directory)).toEqual(['a file.txt']);
  expect(offered(['read', '--color', 'a'])).toEqual(['auto', 'always']);
  expect(offered(['read', '--color', '=', 'n'])).toEqual(['never']);
  expect(offered(['read', '-n', ''])).toEqual([]);
  expect(offered(['drafts', 's'])).toEqual(['show', 'send']);
  expect(offered(['channel', ''])).toEqual(
    expect.arrayContaining(['list', 'members', 'create', 'edit', 'archive', 'unarchive']),
  );
  expect(offered(['--account', 'work', 'channel', 'cr'], directory)).toEqual(['create']);
  expect(offered(['channel', 'create', 'x', '--privacy', 'w'])).toEqual(['web-public']);
  expect(offered(['schedule', 'l'])).toEqual(['list']);
  expect(offered(['schedule', '--to', 'list', '--a'])).toEqual(['--account', '--at']);
  expect(offered(['schedule', 'list', '--a'])).toEqual(['--account']);
  expect(offered(['completion', ''])).toEqual(['bash', 'zsh', 'fish']);
  expect(offered(['accounts', 'default', 'c'], directory)).toEqual(['club']);
  expect(offered(['accounts', 'remove', 'w'], directory)).toEqual(['work']);
  expect(offered(['accounts', 'default', ''], directory)).toEqual(['club', 'work']);
  expect(offered(['accounts', ''], directory)).toEqual(['list', 'default', 'remove']);
});

function isThere(shell: string): boolean {
  return spawnSync(shell, ['-c', 'true']).status === 0;
}

/** Returns what fish offers for an unfinished line. */
function fishOffers(line: string, directory: string): string[] {
  const script = 'source (cat | psub); complete -C $argv[1]';
  const env = {PATH: process.env.PATH ?? '', HOME: directory};
  const out = execFileSync('fish', ['-N', '-c', script, line], {
    input: fishCompletion(),
    cwd: directory,
    env,
    encoding: 'utf8',
  });
  return out.split('\n').flatMap((row) => (row === '' ? [] : [row.split('\t')[0] ?? '']));
}

test.runIf(isThere('fish'))('completion: fish offers the same, and files only for file values', () => {
  const directory = home();
  const offers = (line: string) => fishOffers(line, directory);
  expect(offers('parley ').sort()).toEqual([...firstWords()].sort());
  expect(offers('parley --account work unr')).toEqual(['unread']);
  expect(offers('parley channel c')).toEqual(['create']);
  expect(offers('parley schedule l')).toEqual(['list']);
  expect(offers('parley channel create --privacy w')).toEqual(['web-public']);
  expect(offers('parley --account ')).toEqual(['club', 'demo', 'work']);
  expect(offers('parley unread --account w')).toEqual(['work']);
  expect(offers('parley read --color ')).toEqual(['always', 'auto', 'never']);
  expect(offers('parley send --to ')).toEqual([]);
  expect(offers('parley send --config a')).toEqual(['a file.txt']);
  expect(offers('parley accounts default ')).toEqual(['club', 'work']);
  expect(offers('parley drafts s')).toEqual(['send', 'show']);
});

/** Returns what a line becomes in zsh, at a terminal, after Tab. */
async function zshCompletes(line: string, becomes: string, directory: string): Promise<void> {
  writeFileSync(join(directory, 'script'), zshCompletion());
  const env = {PATH: process.env.PATH ?? '', HOME: directory, TERM: 'dumb', PS1: 'ready> '};
  const terminal = spawn('zsh', ['-f', '-i'], {cols: 120, rows: 30, cwd: directory, env});
  let screen = '';
  const saw = (text: string) =>
    new Promise<void>((resolve) => {
      const look = terminal.onData(() => {
        if (!screen.includes(text)) return;
        look.dispose();
        resolve();
      });
    });
  terminal.onData((data) => {
    screen += data;
  });
  try {
    terminal.write('autoload -Uz compinit; compinit -u -D; source ./script; PS1=on"set> "\r');
    await saw('onset> ');
    const done = saw(becomes);
    terminal.write(`${line}\t`);
    await done;
  } finally {
    terminal.kill('SIGKILL');
  }
}

test.runIf(isThere('zsh')).each([
  ['parley unr', 'parley unread '],
  ['parley --account work mar', 'parley --account work mark-read '],
  ['parley --account wo', 'parley --account work '],
  ['parley accounts remove cl', 'parley accounts remove club '],
])('completion: in zsh, %s and Tab becomes “%s”', (line, becomes) => zshCompletes(line, becomes, home()));

/** If the shell is installed, it parses the script; in any case the script must contain all verbs. */
test.each([
  ['bash', bashCompletion, ['-n']],
  ['zsh', zshCompletion, ['-n']],
  ['fish', fishCompletion, ['--no-execute']],
] as const)('completion: the script for %s is printed and has valid syntax', async (shell, script, check) => {
  const {code, out} = await verbFixture(unreachableServer, stranger).run('completion', [shell]);
  expect([code, out]).toEqual([0, script()]);
  for (const verb of verbNames) {
    for (const word of verb.split(' ')) expect(out).toContain(word);
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
