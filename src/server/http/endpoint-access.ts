import type {ReadContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import {canCreateGroups} from '#server/permissions/groups.ts';
import {isAdmin, isGuest, isOwner} from '#server/permissions/has-permission.ts';
import {createGroup} from '#wire/endpoints/people.ts';
import {botTypes} from '#wire/objects/user.ts';
import {unauthorized} from './auth.ts';
import {ApiError, badRequest, unauthorizedPrincipal} from './errors.ts';

type Access = 'owner' | 'admin' | 'member' | 'person' | 'member-person' | 'bot';

/**
 * The endpoints that not everybody may call: `member` is everybody except guests, `person` everybody except bots,
 * `member-person` everybody except both. Areas (`linkifier`) and their exceptions.
 */
const accessByEndpoint: Readonly<Record<string, Access | 'anyone'>> = {
  bot: 'member-person',
  'bot-storage': 'bot',
  'channel.create': 'member',
  'default-channel': 'admin',
  'default-channel-group': 'admin',
  device: 'person',
  domain: 'owner',
  'domain.list': 'anyone',
  'emoji.add': 'member-person',
  'emoji.remove': 'member',
  export: 'admin',
  folder: 'admin',
  'folder.list': 'anyone',
  group: 'member',
  'group.deactivate': 'anyone',
  invite: 'member-person',
  linkifier: 'admin',
  'linkifier.list': 'anyone',
  onboarding: 'person',
  playground: 'admin',
  'presence.update': 'person',
  'profile-data': 'person',
  'profile-field': 'admin',
  'profile-field.list': 'anyone',
  push: 'person',
  realm: 'admin',
  'realm.deactivate': 'owner',
  settings: 'person',
  'status.update': 'person',
  'status.update-other': 'person',
  'subscription.add': 'member',
  'user.create': 'admin',
};

/** Incoming webhooks post messages, and nothing else. */
const webhookEndpoints: ReadonlySet<string> = new Set(['message.send', 'webhook.receive']);

/** Throws unless the user may call the endpoint at all. This is checked before the parameters, as on Zulip's servers. */
export function checkEndpointAccess(act: ReadContext, id: string, user: UserRow): void {
  if (user.bot_type === botTypes.incomingWebhook && !webhookEndpoints.has(id)) {
    throw unauthorized('This API is not available to incoming webhook bots.');
  }
  const [area = id] = id.split('.');
  const access = accessByEndpoint[id] ?? accessByEndpoint[area];
  if (access === 'owner' && !isOwner(user)) throw unauthorizedPrincipal('Must be an organization owner');
  if (access === 'admin' && !isAdmin(user)) throw unauthorizedPrincipal('Must be an organization administrator');
  if (access === 'bot' && user.is_bot === 0) throw new ApiError('PERMISSION_DENIED', 'Must be a bot user');
  if (access?.startsWith('member') && isGuest(user)) throw badRequest('Not allowed for guest users');
  if (access?.endsWith('person') && user.is_bot === 1) {
    throw badRequest('This endpoint does not accept bot requests.');
  }
  if (id === createGroup.id && !canCreateGroups(act, user)) throw badRequest('Insufficient permission');
}
