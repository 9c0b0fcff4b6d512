import {existsSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openAccount} from '#cli/account-access/lazy-account.ts';
import {accountDatabase, accountId} from '#config/paths.ts';
import {identityKey} from '#state/account-store.ts';
import {systemClock} from '#std/clock.ts';
import {openAccountStore} from '#storage/open-account-store.ts';
import {unreachableServer} from '#test/cli/verbs/verb-fixture.ts';
import {testIo} from '#test/support/cli-io.ts';
import {testServer} from '#test/support/server.ts';

/** Meg's account on a server that had other addresses before. */
async function movedScene() {
  const server = await testServer();
  const meg = server.people.member();
  const {realm_uuid: organization} = await server.as(meg).post('/register', {fetch_event_types: ['realm']});
  const io = testIo();
  const databaseAt = (site: string) => accountDatabase(io.paths, accountId(site, meg.email));
  const storeAt = (site: string) => {
    const options = {path: databaseAt(site), clock: systemClock, random: Math.random, log: () => {}};
    return openAccountStore(options).store;
  };
  /** Makes the data of an account at a former address, with an unsent message. */
  const former = (site: string, identity: {organization?: string; userId?: number} = {}) => {
    const store = storeAt(site);
    store.keyValues.set(identityKey, JSON.stringify({url: site, organization, userId: meg.id, ...identity}));
    const conversation = {kind: 'direct', userIds: [meg.id]} as const;
    store.outbox.add({id: site, conversation, content: 'unsent', createdAt: Date.now(), draftId: undefined});
    return store;
  };
  const open = async (url = server.url) => {
    const zuliprc = `[api]\nemail=${meg.email}\nkey=${meg.apiKey}\nsite=${url}\n`;
    writeFileSync(join(io.home, 'zuliprc'), zuliprc, {mode: 0o600});
    const {release} = await openAccount({}, io);
    await release();
  };
  /** Returns the ids of what waits at the server's address of today. */
  const waiting = () => {
    const store = storeAt(server.url);
    const ids = store.outbox.all().map(({id}) => id);
    store.close();
    return ids;
  };
  return {io, former, open, waiting, hasData: (site: string) => existsSync(databaseAt(site))};
}

test('moved server: the unsent work of the same account at its former addresses is taken along, once', async () => {
  const {io, former, open, waiting, hasData} = await movedScene();
  const sites = ['https://old.example', 'https://older.example'];
  for (const site of sites) former(site).close();
  await open();
  expect(io.err().trimEnd().split('\n').sort()).toEqual(
    sites.map((site) => `Taken along from ${site}: 1 unsent message.`).sort(),
  );
  expect([waiting().sort(), sites.map(hasData)]).toEqual([sites, [false, false]]);
  const before = io.err();
  await open();
  expect(io.err()).toBe(before);
});

test('moved server: nothing is taken along from another organization or another person with the same address', async () => {
  const {io, former, open, waiting, hasData} = await movedScene();
  former('https://other.example', {organization: 'another'}).close();
  former('https://reused.example', {userId: 999}).close();
  await open();
  expect([io.err(), waiting()]).toEqual(['', []]);
  expect(['https://other.example', 'https://reused.example'].map(hasData)).toEqual([true, true]);
});

test('moved server: what another Parley has open, or nobody can be asked about, stays until the next start', async () => {
  const {io, former, open, waiting, hasData} = await movedScene();
  const site = 'https://old.example';
  const store = former(site);
  await open(unreachableServer.url);
  expect(io.err()).toBe('');
  await open();
  expect(io.err()).toBe(
    `Parley is open with this account at ${site}. Quit it: its unsent work is taken along at the next start.\n`,
  );
  expect([waiting(), hasData(site)]).toEqual([[], true]);
  store.close();
  await open();
  expect([waiting(), hasData(site)]).toEqual([[site], false]);
});
