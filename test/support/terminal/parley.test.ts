import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {pathsOf} from '#config/paths.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {testServer} from '#test/support/server.ts';
import {openParley} from './parley.ts';

test('test terminal: the built program runs in a terminal with its own home', async () => {
  const {version} = JSON.parse(readFileSync('package.json', 'utf8'));
  const parley = openParley({args: ['--version']});
  await parley.waitFor(version);
  expect(await parley.waitForExit()).toEqual({code: 0, signal: undefined});
});

test('test terminal: it logs in as the given user, also several at once', async () => {
  const server = await testServer();
  const [meg, otto] = [server.people.member(), server.people.member('Otto Other')];
  const programs = [meg, otto].map((person) => openParley({server, person, args: ['whoami']}));
  await programs[0]?.waitFor('Meg Member');
  await programs[1]?.waitFor('Otto Other');
});

test('test terminal: the demo is that of its own home', async () => {
  const home = scratchDirectory();
  const parley = openParley({home, args: ['whoami', '--account', 'demo']});
  await parley.waitFor('Robin');
  expect(existsSync(join(pathsOf({}, home).data, 'demo-small'))).toBe(true);
});
