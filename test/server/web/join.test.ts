import {parse} from 'parse5';
import {expect, test} from 'vitest';
import type {Reply} from '#test/support/api-client.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {type TestServer, testServer} from '#test/support/server.ts';

async function setup(options: Parameters<typeof testServer>[0] = {}) {
  const server = await testServer(options);
  const [admin, meg] = [server.people.admin(), server.people.member()];
  const channel = server.people.channel('general', [admin, meg]);
  const link = async (params: object = {}) =>
    (await server.as(admin).post('/invites/multiuse', {stream_ids: [channel], ...params})).invite_link;
  const invitation = async (email: string, params: object = {}) => {
    const {invite_links} = await server.as(meg).post('/invites', {invitee_emails: email, stream_ids: [], ...params});
    return invite_links[0].link_url;
  };
  return {server, admin, meg, channel, link, invitation};
}

const anna = {name: 'Anna New', email: 'anna@example.com', password: 'correct horse'};

/** Sends the form as a browser does. */
async function send(url: string, values: Record<string, string>, headers: Record<string, string> = {}) {
  const origin = new URL(url).origin;
  const response = await fetch(url, {
    method: 'POST',
    headers: {origin, 'sec-fetch-site': 'same-origin', ...headers},
    body: new URLSearchParams(values),
  });
  return {status: response.status, page: await response.text()};
}

async function keyOf(server: TestServer, {email, password}: {email: string; password: string}): Promise<Reply> {
  return (await server.anonymous().raw('POST', '/fetch_api_key', {username: email, password})).body;
}

test('join: a link for many people creates accounts with its role, channels and groups', async () => {
  const {server, admin, meg, channel, link} = await setup();
  const group = await server.as(admin).post('/user_groups/create', {name: 'crew', description: '', members: [meg.id]});
  const url = await link({invite_as: 600, group_ids: [group.group_id], include_realm_default_subscriptions: false});
  const queue = await server.as(meg).listen({event_types: ['realm_user', 'user_group', 'subscription']});
  const {status, page} = await send(url, anna);
  expect([status, page]).toEqual([200, expect.stringContaining(`parley login ${server.url}`)]);
  const {api_key, user_id} = await keyOf(server, anna);
  const person = server.as({id: user_id, email: anna.email, fullName: anna.name, apiKey: api_key});
  expect(await person.get('/users/me')).toMatchObject({full_name: 'Anna New', role: 600});
  const {subscriptions} = await person.get('/users/me/subscriptions');
  expect(subscriptions).toMatchObject([{stream_id: channel}]);
  const {user_groups} = await server.as(meg).get('/user_groups');
  expect(user_groups.find((one: Reply) => one.name === 'crew').members).toEqual([meg.id, user_id]);
  expect(await queue.events()).toMatchObject(
    expect.arrayContaining([
      expect.objectContaining({type: 'realm_user', op: 'add'}),
      expect.objectContaining({type: 'user_group', op: 'add_members', user_ids: [user_id]}),
      expect.objectContaining({type: 'subscription', op: 'peer_add', user_ids: [user_id]}),
    ]),
  );
  expect((await send(url, {...anna, email: 'otto@example.com', name: 'Otto'})).status).toBe(200);
});

test('join: an invitation by e-mail is used once, for its own address, and its sender is told', async () => {
  const {server, meg, invitation} = await setup();
  const url = await invitation('anna@example.com');
  const queue = await server.as(meg).listen({event_types: ['invites_changed', 'message']});
  expect((await send(url, {...anna, email: 'other@example.com'})).status).toBe(200);
  expect(await keyOf(server, {...anna, email: 'other@example.com'})).toMatchObject({result: 'error'});
  expect(await keyOf(server, anna)).toMatchObject({email: 'anna@example.com'});
  const events = await queue.events();
  expect(events.map(({type}) => type)).toContain('invites_changed');
  const texts = events.flatMap(({message}) => message?.content ?? []);
  expect(texts).toContainEqual(expect.stringContaining('accepted your invitation'));
  expect((await server.as(meg).get('/invites')).invites).toEqual([]);
  const again = await send(url, anna);
  expect([again.status, again.page]).toEqual([404, expect.stringContaining('This invitation is not valid')]);
});

test('join: all invitations of an address are used up, however it is written, and each sender is told', async () => {
  const {server, meg, invitation} = await setup();
  const otto = server.people.member('Otto Other');
  const url = await invitation('anna@example.com');
  await server.as(otto).post('/invites', {invitee_emails: 'Anna@Example.com', stream_ids: []});
  const senders = [server.as(meg), server.as(otto)];
  const queues = await Promise.all(senders.map((sender) => sender.listen({event_types: ['invites_changed']})));
  expect((await send(url, anna)).status).toBe(200);
  for (const queue of queues) expect(await queue.events()).toHaveLength(1);
  for (const sender of senders) expect((await sender.get('/invites')).invites).toEqual([]);
});

test('join: channels that are archived and groups that are deactivated meanwhile are left out', async () => {
  const {server, admin, meg, channel, link} = await setup();
  const {group_id: id} = await server
    .as(admin)
    .post('/user_groups/create', {name: 'crew', description: '', members: []});
  const url = await link({group_ids: [id], include_realm_default_subscriptions: false});
  await server.as(admin).delete(`/streams/${channel}`);
  await server.as(admin).post(`/user_groups/${id}/deactivate`);
  expect((await send(url, anna)).status).toBe(200);
  expect((await server.as(meg).get(`/streams/${channel}/members`)).subscribers).toEqual([admin.id, meg.id]);
  const {user_groups} = await server.as(meg).get('/user_groups', {include_deactivated_groups: true});
  expect(user_groups.find((one: Reply) => one.id === id).members).toEqual([]);
});

test('join: problems are beside their fields, and what was typed is kept except the password', async () => {
  const {server, meg, link, invitation} = await setup();
  const url = await link();
  const {status, page} = await send(url, {name: 'An"<b>na*', email: meg.email, password: 'short'});
  expect(status).toBe(400);
  expect(page).not.toContain('<b>');
  expect(page).not.toContain('short"');
  const inputs = inputsOf(page);
  expect(inputs.name).toMatchObject({value: 'An"<b>na*', 'aria-describedby': 'name-problem', 'aria-invalid': 'true'});
  expect(inputs.email).toMatchObject({value: meg.email, 'aria-describedby': 'email-problem'});
  expect(inputs.password).toMatchObject({'aria-describedby': 'password-hint password-problem'});
  expect(page).toContain('Invalid characters in name!');
  expect(page).toContain('Email is already in use.');
  for (const id of ['name-problem', 'email-problem', 'password-problem', 'password-hint']) {
    expect(page).toContain(`id="${id}"`);
  }
  const empty = await send(url, {});
  expect([empty.status, empty.page]).toEqual([400, expect.stringContaining('Enter your name.')]);
  server.people.setting('emails_restricted_to_domains', true);
  expect((await send(url, anna)).page).toContain('not allowed in this organization');
  server.people.setting('emails_restricted_to_domains', false);
  const invited = inputsOf(await (await fetch(await invitation('bo@example.com'))).text());
  expect(invited.email).toMatchObject({value: 'bo@example.com', readonly: ''});
  expect((await server.as(meg).get('/users')).members).toHaveLength(2);
});

test('join: the page has labels, no scripts, and headers that keep other sites out', async () => {
  const {server, link} = await setup();
  const url = await link();
  const response = await fetch(url);
  const page = await response.text();
  expect(page).not.toMatch(/<script|\son\w+=/);
  expect(page).toContain('name="viewport"');
  expect([...page.matchAll(/<label for="(\w+)"/g)].map(([, name]) => name)).toEqual(['name', 'email', 'password']);
  expect(response.headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
  expect(response.headers.get('cache-control')).toBe('no-store');
  for (const headers of [{origin: 'https://evil.example'}, {origin: 'null'}, {'sec-fetch-site': 'cross-site'}]) {
    expect((await send(url, anna, headers)).status).toBe(403);
  }
  expect(await keyOf(server, anna)).toMatchObject({result: 'error'});
  const large = await fetch(url, {method: 'POST', body: 'x'.repeat(5_000_000)});
  expect(large.status).toBe(413);
});

test('join: a revoked or expired link, or one of a deactivated organization, creates no account', async () => {
  const {server, admin, link} = await setup();
  const url = await link();
  const [{id}] = (await server.as(admin).get('/invites')).invites;
  await server.as(admin).delete(`/invites/multiuse/${id}`);
  const expired = await link({invite_expires_in_minutes: 1});
  server.context.db.run('UPDATE invite SET expires_at = expires_at - 120');
  const unused = await link();
  server.people.setting('is_deactivated', true);
  for (const old of [url, expired, unused]) {
    expect((await fetch(old)).status).toBe(404);
    expect((await send(old, anna)).status).toBe(404);
  }
  expect(await keyOf(server, anna)).toMatchObject({result: 'error'});
});

test('join: forms are limited by address', async () => {
  const {link} = await setup({clock: new ManualClock()});
  const url = await link();
  const replies = await Promise.all(Array.from({length: 101}, () => send(url, {}, {origin: 'null'})));
  expect(replies.filter(({status}) => status === 429)).toHaveLength(1);
});

/** Returns the attributes of the page's inputs, by name. */
function inputsOf(page: string): Record<string, Record<string, string>> {
  const found: Record<string, Record<string, string>> = {};
  const visit = (node: Reply) => {
    const attributes = Object.fromEntries((node.attrs ?? []).map(({name, value}: Reply) => [name, value]));
    if (node.nodeName === 'input') found[attributes.name] = attributes;
    for (const child of node.childNodes ?? []) visit(child);
  };
  visit(parse(page));
  return found;
}
