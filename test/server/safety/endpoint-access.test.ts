import {expect, test} from 'vitest';
import {Role} from '#server/organization/permission-rules.ts';
import type {Access} from '#server/route.ts';
import {routes} from '#server/routes.ts';
import {testServer} from '#test/support/server.ts';
import {botTypes} from '#wire/objects/user.ts';

const kinds = ['nobody', 'guest', 'member', 'admin', 'owner', 'bot', 'webhook'] as const;
type Kind = (typeof kinds)[number];

/** Who may call an endpoint, by its access. */
const allowed: Readonly<Record<Access, readonly Kind[]>> = {
  public: kinds,
  visitor: ['guest', 'member', 'admin', 'owner', 'bot'],
  webhook: ['guest', 'member', 'admin', 'owner', 'bot', 'webhook'],
  account: ['guest', 'member', 'admin', 'owner', 'bot'],
  bot: ['bot'],
  person: ['guest', 'member', 'admin', 'owner'],
  member: ['member', 'admin', 'owner', 'bot'],
  'member-person': ['member', 'admin', 'owner'],
  'group-creator': ['member', 'admin', 'owner', 'bot'],
  admin: ['admin', 'owner'],
  owner: ['owner'],
};
/** The words with which the others are refused. */
const refusals = [
  'Not logged in: API authentication or user session required',
  'This API is not available to incoming webhook bots.',
  'Must be an organization owner',
  'Must be an organization administrator',
  'Must be a bot user',
  'Not allowed for guest users',
  'This endpoint does not accept bot requests.',
];

/** The routes of this level. Webhooks have their key in the URL. */
const served = routes.filter(({endpoint}) => endpoint.until === undefined && endpoint.auth !== 'key');

test.each(kinds)('endpoint access: %s is refused at once where the route says so, and nowhere else', async (kind) => {
  const server = await testServer({rateLimited: false});
  const owner = server.people.owner('Oona First');
  const roles = {guest: Role.guest, member: Role.member, admin: Role.admin, owner: Role.owner};
  // A new account for each request, because some requests end the account.
  const clientOf = (name: string) => {
    if (kind === 'nobody') return server.anonymous();
    const role = kind === 'bot' || kind === 'webhook' ? Role.member : roles[kind];
    const isBot = kind === 'bot' || kind === 'webhook';
    const person = server.people.add(name, {role, ...(isBot ? {botOwner: owner.id} : {})});
    if (kind === 'webhook') {
      server.context.db.run('UPDATE user SET bot_type = ? WHERE id = ?', botTypes.incomingWebhook, person.id);
    }
    return server.as(person);
  };
  // The one that ends the organization is last.
  const last = (id: string) => Number(id === 'realm.deactivate');
  const different: string[] = [];
  for (const {endpoint, access} of served.toSorted((a, b) => last(a.endpoint.id) - last(b.endpoint.id))) {
    const path = endpoint.path.replaceAll(/\{\w+\}/g, '0');
    const {body} = await clientOf(`Caller of ${endpoint.id}`).raw(endpoint.method, path);
    const isRefused = refusals.includes(body.msg);
    if (isRefused === allowed[access].includes(kind)) different.push(`${endpoint.id} ${access}: ${body.msg}`);
  }
  expect(different).toEqual([]);
});

test('endpoint access: a request without credentials reaches only what the description of the endpoint says', () => {
  const different = routes.filter(({endpoint: {auth}, access}) => {
    return (auth === 'none') !== (access === 'public') || (auth === 'optional') !== (access === 'visitor');
  });
  expect(different.map(({endpoint}) => endpoint.id)).toEqual([]);
});

test('endpoint access: what only owners, administrators and bots may do', () => {
  const idsOf = (access: Access) =>
    [...new Set(routes.filter((each) => each.access === access).map(({endpoint}) => endpoint.id))].sort();
  expect(idsOf('owner')).toEqual([
    'administration.list',
    'domain.add',
    'domain.remove',
    'domain.update',
    'realm.deactivate',
  ]);
  expect(idsOf('bot')).toEqual(['bot-storage.get', 'bot-storage.remove', 'bot-storage.update']);
  expect(idsOf('admin')).toEqual([
    'default-channel-group.change-channels',
    'default-channel-group.create',
    'default-channel-group.remove',
    'default-channel-group.update',
    'default-channel.add',
    'default-channel.remove',
    'export.consents',
    'export.delete',
    'export.list',
    'export.request',
    'folder.create',
    'folder.reorder',
    'folder.update',
    'linkifier.add',
    'linkifier.remove',
    'linkifier.reorder',
    'linkifier.update',
    'playground.add',
    'playground.remove',
    'profile-field.create',
    'profile-field.remove',
    'profile-field.reorder',
    'profile-field.update',
    'realm.remove-icon',
    'realm.remove-logo',
    'realm.test-welcome',
    'realm.update',
    'realm.update-setting-defaults',
    'realm.upload-icon',
    'realm.upload-logo',
    'user.create',
  ]);
});
