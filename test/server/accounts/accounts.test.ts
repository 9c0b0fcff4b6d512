import {expect, test} from 'vitest';
import {hashPassword, passwordLink} from '#server/accounts/password.ts';
import type {UserRow} from '#server/db/rows.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import type {Person} from '#test/support/people.ts';
import {type TestServer, testServer} from '#test/support/server.ts';

async function setPassword(server: TestServer, person: Person, password: string) {
  server.context.db.run(
    'UPDATE user SET password_hash = ? WHERE id = ?',
    await hashPassword(password, server.context.passwordCost),
    person.id,
  );
}

test('accounts: the right password returns the key, ignoring the case of the address', async () => {
  const server = await testServer();
  const meg = server.people.member();
  await setPassword(server, meg, 'correct horse');
  const params = {username: meg.email.toUpperCase(), password: 'correct horse'};
  expect(await server.anonymous().post('/fetch_api_key', params)).toEqual({
    result: 'success',
    msg: '',
    api_key: meg.apiKey,
    email: meg.email,
    user_id: meg.id,
  });
});

test('accounts: a wrong password, an unknown address and a bot get the same error', async () => {
  const server = await testServer();
  const meg = server.people.member();
  const bot = server.people.bot('Bo Bot', meg);
  await setPassword(server, meg, 'right');
  for (const username of [meg.email, 'nobody@example.com', bot.email]) {
    const params = {username, password: 'wrong'};
    const refusal = {status: 401, code: 'AUTHENTICATION_FAILED'};
    await server.anonymous().refused('POST', '/fetch_api_key', params, refusal);
  }
});

test('accounts: a deactivated account gets its own error only with the right password', async () => {
  const server = await testServer();
  const ian = server.people.add('Ian Inactive', {active: false});
  await setPassword(server, ian, 'right');
  const refusal = {status: 401, code: 'USER_DEACTIVATED'};
  const params = {username: ian.email, password: 'right'};
  await server.anonymous().refused('POST', '/fetch_api_key', params, refusal);
});

/** Returns a function that logs in from an address, and returns the status. */
async function loginFrom(options: Parameters<typeof testServer>[0] = {}) {
  const server = await testServer({trustsProxy: true, rateLimited: false, ...options});
  const login = async (address: string, username: string, password: string) => {
    const url = `http://127.0.0.1:${server.port}/api/v1/fetch_api_key`;
    const body = new URLSearchParams({username, password});
    return (await fetch(url, {method: 'POST', headers: {'x-forwarded-for': address}, body})).status;
  };
  const fail = async (address: string, username: string, times: number) => {
    const statuses = await Promise.all(Array.from({length: times}, () => login(address, username, 'wrong')));
    expect(new Set(statuses)).toEqual(new Set([401]));
  };
  return {server, login, fail};
}

test('accounts: five failures lock an account for their own network, not for others', async () => {
  const clock = new ManualClock();
  const {server, login, fail} = await loginFrom({clock});
  const meg = server.people.member();
  await setPassword(server, meg, 'right');
  await fail('192.0.2.1', meg.email, 5);
  await fail('2001:db8:1:1::1', meg.email, 5);
  expect(await login('192.0.2.1', meg.email, 'right')).toBe(429);
  expect(await login('2001:db8:1:1:2::2', meg.email, 'right')).toBe(429);
  expect(await login('192.0.2.2', meg.email, 'right')).toBe(200);
  expect(await login('2001:db8:1:2::1', meg.email, 'right')).toBe(200);
  // The success of others does not lift it.
  expect(await login('192.0.2.1', meg.email, 'right')).toBe(429);
  clock.advance(1800_000);
  expect(await login('192.0.2.1', meg.email, 'right')).toBe(200);
});

test.each(['known', 'unknown'])(
  'accounts: a hundred failures from many networks lock a %s account for all',
  async (kind) => {
    const {server, login, fail} = await loginFrom();
    const meg = server.people.member();
    await setPassword(server, meg, 'right');
    const name = kind === 'known' ? meg.email : 'nobody@example.com';
    for (let network = 1; network <= 25; network++) await fail(`192.0.2.${network}`, name, 4);
    expect(await login('192.0.2.200', name, 'right')).toBe(429);
  },
);

test('accounts: a password that is set lifts the lock of the account', async () => {
  const {server, login, fail} = await loginFrom();
  const meg = server.people.member();
  await setPassword(server, meg, 'old password');
  await fail('192.0.2.1', meg.email, 5);
  const {url} = passwordLink(
    server.context,
    server.context.db.get('SELECT * FROM user WHERE id = ?', meg.id) as UserRow,
  );
  const body = new URLSearchParams({password: 'a long enough password'});
  expect((await fetch(url, {method: 'POST', body})).status).toBe(200);
  expect(await login('192.0.2.1', meg.email, 'a long enough password')).toBe(200);
});

test('accounts: a link to set a password is not valid while the account is deactivated', async () => {
  const server = await testServer();
  const [owner, meg] = [server.as(server.people.owner()), server.people.member()];
  const row = server.context.db.get('SELECT * FROM user WHERE id = ?', meg.id) as UserRow;
  const {url} = passwordLink(server.context, row);
  const body = new URLSearchParams({password: 'a long enough password'});
  await owner.delete(`/users/${meg.id}`);
  expect([(await fetch(url)).status, (await fetch(url, {method: 'POST', body})).status]).toEqual([404, 404]);
  await owner.post(`/users/${meg.id}/reactivate`);
  expect((await fetch(url, {method: 'POST', body})).status).toBe(200);
});

test('accounts: an account that is created for a locked address can log in', async () => {
  const {server, login, fail} = await loginFrom();
  await fail('192.0.2.1', 'new@example.com', 5);
  const account = {email: 'new@example.com', full_name: 'Nia New', password: 'a long enough password'};
  await server.as(server.people.owner()).post('/users', account);
  expect(await login('192.0.2.1', 'new@example.com', 'a long enough password')).toBe(200);
});

test('accounts: after five failures a name is locked for half an hour, others are not', async () => {
  const server = await testServer();
  const meg = server.people.member();
  const otto = server.people.member('Otto Other');
  await setPassword(server, meg, 'right');
  await setPassword(server, otto, 'right');
  const wrong = {username: meg.email, password: 'wrong'};
  await Promise.all(Array.from({length: 5}, () => server.anonymous().raw('POST', '/fetch_api_key', wrong)));
  const right = {username: ` ${meg.email.toUpperCase()}`, password: 'right'};
  const reply = await server.anonymous().raw('POST', '/fetch_api_key', right);
  expect(reply.status).toBe(429);
  expect(reply.body.code).toBe('RATE_LIMIT_HIT');
  expect(reply.body['retry-after']).toBeGreaterThan(1790);
  expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(1790);
  await server.anonymous().post('/fetch_api_key', {username: otto.email, password: 'right'});
});

test('accounts: keys without a password are available only on demo servers', async () => {
  const plain = await testServer();
  const meg = plain.people.member();
  await plain.anonymous().refused('POST', '/dev_fetch_api_key', {username: meg.email}, {code: 'BAD_REQUEST'});
  await plain.anonymous().refused('GET', '/dev_list_users', {}, {code: 'BAD_REQUEST'});
  const demo = await testServer({demo: true});
  const ada = demo.people.admin();
  const otto = demo.people.member('Otto Other');
  const bot = demo.people.bot('Bo Bot', otto);
  const key = await demo.anonymous().post('/dev_fetch_api_key', {username: otto.email});
  expect(key).toMatchObject({api_key: otto.apiKey, email: otto.email, user_id: otto.id});
  for (const username of [bot.email, 'nobody@example.com']) {
    await demo
      .anonymous()
      .refused('POST', '/dev_fetch_api_key', {username}, {status: 401, code: 'AUTHENTICATION_FAILED'});
  }
  expect(await demo.anonymous().get('/dev_list_users')).toMatchObject({
    direct_admins: [{email: ada.email, realm_url: demo.url}],
    direct_users: [{email: otto.email, realm_url: demo.url}],
  });
});

test('accounts: a new key invalidates the old one at once, also for a waiting poll; its queues stay', async () => {
  const server = await testServer();
  const meg = server.people.member();
  const unauthorized = {status: 401, code: 'UNAUTHORIZED'};
  const queue = await server.as(meg).listen();
  const poll = server.as(meg).refused('GET', '/events', {queue_id: queue.queueId, last_event_id: -1}, unauthorized);
  while (server.context.queues.find(queue.queueId, meg.id)?.isWaiting !== true)
    await new Promise((resolve) => setImmediate(resolve));
  const {api_key} = await server.as(meg).post('/users/me/api_key/regenerate');
  await poll;
  expect(api_key).toMatch(/^[A-Za-z0-9]{32}$/);
  expect(api_key).not.toBe(meg.apiKey);
  await server.as(meg).refused('GET', '/users/me', {}, unauthorized);
  const renewed = server.as({...meg, apiKey: api_key});
  const params = {queue_id: queue.queueId, last_event_id: -1, dont_block: true};
  expect((await renewed.get('/events', params)).events).toEqual([]);
});

test('accounts: server settings need no credentials and have both version formats', async () => {
  const server = await testServer();
  server.people.setting('name', 'Acme');
  server.people.setting('description', 'We build');
  const settings = await server.anonymous().get('/server_settings');
  expect(settings).toMatchObject({
    authentication_methods: {
      password: true,
      dev: false,
      email: true,
      ldap: false,
      remoteuser: false,
      saml: false,
      'openid connect': false,
      github: false,
      gitlab: false,
      azuread: false,
      apple: false,
      google: false,
      discord: false,
    },
    external_authentication_methods: [],
    feature_level: 509,
    zulip_feature_level: 509,
    server_version: expect.any(String),
    zulip_version: expect.any(String),
    merge_base: expect.any(String),
    zulip_merge_base: expect.any(String),
    push_notifications_enabled: false,
    is_incompatible: false,
    email_auth_enabled: true,
    require_email_format_usernames: true,
    realm_url: server.url,
    realm_uri: server.url,
    realm_name: 'Acme',
    realm_icon: expect.any(String),
    realm_description: '<p>We build</p>',
    realm_web_public_access_enabled: false,
  });
  const icon = await server.anonymous().web(settings.realm_icon);
  expect(icon.headers.get('content-type')).toBe('image/svg+xml');
});

test('accounts: web-public access needs the setting and a web-public channel', async () => {
  const server = await testServer();
  const enabled = async () => (await server.anonymous().get('/server_settings')).realm_web_public_access_enabled;
  server.people.channel('open', [], {is_web_public: 1});
  expect(await enabled()).toBe(false);
  server.people.setting('enable_spectator_access', true);
  expect(await enabled()).toBe(true);
  server.context.db.run('UPDATE channel SET is_archived = 1');
  expect(await enabled()).toBe(false);
});
