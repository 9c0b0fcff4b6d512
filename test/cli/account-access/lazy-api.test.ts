import {expect, test} from 'vitest';
import {makeLazyApi} from '#cli/account-access/lazy-account.ts';
import {clientOf} from '#test/api/client.ts';
import {testServer} from '#test/support/server.ts';

async function lateStage() {
  const server = await testServer();
  const meg = server.people.member();
  let created = 0;
  const lazy = makeLazyApi('http://nowhere.example', async () => {
    created++;
    return clientOf(server, meg);
  });
  return {server, meg, lazy, created: () => created};
}

test('lazy API: the API is made with the first request and shared by all', async () => {
  const {lazy, meg, created, server} = await lateStage();
  expect(lazy.api.connection.site).toBe('http://nowhere.example');
  expect(created()).toBe(0);
  const [one, other] = await Promise.all([lazy.api.getOwnUser(), lazy.api.getServerSettings()]);
  expect(one.user_id).toBe(meg.id);
  expect(other.zulip_feature_level).toBeGreaterThan(0);
  expect(created()).toBe(1);
  expect(lazy.api.connection.site).toBe(server.url);
  expect(lazy.api.connection.webUrl('/x')).toBe(`${server.url}/x`);
});

test('lazy API: properties set before the first request are applied to the API', async () => {
  const server = await testServer();
  const client = clientOf(server, server.people.member());
  const lazy = makeLazyApi('', async () => client);
  const [report, unwelcome] = [() => {}, () => {}];
  lazy.api.connection.level = 277;
  lazy.api.connection.onDroppedData = report;
  lazy.api.connection.onLoginRefused = unwelcome;
  await lazy.api.getOwnUser();
  expect(client.connection.level).toBe(277);
  expect(client.connection.onDroppedData).toBe(report);
  expect(client.connection.onLoginRefused).toBe(unwelcome);
  lazy.api.connection.level = 300;
  expect(client.connection.level).toBe(300);
});

test('lazy API: after a failure the next request tries again', async () => {
  const server = await testServer();
  const meg = server.people.member();
  let attempts = 0;
  const lazy = makeLazyApi('', async () => {
    if (++attempts === 1) throw new Error('not yet');
    return clientOf(server, meg);
  });
  await expect(lazy.api.getOwnUser()).rejects.toThrow('not yet');
  expect((await lazy.api.getOwnUser()).user_id).toBe(meg.id);
});

test('lazy API: an aborted request does not wait for the API', async () => {
  const lazy = makeLazyApi('', () => new Promise(() => {}));
  const ending = new AbortController();
  const requested = lazy.api.getOwnUser({}, {signal: ending.signal});
  ending.abort(new Error('enough'));
  await expect(requested).rejects.toThrow('enough');
});

test('lazy API: after a reset the next request makes a new API', async () => {
  const {lazy, created} = await lateStage();
  await lazy.api.getOwnUser();
  await lazy.reset();
  await lazy.api.getOwnUser();
  expect(created()).toBe(2);
  await lazy.reset();
});
