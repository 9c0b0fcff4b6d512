import {execFile, spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, lstatSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {killProcess} from '#test/support/kill-process.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {testServer} from '#test/support/server.ts';
import {builtProgram} from '#test/support/terminal/built-program.ts';
import {fewOf, slowTest} from '#test/support/tier.ts';

/** Tests that need a separate process: its output, input, directory and exit. */
async function scene() {
  const server = await testServer();
  const [meg, otto] = [server.people.member(), server.people.member('Otto Other')];
  const home = scratchDirectory();
  const text = `[api]\nemail=${meg.email}\nkey=${meg.apiKey}\nsite=${server.url}\n`;
  writeFileSync(join(home, 'zuliprc'), text, {mode: 0o600});
  return {server, meg, otto, home, shell: (line: string) => shell(line, home)};
}

/** Runs a line of bash in which \`parley\` is the program; a timeout ends it with 124. */
function shell(line: string, home: string): Promise<{code: number; out: string; err: string}> {
  const program = join(import.meta.dirname, '../../src/parley.js');
  const script = `set -o pipefail; parley() { timeout 50 "${process.execPath}" "${program}" "$@"; }; ${line}`;
  const env = {PATH: process.env.PATH, HOME: home};
  return new Promise((resolve) => {
    const child = execFile('bash', ['-c', script], {cwd: home, env}, (error, out, err) =>
      resolve({code: error === null ? 0 : Number(error.code), out, err}),
    );
    child.stdin?.end();
  });
}

/** A text of the start file, a text, output in pieces, and output after a request. All verbs share what handles a failure. */
const looks = fewOf(['users', '--version', '--help', 'doctor'], 2);

test.runIf(existsSync('/dev/full')).each(looks)(
  'process: parley %s fails with one sentence when its output cannot be written',
  async (argv) => {
    const {shell} = await scene();
    const {code, err} = await shell(`parley ${argv} > /dev/full`);
    expect([code, err]).toEqual([1, expect.stringMatching(/^The output cannot be written: ENOSPC.*\.\n$/)]);
  },
);

test.runIf(existsSync('/dev/full'))(
  'process: “send” succeeds even when its output cannot be written, because it must not be repeated',
  async () => {
    const {shell, server, meg} = await scene();
    expect(await shell('parley send --to me -m once > /dev/full')).toMatchObject({code: 0});
    const {messages} = await server
      .as(meg)
      .get('/messages', {anchor: 'newest', num_before: 5, num_after: 0, apply_markdown: false});
    expect(messages).toMatchObject([{content: 'once'}]);
  },
);

test.each(looks)('process: a closed pipe is no failure of parley %s', async (argv) => {
  const {shell} = await scene();
  expect(await shell(`parley ${argv} | true`)).toEqual({code: 0, out: '', err: ''});
});

test('process: parley licenses prints the notices of the last build, also into a pipe that closes early', async () => {
  const {shell} = await scene();
  const notices = readFileSync(join(dirname(builtProgram()), 'THIRD-PARTY-NOTICES'), 'utf8');
  expect(await shell('parley licenses')).toEqual({code: 0, out: notices, err: ''});
  expect(await shell('parley licenses | head -1')).toEqual({code: 0, out: 'MIT License\n', err: ''});
});

slowTest('process: a deleted working directory does not affect verbs that need no file', async () => {
  const {shell} = await scene();
  const {code, out, err} = await shell('mkdir d && cd d && rmdir ../d && parley whoami && ! parley upload x');
  expect([code, out]).toEqual([0, expect.stringContaining('Meg Member')]);
  expect(err).toContain('Cannot read x: no such file.\n');
});

test('process: too much standard input is one sentence', async () => {
  const {shell} = await scene();
  const {code, err} = await shell('parley send --to me < <(head -c 17000000 /dev/zero)');
  expect([code, err]).toEqual([1, 'Standard input is longer than 16 MiB.\n']);
});

slowTest('process: a server that cannot start prints the reason and leaves no credentials behind', async () => {
  const {shell, server} = await scene();
  const {port} = new URL(server.url);
  const taken = `Port ${port} on 127.0.0.1 is already in use. Choose another with --port, or 0 for a free one.\n`;
  const ends = await Promise.all(
    [
      `--memory --world demo --port ${port}`,
      '--data zuliprc',
      '--memory --world demo --ready-file nowhere/ready.json',
    ].map((argv) => shell(`mkdir -p tmp; TMPDIR="$PWD/tmp" parley serve ${argv}`)),
  );
  expect((await shell('find tmp -name "parley-*"')).out).toBe('');
  expect(ends).toMatchObject([
    {code: 1, err: taken},
    {code: 1, err: expect.stringMatching(/zuliprc is not a directory\. --data names a directory\.\n$/)},
    {code: 3, err: expect.stringMatching(/ready\.json cannot be written: ENOENT.*\.\n$/)},
  ]);
});

slowTest('process: “serve” keeps running when its output is closed', async () => {
  const home = scratchDirectory();
  const program = join(import.meta.dirname, '../../src/parley.js');
  const readyFile = join(home, 'ready.json');
  const args = [program, 'serve', '--memory', '--world', 'demo', '--bots', 'off', '--ready-file', readyFile];
  const child = spawn(process.execPath, args, {cwd: home, env: {HOME: home}, stdio: ['ignore', 'pipe', 'inherit']});
  onTestFinished(() => killProcess(child));
  child.stdout.destroy();
  await expect.poll(() => existsSync(readyFile)).toBe(true);
  // It has written its first lines after the file.
  await fetch(`${JSON.parse(readFileSync(readyFile, 'utf8')).url}/api/v1/server_settings`);
  expect(child.exitCode).toBeNull();
  child.kill();
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test.each(['old', undefined])('process: “serve --ready-file” replaces a link to a file with %s', async (content) => {
  const home = scratchDirectory();
  const [target, readyFile] = [join(home, 'target'), join(home, 'ready.json')];
  if (content !== undefined) writeFileSync(target, content);
  symlinkSync(target, readyFile);
  const program = join(import.meta.dirname, '../../src/parley.js');
  const args = [program, 'serve', '--memory', '--world', 'empty', '--bots', 'off', '--ready-file', readyFile];
  const child = spawn(process.execPath, args, {cwd: home, env: {HOME: home}, stdio: ['ignore', 'pipe', 'inherit']});
  onTestFinished(() => killProcess(child));
  // Its first lines follow the file.
  await once(child.stdout, 'data');
  const stats = lstatSync(readyFile);
  expect([stats.isFile(), stats.mode & 0o777]).toEqual([true, 0o600]);
  expect(existsSync(target) ? readFileSync(target, 'utf8') : undefined).toBe(content);
});
