import {readFileSync, rmSync, utimesSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {openLazyAccount} from '#cli/account-access/lazy-account.ts';
import {NamedAccounts} from '#config/named-accounts.ts';
import {pathsOf} from '#config/paths.ts';
import {parseZuliprc} from '#config/zuliprc.ts';
import {testIo} from '#test/support/cli-io.ts';
import {testServer} from '#test/support/server.ts';

/** Sets up a user whose file has an outdated key. */
async function signedOut() {
  const server = await testServer();
  const meg = server.people.member();
  const io = testIo();
  const file = join(io.home, 'zuliprc');
  const rc = (key: string) => `[api]\nemail=${meg.email}\nkey=${key}\nsite=${server.url}\n`;
  writeFileSync(file, rc('f'.repeat(32)), {mode: 0o600});
  const lazy = await openLazyAccount({config: file}, io, () => {});
  onTestFinished(() => lazy.close());
  await expect(lazy.api.getOwnUser()).rejects.toMatchObject({kind: 'login'});
  return {meg, lazy, io, file, good: rc(meg.apiKey)};
}

test('lazy account: renewKey uses a new key from the account file', async () => {
  const {lazy, file, good, meg} = await signedOut();
  writeFileSync(file, good);
  await expect(lazy.api.getOwnUser()).rejects.toMatchObject({kind: 'login'});
  await lazy.renewKey();
  expect((await lazy.api.getOwnUser()).user_id).toBe(meg.id);
});

test('lazy account: renewKey uses a newer named login for an account that was opened from another file', async () => {
  const {lazy, file, good, io, meg} = await signedOut();
  const longAgo = new Date(2020, 0, 1);
  utimesSync(file, longAgo, longAgo);
  new NamedAccounts(pathsOf(io.env, io.home)).add('mine', parseZuliprc(good, 'zuliprc', io.home));
  await lazy.renewKey();
  expect((await lazy.api.getOwnUser()).user_id).toBe(meg.id);
  expect(lazy.name).not.toBe('mine');
});

test('lazy account: renewKey without a new key changes nothing', async () => {
  const {lazy} = await signedOut();
  await lazy.renewKey();
  await expect(lazy.api.getOwnUser()).rejects.toMatchObject({kind: 'login'});
});

test('lazy account: a new API key replaces the one in the file, which otherwise stays as it is, and is used from then on', async () => {
  const server = await testServer();
  const meg = server.people.member();
  const io = testIo();
  const file = join(io.home, 'zuliprc');
  const rest = (key: string) => `# mine\n[api]\nemail=${meg.email}\nkey = ${key}\nsite=${server.url}\n[other]\nkey=x\n`;
  writeFileSync(file, rest(meg.apiKey), {mode: 0o600});
  const lazy = await openLazyAccount({config: file}, io, () => {});
  onTestFinished(() => lazy.close());
  expect(lazy.keyProblem).toBeUndefined();
  expect(await lazy.replaceKey()).toBeUndefined();
  const [, key = ''] = /^key = (\w+)$/m.exec(readFileSync(file, 'utf8')) ?? [];
  expect(key).not.toBe(meg.apiKey);
  expect(readFileSync(file, 'utf8')).toBe(rest(key));
  expect((await lazy.api.getOwnUser()).user_id).toBe(meg.id);
  await server.as(meg).refused('GET', '/users/me', {}, {code: 'UNAUTHORIZED', status: 401});
  await server.as({...meg, apiKey: key}).get('/users/me');
});

test('lazy account: no new API key is made when it could not be saved', async () => {
  const {lazy, io, server, meg} = await keyCommandAccount();
  expect(lazy.keyProblem).toBe(`The key is not in ${join(io.home, 'zuliprc')}: replace it where it comes from`);
  const gone = join(io.home, 'gone');
  writeFileSync(gone, `[api]\nemail=${meg.email}\nkey=${meg.apiKey}\nsite=${server.url}\n`, {mode: 0o600});
  const other = await openLazyAccount({config: gone}, io, () => {});
  onTestFinished(() => other.close());
  rmSync(gone);
  await expect(other.replaceKey()).rejects.toThrow(`There is no file ${gone}.`);
  await server.as(meg).get('/users/me');
});

async function keyCommandAccount() {
  const server = await testServer();
  const meg = server.people.member();
  const io = testIo();
  const file = join(io.home, 'zuliprc');
  writeFileSync(file, `[api]\nemail=${meg.email}\nkey_command=echo ${meg.apiKey}\nsite=${server.url}\n`, {mode: 0o600});
  const lazy = await openLazyAccount({config: file}, io, () => {});
  onTestFinished(() => lazy.close());
  return {lazy, io, server, meg};
}
