import {expect, test} from 'vitest';
import {Role, SystemGroup} from '#server/organization/permission-rules.ts';
import type {Params} from '#test/support/api-client.ts';
import {testServer} from '#test/support/server.ts';

type Request = readonly [method: string, path: string, params?: Params];

async function setup() {
  const server = await testServer();
  const {people} = server;
  const owner = people.owner();
  const invite = {invite_as: Role.owner, stream_ids: []};
  await server.as(owner).post('/invites', {...invite, invitee_emails: 'a@example.com,b@example.com'});
  await server.as(owner).post('/invites/multiuse', invite);
  return {server, people, owner, admin: people.admin()};
}

test('roles: an administrator gets the rights of an owner neither by a role, a bot, a group, an invitation nor a setting', async () => {
  const {server, people, owner, admin} = await setup();
  const other = people.owner('Oona Other');
  const former = people.add('Fay Former', {role: Role.owner, active: false});
  const ownerBot = people.add('Owner Bot', {role: Role.owner, botOwner: owner.id});
  const adminBot = people.bot('Admin Bot', admin);
  const {invites} = await server.as(owner).get('/invites');
  const [link, second, first] = invites.map(({id}: {id: number}) => id);
  const asOwner = {invite_as: Role.owner, stream_ids: []};
  const ownersOnly: Params = {
    authentication_methods: {Email: true, Dev: true},
    can_create_groups: {new: SystemGroup.administrators},
    can_invite_users_group: {new: SystemGroup.administrators},
    can_manage_all_groups: {new: SystemGroup.administrators},
    create_multiuse_invite_group: {new: SystemGroup.members},
    invite_required: true,
    can_manage_billing_group: {new: SystemGroup.owners},
    disallow_disposable_email_addresses: false,
    emails_restricted_to_domains: false,
    message_retention_days: 9,
    waiting_period_threshold: 3,
  };
  const requests: readonly Request[] = [
    ['POST', '/invites', {...asOwner, invitee_emails: 'c@example.com'}],
    ['POST', '/invites/multiuse', asOwner],
    ['POST', `/invites/${first}/resend`],
    ['DELETE', `/invites/${second}`],
    ['DELETE', `/invites/multiuse/${link}`],
    ['GET', `/bots/${ownerBot.id}/api_key`],
    ['POST', `/bots/${ownerBot.id}/api_key/regenerate`],
    ['PATCH', `/bots/${ownerBot.id}`, {bot_owner_id: other.id}],
    ['PATCH', `/bots/${adminBot.id}`, {role: Role.owner}],
    ['POST', '/users', {email: 'd@example.com', full_name: 'D', password: 'correct horse battery'}],
    ['PATCH', `/users/${other.id}`, {new_email: 'admin2@example.com'}],
    ['POST', `/users/${former.id}/reactivate`],
    ['DELETE', `/users/${former.id}`],
    ...Object.entries(ownersOnly).map(([name, value]): Request => ['PATCH', '/realm', {[name]: value}]),
    ['PATCH', `/users/${other.id}`, {role: Role.member}],
    ['PATCH', `/users/${admin.id}`, {role: Role.owner}],
  ];
  const refusedToAll: readonly Request[] = [
    ['POST', `/user_groups/${SystemGroup.owners}/members`, {add: [admin.id]}],
    ['POST', `/user_groups/${SystemGroup.owners}/subgroups`, {add: [SystemGroup.administrators]}],
    ['PATCH', `/user_groups/${SystemGroup.owners}`, {can_add_members_group: {new: SystemGroup.administrators}}],
    ['POST', '/invites', {invitee_emails: 'e@example.com', stream_ids: [], group_ids: [SystemGroup.owners]}],
  ];
  const run = async (person: typeof admin, list: readonly Request[]) => {
    const results: string[] = [];
    for (const request of list) {
      const {body} = await server.as(person).raw(...request);
      results.push(`${body.result}: ${request.map((part) => JSON.stringify(part)).join(' ')}`);
    }
    return results;
  };
  const all = (list: readonly Request[], result: string) =>
    list.map((request) => `${result}: ${request.map((part) => JSON.stringify(part)).join(' ')}`);
  expect(await run(admin, [...requests, ...refusedToAll])).toEqual(all([...requests, ...refusedToAll], 'error'));
  expect(await server.as(admin).get('/users/me')).toMatchObject({role: Role.admin});
  expect((await server.as(owner).get('/invites')).invites).toEqual(invites);
  // An owner may make the same requests: it was the role that they were refused for.
  expect(await run(owner, requests)).toEqual(all(requests, 'success'));
  expect(await run(owner, refusedToAll)).toEqual(all(refusedToAll, 'error'));
});

test('roles: the list of invitations has no link with which an administrator could join as an owner', async () => {
  const {server, owner, admin} = await setup();
  const {invite_link} = await server.as(owner).post('/invites/multiuse', {invite_as: Role.admin});
  const links = async (person: typeof admin) =>
    (await server.as(person).get('/invites')).invites.map(({link_url}: Params) => link_url);
  expect(await links(admin)).toEqual([invite_link, undefined, undefined, undefined]);
  expect(await links(owner)).toEqual([invite_link, expect.stringContaining('/join/'), undefined, undefined]);
});
