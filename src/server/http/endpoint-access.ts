import type {UserRow} from '#server/db/rows.ts';
import {isAdmin, isGuest, isOwner} from '#server/permissions/has-permission.ts';
import {botTypes} from '#wire/objects/user.ts';
import {unauthorized} from './auth.ts';
import {badRequest, unauthorizedPrincipal} from './errors.ts';

type Access = 'owner' | 'admin' | 'member';

/** The endpoints that need a role: `member` is everybody except guests. Areas (`linkifier`) and their exceptions. */
const accessByEndpoint: Readonly<Record<string, Access | 'anyone'>> = {
  bot: 'member',
  'channel.create': 'member',
  'default-channel': 'admin',
  domain: 'owner',
  'domain.list': 'anyone',
  'emoji.add': 'member',
  'emoji.remove': 'member',
  folder: 'admin',
  'folder.list': 'anyone',
  group: 'member',
  invite: 'member',
  linkifier: 'admin',
  'linkifier.list': 'anyone',
  'profile-field': 'admin',
  'profile-field.list': 'anyone',
  realm: 'admin',
  'subscription.add': 'member',
  'user.create': 'admin',
};

/** Incoming webhooks post messages, and nothing else. */
const webhookEndpoints: ReadonlySet<string> = new Set(['message.send', 'webhook.receive']);

/** Throws unless the user may call the endpoint at all. This is checked before the parameters, as on Zulip's servers. */
export function checkEndpointAccess(id: string, user: UserRow): void {
  if (user.bot_type === botTypes.incomingWebhook && !webhookEndpoints.has(id)) {
    throw unauthorized('This API is not available to incoming webhook bots.');
  }
  const [area = id] = id.split('.');
  const access = accessByEndpoint[id] ?? accessByEndpoint[area];
  if (access === 'owner' && !isOwner(user)) throw unauthorizedPrincipal('Must be an organization owner');
  if (access === 'admin' && !isAdmin(user)) throw unauthorizedPrincipal('Must be an organization administrator');
  if (access === 'member' && isGuest(user)) throw badRequest('Not allowed for guest users');
}
