import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {Readable} from 'node:stream';
import {expect, test} from 'vitest';
import {showWelcomeMenu} from '#cli/screen/welcome-menu.ts';
import {NamedAccounts} from '#config/named-accounts.ts';
import {pathsOf} from '#config/paths.ts';
import {findZuliprcs} from '#config/zuliprc.ts';
import {testIo} from '#test/support/cli-io.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {testServer} from '#test/support/server.ts';

/** Returns an input whose keys arrive one by one. */
function keys(...pressed: readonly string[]): Readable {
  return Readable.from(pressed.map((key) => Buffer.from(key)));
}

function zuliprc(site: string, email: string, key: string): string {
  return `[api]\nemail=${email}\nkey=${key}\nsite=${site}\n`;
}

test('welcome menu: one key opens the demo', async () => {
  const io = testIo({stdin: keys('x', '2')});
  expect(await showWelcomeMenu(io)).toEqual({account: 'demo'});
  expect(io.out()).toContain('1  Log in to a server…');
  expect(io.out()).toContain('2  Try the built-in demo');
});

test('welcome menu: keys that arrive together count one by one, and the terminal gets its lines back', async () => {
  const modes: boolean[] = [];
  const stdin = Object.assign(keys('x2'), {setRawMode: (isRaw: boolean) => modes.push(isRaw)});
  expect(await showWelcomeMenu(testIo({stdin}))).toEqual({account: 'demo'});
  expect(modes).toEqual([true, false, true, false]);
});

test.each(['3', 'q', '\u0003'])('welcome menu: %j quits', async (key) => {
  expect(await showWelcomeMenu(testIo({stdin: keys(key)}))).toBe(0);
});

test('welcome menu: the end of the input quits', async () => {
  expect(await showWelcomeMenu(testIo({stdin: keys()}))).toBe(0);
});

test('welcome menu: a downloaded zuliprc is offered, checked with its server and saved', async () => {
  const server = await testServer();
  const meg = server.people.member();
  const home = scratchDirectory();
  mkdirSync(join(home, 'Downloads'));
  writeFileSync(join(home, 'Downloads', 'zuliprc'), zuliprc(server.url, meg.email, meg.apiKey));
  writeFileSync(join(home, 'Downloads', 'zuliprc (1)'), 'nothing of the kind');
  const io = testIo({home, stdin: keys('1')});
  expect(await showWelcomeMenu(io)).toEqual({});
  expect(io.out()).toContain(`1  Use ~/Downloads/zuliprc   ${meg.email} at ${new URL(server.url).host}`);
  expect(new NamedAccounts(pathsOf({}, home)).names()).toHaveLength(1);
});

test('welcome menu: after a failed login the menu is shown again', async () => {
  const server = await testServer();
  const meg = server.people.member();
  const home = scratchDirectory();
  const cwd = scratchDirectory();
  writeFileSync(join(cwd, 'zuliprc'), zuliprc(server.url, meg.email, 'wrong'.repeat(8)));
  const io = testIo({home, cwd, stdin: keys('1', '3')});
  expect(await showWelcomeMenu(io)).toEqual({account: 'demo'});
  expect(io.err()).toContain('rejects this API key');
});

test('welcome menu: zuliprc files in other folders, and those that run a command, are not offered', () => {
  const home = scratchDirectory();
  mkdirSync(join(home, 'Downloads'));
  writeFileSync(join(home, 'Downloads/zuliprc'), '[api]\nemail=a@a.example\nsite=https://a.example\nkey_command=x\n');
  writeFileSync(join(home, 'zuliprc'), zuliprc('https://a.example', 'a@a.example', 'k'));
  expect(findZuliprcs(home, home)).toEqual([]);
});
