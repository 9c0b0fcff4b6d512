import {expect, test} from 'vitest';
import {testServer} from '#test/support/server.ts';

async function setup() {
  const server = await testServer();
  return {server, owner: server.people.owner(), admin: server.people.admin(), meg: server.people.member()};
}

const bad = {code: 'BAD_REQUEST'};

test('domains: adding, changing and removing a domain is sent to all users', async () => {
  const {server, owner, meg} = await setup();
  const queue = await server.as(meg).listen({fetch_event_types: ['realm_domains']});
  expect(queue.state.realm_domains).toEqual([]);
  const added = await server.as(owner).post('/realm/domains', {domain: 'acme.com', allow_subdomains: false});
  expect(added.new_domain).toEqual([expect.any(Number), 'acme.com']);
  await server.as(owner).patch('/realm/domains/acme.com', {allow_subdomains: true});
  expect((await server.as(meg).get('/realm/domains')).domains).toEqual([{domain: 'acme.com', allow_subdomains: true}]);
  await server.as(owner).delete('/realm/domains/acme.com');
  expect(await queue.events()).toMatchObject([
    {type: 'realm_domains', op: 'add', realm_domain: {domain: 'acme.com', allow_subdomains: false}},
    {type: 'realm_domains', op: 'change', realm_domain: {domain: 'acme.com', allow_subdomains: true}},
    {type: 'realm_domains', op: 'remove', domain: 'acme.com'},
  ]);
});

test.each(['', 'acme', '.acme.com', 'acme.com.', 'a..com', '-a.com', 'a_b.com', 'x@acme.com', 'a b.com'])(
  'domains: the domain "%s" is refused',
  async (domain) => {
    const {server, owner} = await setup();
    await server.as(owner).refused('POST', '/realm/domains', {domain, allow_subdomains: false}, bad);
  },
);

test('domains: a duplicate domain is refused, whatever its case', async () => {
  const {server, owner} = await setup();
  await server.as(owner).post('/realm/domains', {domain: 'Acme.com', allow_subdomains: false});
  await server.as(owner).refused('POST', '/realm/domains', {domain: 'acme.COM', allow_subdomains: true}, bad);
  await server.as(owner).refused('PATCH', '/realm/domains/other.com', {allow_subdomains: true}, bad);
  await server.as(owner).refused('DELETE', '/realm/domains/other.com', {}, bad);
  const missing = {code: 'REQUEST_VARIABLE_MISSING'};
  const body = await server.as(owner).refused('POST', '/realm/domains', {domain: 'b.com'}, missing);
  expect(body.var_name).toBe('allow_subdomains');
});

test('domains: only owners change domains', async () => {
  const {server, owner, admin} = await setup();
  const refusal = {code: 'UNAUTHORIZED_PRINCIPAL'};
  const params = {domain: 'acme.com', allow_subdomains: false};
  await server.as(admin).refused('POST', '/realm/domains', params, refusal);
  await server.as(owner).post('/realm/domains', params);
  await server.as(admin).refused('PATCH', '/realm/domains/acme.com', {allow_subdomains: true}, refusal);
  await server.as(admin).refused('DELETE', '/realm/domains/acme.com', {}, refusal);
});

test('domains: removing the last domain turns the restriction off', async () => {
  const {server, owner, meg} = await setup();
  for (const domain of ['a.com', 'b.com']) {
    await server.as(owner).post('/realm/domains', {domain, allow_subdomains: false});
  }
  await server.as(owner).patch('/realm', {emails_restricted_to_domains: true});
  const queue = await server.as(meg).listen();
  await server.as(owner).delete('/realm/domains/a.com');
  await server.as(owner).delete('/realm/domains/b.com');
  expect(await queue.events()).toMatchObject([
    {type: 'realm_domains', op: 'remove', domain: 'a.com'},
    {type: 'realm', op: 'update', property: 'emails_restricted_to_domains', value: false},
    {type: 'realm_domains', op: 'remove', domain: 'b.com'},
  ]);
  const {state} = await server.as(meg).listen({fetch_event_types: ['realm']});
  expect(state.realm_emails_restricted_to_domains).toBe(false);
});
