import {execFileSync, spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {open} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {killProcess} from '#test/support/kill-process.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {compiledOnce} from '#test/support/serve-process.ts';
import {slowTest} from '#test/support/tier.ts';
import {operate} from './operator-fixture.ts';

const archive = join(process.cwd(), 'test/fixtures/zulip-export/orchard.tar.gz');

test('serve import: prints what was imported and what was not, and the new data is whole', async () => {
  const data = join(scratchDirectory(), 'data');
  const {code, out} = await operate('serve import', [archive, '--data', data]);
  expect(code).toBe(0);
  expect(out).toMatch(/ 121 {2}messages\n/);
  expect(out).toMatch(/Not imported:\n/);
  expect(out).toContain(`parley serve --world empty --data ${data}`);
  expect(readdirSync(data).sort()).toEqual(['files', 'parley.db', 'secret', 'zuliprc']);
  for (const file of ['parley.db', 'secret']) expect(statSync(join(data, file)).mode & 0o777).toBe(0o600);
  expect(await operate('serve check', ['--data', data])).toMatchObject({code: 0});
  const again = await operate('serve import', [archive, '--data', data]);
  expect(again).toMatchObject({code: 1, err: `${data} is not empty. An export is imported into a new directory.\n`});
});

test('serve import: a damaged export is one sentence, and leaves nothing', async () => {
  const folder = scratchDirectory();
  const damaged = join(folder, 'damaged.tar.gz');
  writeFileSync(damaged, readFileSync(archive).subarray(0, 20_000));
  const result = await operate('serve import', [damaged, '--data', join(folder, 'data')]);
  expect(result).toEqual({code: 1, out: '', err: `${damaged} ends early.\n`});
  expect(readdirSync(folder)).toEqual(['damaged.tar.gz']);
});

slowTest('serve import: a killed import leaves no data directory, and the next one removes its rest', async () => {
  const folder = scratchDirectory();
  const [pipe, place] = [join(folder, 'pipe'), join(folder, 'place')];
  mkdirSync(place);
  execFileSync('mkfifo', [pipe]);
  const child = spawn(process.execPath, ['src/parley.js', 'serve', 'import', pipe, '--data', join(place, 'data')], {
    stdio: 'ignore',
    env: {...process.env, ...compiledOnce},
  });
  const ended = once(child, 'exit').then(() => undefined);
  // Opens when the import reads from it; the import then waits for the second half.
  const writer = await Promise.race([open(pipe, 'w'), ended]);
  await writer?.write(readFileSync(archive).subarray(0, 20_000));
  await killProcess(child);
  await writer?.close();
  expect(readdirSync(place)).toEqual([expect.stringMatching(/^data\.\d+\.partial$/)]);
  expect(await operate('serve import', [archive, '--data', join(place, 'data')])).toMatchObject({
    code: 0,
    err: expect.stringMatching(/Removed .*data\.\d+\.partial, which an interrupted run left\./),
  });
  expect(readdirSync(place)).toEqual(['data']);
  expect(existsSync(join(place, 'data', 'work'))).toBe(false);
});
