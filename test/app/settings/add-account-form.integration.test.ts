import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {inspect} from 'node:util';
import {expect, test} from 'vitest';
import {startLogin} from '#cli/screen/start-login.ts';
import {messageFixture} from '#test/app/message-actions/message-fixture.ts';
import {accountsIn, password, redirectOf, withMeg} from '#test/cli/login/login-fixture.ts';
import {testIo} from '#test/support/cli-io.ts';
import {goToField} from '#test/support/form-keys.ts';

/** An app that can add accounts of a second server to an empty home. */
async function loginScene({only = false, hasBrowserLogin = false} = {}) {
  const there = await withMeg({testHooks: true});
  const body = JSON.stringify({user_id: there.id, only});
  if (hasBrowserLogin) await fetch(`${there.server.url}/test-hooks/external-login`, {method: 'POST', body});
  const io = testIo();
  const {promise: shown, resolve: show} = Promise.withResolvers<string>();
  const accounts = {
    list: () => [{name: 'work', detail: 'meg', isShown: true, unreads: undefined}],
    show: () => {},
    startLogin: (text: string) => startLogin(text, io, async (name) => show(name)),
  };
  const parts = await messageFixture({app: {accounts}});
  return {...parts, ...there, io, shown, goTo: goToField(parts.app, parts.press)};
}

test('add an account: the list of accounts leads to the server, the login, and the new account', async () => {
  const {press, type, says, shown, server, email, key, io, app, deviceCalls} = await loginScene();
  press('g', 'a', 'Down', 'Enter');
  await says('Add an account');
  type('not an address');
  press('Ctrl-D');
  await says('is not the address of a server');
  press('Ctrl-U');
  type('127.0.0.1:1');
  press('Ctrl-D');
  await says('Cannot reach 127.0.0.1:1: connection refused.');
  press('Ctrl-U');
  type(server.url);
  press('Ctrl-D');
  await says('Log in to Parley');
  type(email);
  press('Tab');
  type('a wrong password');
  press('Ctrl-D');
  const refused = await says(/incorrect|invalid/i);
  expect(refused).toContain(email);
  expect(refused).not.toContain('wrong password');
  press('Ctrl-U');
  type(password);
  press('Ctrl-D');
  expect(await shown).toBe('parley');
  const saved = readFileSync(join(io.home, '.config/parley/accounts/parley.zuliprc'), 'utf8');
  expect(saved).toBe(`[api]\nemail=${email}\nkey=${key}\nsite=${server.url}\n`);
  await expect.poll(() => app.screen.overlays).toEqual([]);
  expect(inspect([app.screen, deviceCalls, io.out(), io.err()], {depth: 9})).not.toContain(password.trim());
});

test('add an account: closing the login forgets the password and keeps the rest', async () => {
  const {press, type, says, server, email, app} = await loginScene();
  press('g', 'a', 'Down', 'Enter');
  type(server.url);
  press('Ctrl-D');
  await says('Log in to Parley');
  type(email);
  press('Tab');
  type('half a passw');
  press('Esc');
  expect(inspect(app.screen.formEdits, {depth: 9})).not.toContain('half');
  press('g', 'a', 'Down', 'Enter');
  await says(server.url);
  press('Ctrl-D');
  expect(await says('Log in to Parley')).toContain(email);
});

test('add an account: a server without passwords opens the browser and takes the address that it was sent to', async () => {
  const {press, type, says, shown, server, io, deviceCalls} = await loginScene({hasBrowserLogin: true, only: true});
  press('g', 'a', 'Down', 'Enter');
  type(server.url);
  press('Ctrl-D');
  const form = await says('Harbor ID, with the browser');
  expect(form.replaceAll(/[\s│]+/g, '')).toMatch(/mobile_flow_otp=[\da-f]{64}/);
  press('Ctrl-O');
  const [, address] = deviceCalls.find(([name]) => name === 'open') ?? [];
  press('Tab');
  type('zulip://login?email=x');
  press('Ctrl-D');
  await says('This is not the whole address');
  press('Ctrl-U');
  type(await redirectOf(String(address)));
  press('Ctrl-D');
  expect(await shown).toBe('parley');
  expect(accountsIn(io.home)).toEqual(['parley.zuliprc']);
});

test('add an account: a zuliprc file is enough; a missing one is said at the field', async () => {
  const {press, type, says, shown, server, email, key, io} = await loginScene();
  writeFileSync(join(io.home, 'zuliprc'), `[api]\nemail=${email}\nkey=${key}\nsite=${server.url}\n`, {mode: 0o600});
  press('g', 'a', 'Down', 'Enter');
  type('~/nothing');
  press('Ctrl-D');
  await says('There is no file');
  press('Ctrl-U');
  type('~/zuliprc');
  press('Ctrl-D');
  expect(await shown).toBe('parley');
});
