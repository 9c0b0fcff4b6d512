import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {launchProgram, programRunner, runInTerminal} from '#terminal/run-program.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';

const run = programRunner({PATH: process.env.PATH});

test('run program: the program gets its input, and its exit code and output are returned', async () => {
  expect(await run('cat', [], 'héllo')).toEqual({kind: 'ended', code: 0, output: 'héllo'});
  expect(await run('sh', ['-c', 'exit 3'])).toEqual({kind: 'ended', code: 3, output: ''});
});

test('run program: a missing program is a failure', async () => {
  expect(await run('no-such-program', [])).toMatchObject({kind: 'failed'});
  expect(await launchProgram('no-such-program', [])).toMatchObject({kind: 'failed'});
});

test('run program: arguments longer than the system allows are a failure', async () => {
  const tooLong = 'x'.repeat(3_000_000);
  const failed = {kind: 'failed', problem: expect.stringContaining('E2BIG')};
  expect(await run('true', [tooLong])).toEqual(failed);
  expect(await launchProgram('true', [tooLong])).toEqual(failed);
  expect(await runInTerminal('true', [tooLong])).toEqual(failed);
});

test('run program: a program that does not read, or stays in the background, blocks nothing', async () => {
  expect(await run('true', [], 'x'.repeat(1_000_000))).toMatchObject({kind: 'ended', code: 0});
  expect(await run('sh', ['-c', 'echo said; sleep 1 & exit 0'])).toEqual({
    kind: 'ended',
    code: 0,
    output: 'said\n',
  });
});

test('launch program: it runs independently, and a failure is noticed', async () => {
  const file = join(scratchDirectory(), 'there');
  expect(await launchProgram('touch', [file])).toMatchObject({kind: 'ended', code: 0});
  expect(existsSync(file)).toBe(true);
  expect(await launchProgram('false', [])).toMatchObject({kind: 'ended', code: 1});
});
