import {utimesSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {openLazyAccount} from '#cli/account-access/lazy-account.ts';
import {NamedAccounts} from '#config/named-accounts.ts';
import {pathsOf} from '#config/paths.ts';
import {parseZuliprc} from '#config/zuliprc.ts';
import {testIo} from '#test/support/cli-io.ts';
import {testServer} from '#test/support/server.ts';

/** Somebody whose file has a key that is no longer good. */
async function signedOut() {
  const server = await testServer();
  const meg = server.people.member();
  const io = testIo();
  const file = join(io.home, 'zuliprc');
  const rc = (key: string) => `[api]\nemail=${meg.email}\nkey=${key}\nsite=${server.url}\n`;
  writeFileSync(file, rc('f'.repeat(32)), {mode: 0o600});
  const late = await openLazyAccount({config: file}, io, () => {});
  onTestFinished(() => late.close());
  await expect(late.api.getOwnUser()).rejects.toMatchObject({kind: 'login'});
  return {meg, late, io, file, good: rc(meg.apiKey)};
}

test('a new key in the file is used once somebody says that there may be one', async () => {
  const {late, file, good, meg} = await signedOut();
  writeFileSync(file, good);
  await expect(late.api.getOwnUser()).rejects.toMatchObject({kind: 'login'});
  await late.renewKey();
  expect((await late.api.getOwnUser()).user_id).toBe(meg.id);
});

test('a login under a name serves whoever came with a file of their own, too', async () => {
  const {late, file, good, io, meg} = await signedOut();
  const longAgo = new Date(2020, 0, 1);
  utimesSync(file, longAgo, longAgo);
  new NamedAccounts(pathsOf(io.env, io.home)).add('mine', parseZuliprc(good, 'zuliprc', io.home));
  await late.renewKey();
  expect((await late.api.getOwnUser()).user_id).toBe(meg.id);
  expect(late.name).not.toBe('mine');
});

test('without a new key nothing changes', async () => {
  const {late} = await signedOut();
  await late.renewKey();
  await expect(late.api.getOwnUser()).rejects.toMatchObject({kind: 'login'});
});
