import {expect, test} from 'vitest';
import {makeLazyApi} from '#cli/account-access/lazy-api.ts';
import {clientOf} from '#test/api/client.ts';
import {testServer} from '#test/support/server.ts';

async function lateStage() {
  const server = await testServer();
  const meg = server.people.member();
  let made = 0;
  const late = makeLazyApi('http://nowhere.example', async () => {
    made++;
    return clientOf(server, meg);
  });
  return {server, meg, late, made: () => made};
}

test('nothing is made before the first request, and one thing for all of them', async () => {
  const {late, meg, made, server} = await lateStage();
  expect(late.api.connection.site).toBe('http://nowhere.example');
  expect(made()).toBe(0);
  const [one, other] = await Promise.all([late.api.getOwnUser(), late.api.getServerSettings()]);
  expect(one.user_id).toBe(meg.id);
  expect(other.zulip_feature_level).toBeGreaterThan(0);
  expect(made()).toBe(1);
  expect(late.api.connection.site).toBe(server.url);
  expect(late.api.connection.webUrl('/x')).toBe(`${server.url}/x`);
});

test('what was set before is set on what is made', async () => {
  const server = await testServer();
  const client = clientOf(server, server.people.member());
  const late = makeLazyApi('', async () => client);
  const [report, unwelcome] = [() => {}, () => {}];
  late.api.connection.level = 277;
  late.api.connection.onDroppedData = report;
  late.api.connection.onLoginRefused = unwelcome;
  await late.api.getOwnUser();
  expect(client.connection.level).toBe(277);
  expect(client.connection.onDroppedData).toBe(report);
  expect(client.connection.onLoginRefused).toBe(unwelcome);
  late.api.connection.level = 300;
  expect(client.connection.level).toBe(300);
});

test('a failure to make it is tried again with the next request', async () => {
  const server = await testServer();
  const meg = server.people.member();
  let attempts = 0;
  const late = makeLazyApi('', async () => {
    if (++attempts === 1) throw new Error('not yet');
    return clientOf(server, meg);
  });
  await expect(late.api.getOwnUser()).rejects.toThrow('not yet');
  expect((await late.api.getOwnUser()).user_id).toBe(meg.id);
});

test('whoever no longer wants to wait does not', async () => {
  const late = makeLazyApi('', () => new Promise(() => {}));
  const ending = new AbortController();
  const asked = late.api.getOwnUser({}, {signal: ending.signal});
  ending.abort(new Error('enough'));
  await expect(asked).rejects.toThrow('enough');
});

test('it is made anew when it was let go', async () => {
  const {late, made} = await lateStage();
  await late.api.getOwnUser();
  await late.reset();
  await late.api.getOwnUser();
  expect(made()).toBe(2);
  await late.close();
});
