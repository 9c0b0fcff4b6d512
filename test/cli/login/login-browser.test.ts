import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {login} from '#cli/login/login.ts';
import {testIo} from '#test/support/cli-io.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {testServer} from '#test/support/server.ts';
import {accountsIn, fakeBrowser, interactive, redirectOf, withMeg} from './login-fixture.ts';

/** A server whose users log in with the browser. */
async function browserScene({only = false} = {}) {
  const {server, email, key, id} = await withMeg({testHooks: true});
  await fetch(`${server.url}/test-hooks/external-login`, {method: 'POST', body: JSON.stringify({user_id: id, only})});
  const home = scratchDirectory();
  return {server, email, key, home, ...fakeBrowser(home)};
}

test('login --sso: the browser opens, and the pasted address becomes a saved key', async () => {
  const {server, email, key, home, env, opened} = await browserScene({only: true});
  const paste = async () => `${await redirectOf(opened())}\r`;
  const {code, io} = await interactive([server.url, '--sso'], [['Address (not shown)', paste]], {home, env});
  expect([code, accountsIn(home)]).toEqual([0, ['parley.zuliprc']]);
  const saved = readFileSync(join(home, '.config/parley/accounts/parley.zuliprc'), 'utf8');
  expect(saved).toBe(`[api]\nemail=${email}\nkey=${key}\nsite=${server.url}\n`);
  expect(io.err()).toContain('Log in with Harbor ID in the browser.');
  expect(io.err()).not.toContain('otp_encrypted_api_key');
  expect(opened()).toMatch(/\/accounts\/login\/social\/saml\/test\?mobile_flow_otp=[\da-f]{64}$/);
});

test('login prompt: a number chooses the browser; without one the address is printed, and wrong pastes are explained', async () => {
  const {server, home} = await browserScene();
  const stale = 'zulip://login?otp_encrypted_api_key=';
  const {code, io} = await interactive(
    [server.url],
    [
      ['Type a number to log in with the browser:', '1\r'],
      ['Address (not shown)', 'https://chat.example.com/\r'],
      ['This is not the whole address', `${stale}${'0'.repeat(64)}&email=a@b.c&realm=https://other.example\r`],
      ['This address is of https://other.example', `${stale}${'0'.repeat(64)}&email=a@b.c&realm=${server.url}\r`],
      [
        'This address is of an earlier login',
        async (shown) => {
          const [, address = ''] = /^ {2}(http\S+)$/m.exec(shown) ?? [];
          return `Failed to launch '${await redirectOf(address)}' because\r`;
        },
      ],
    ],
    {home},
  );
  expect([code, accountsIn(home)]).toEqual([0, ['parley.zuliprc']]);
  expect(io.err()).toContain('open this address in a browser, on this machine or any other:');
});

test.each(['saml:test', 'harbor id'])(
  'login --sso=%s: an API key with the e-mail address is accepted instead',
  async (name) => {
    const {server, email, key, home} = await browserScene({only: true});
    const {code} = await interactive(
      [server.url, `--sso=${name}`],
      [
        ['Address (not shown)', `${key}\r`],
        ['E-mail: ', `${email}\r`],
      ],
      {home},
    );
    expect([code, accountsIn(home)]).toEqual([0, ['parley.zuliprc']]);
  },
);

test('login --sso: a login that the organization does not offer is one sentence', async () => {
  const {server} = await browserScene();
  const unknown = await interactive([server.url, '--sso=google'], []);
  expect([unknown.code, unknown.io.err()]).toEqual([
    2,
    expect.stringContaining('no login with “google”, but with: Harbor ID.'),
  ]);
  const plain = await testServer();
  const none = await interactive([plain.url, '--sso'], []);
  expect([none.code, none.io.err()]).toEqual([3, expect.stringContaining('offers no login with the browser.')]);
  const scripted = testIo();
  expect([await login([plain.url, '--sso'], scripted), scripted.err()]).toEqual([
    2,
    expect.stringContaining('Cannot prompt'),
  ]);
});
