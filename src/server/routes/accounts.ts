import {
  createInviteLink,
  type InviteOptions,
  type InviteOutcome,
  invitePeople,
  renewInvite,
  revokeInvite,
} from '#server/actions/organization/invites.ts';
import {markOnboardingStep} from '#server/actions/personal/personal-items.ts';
import {apiKeyForPassword, apiKeyWithoutPassword, regenerateApiKey} from '#server/actions/users/api-keys.ts';
import {setAvatar} from '#server/actions/users/avatars.ts';
import {botStorage, createBot, removeBotStorage, updateBot, updateBotStorage} from '#server/actions/users/bots.ts';
import {deactivateUser} from '#server/actions/users/deactivate-user.ts';
import {
  addPushToken,
  checkPushToken,
  registerDevice,
  removeDevice,
  removePushToken,
} from '#server/actions/users/own-lists.ts';
import type {RequestContext, ServerContext} from '#server/context.ts';
import {listInvites} from '#server/db/organization-items.ts';
import type {UserRow} from '#server/db/rows.ts';
import {findUser, listBots} from '#server/db/users.ts';
import {ApiError, badRequest} from '#server/http/errors.ts';
import {type AsyncRequestContext, asyncRoute, type Route, route} from '#server/http/route.ts';
import {invitationMail} from '#server/mail/mails.ts';
import {isAdmin} from '#server/permissions/has-permission.ts';
import {requireManagedBot} from '#server/permissions/user-access.ts';
import {canHaveLink, inviteUrl, inviteView} from '#server/views/organization-items.ts';
import {serverSettings} from '#server/views/server-settings.ts';
import {apiEmail, botAvatar, botDefaults, ownedBotView} from '#server/views/user.ts';
import type {ParamsOf, ResultOf} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';
import * as otherEndpoints from '#wire/other-endpoints.ts';
import {storeAvatar} from './users.ts';

export const accountsRoutes: readonly Route[] = [
  asyncRoute(endpoints.getServerSettings, async ({server}) => serverSettings(server)),
  asyncRoute(endpoints.fetchApiKey, async ({server}, {username, password}) => ({
    ...(await apiKeyForPassword(server, username, password)),
  })),
  asyncRoute(endpoints.devFetchApiKey, async (request, {username}) => {
    const {server} = request;
    requireDemo(request);
    return {...apiKeyWithoutPassword(server, username)};
  }),
  asyncRoute(endpoints.devListUsers, async (request) => {
    requireDemo(request);
    return demoUsers(request.server);
  }),
  route(endpoints.regenerateApiKey, (call) => ({api_key: regenerateApiKey(call, call.actor)})),
];

function requireDemo({server, headers}: AsyncRequestContext): void {
  if (!server.demo) throw badRequest('Only a demo server gives out keys without a password.');
  if (headers.origin !== undefined && headers.origin !== server.url) throw badRequest('Other sites get no keys.');
}

function demoUsers(server: ServerContext) {
  const people = server.db.all<UserRow>('SELECT * FROM user WHERE is_active = 1 AND is_bot = 0 ORDER BY name_key');
  const entry = ({delivery_email}: UserRow) => ({email: delivery_email, realm_url: server.url});
  return {
    direct_admins: people.filter(isAdmin).map(entry),
    direct_users: people.filter((user) => !isAdmin(user)).map(entry),
  };
}

export const botsRoutes: readonly Route[] = [
  route(endpoints.getBots, (call) => ({
    bots: listBots(call.db, call.actor.id)
      .filter((bot) => bot.is_active === 1)
      .map((bot) => ownedBotView(call, bot)),
  })),
  route(endpoints.createBot, (call, params) => {
    const bot = createBot(call, call.actor, params);
    return {
      user_id: bot.id,
      api_key: call.server.secrets.apiKey(bot),
      avatar_url: botAvatar(bot),
      ...botDefaults(call, bot.id),
    };
  }),
  asyncRoute(endpoints.updateBot, async (request, params) => {
    const {upload} = request;
    if (upload === undefined) return request.runAction((call) => changeBot(call, params));
    // Before the file is stored, so that nobody can store one for a bot of others.
    request.runAction((call) => requireManagedBot(call, call.actor, params.bot_id));
    return storeAvatar(request, {id: params.bot_id}, upload, (call, name) => {
      setAvatar(call, requireManagedBot(call, call.actor, params.bot_id), name);
      return changeBot(call, params);
    });
  }),
  route(endpoints.deactivateBot, (call, params) => {
    const bot = requireManagedBot(call, call.actor, params.bot_id);
    if (bot.is_active === 1) deactivateUser(call, bot);
  }),
  route(endpoints.getBotApiKey, (call, params) => ({
    api_key: call.server.secrets.apiKey(requireManagedBot(call, call.actor, params.bot_id)),
  })),
  route(endpoints.regenerateBotApiKey, (call, params) => ({
    api_key: regenerateApiKey(call, requireManagedBot(call, call.actor, params.bot_id)),
  })),
];

function changeBot(
  call: RequestContext,
  params: ParamsOf<typeof endpoints.updateBot>,
): ResultOf<typeof endpoints.updateBot> {
  const bot = requireManagedBot(call, call.actor, params.bot_id);
  const updated = updateBot(call, call.actor, bot, {
    fullName: params.full_name,
    role: params.role,
    ownerId: params.bot_owner_id,
    defaults: params,
  });
  const owner = updated.bot_owner_id === null ? undefined : findUser(call.db, updated.bot_owner_id);
  return {
    full_name: updated.full_name,
    avatar_url: botAvatar(updated),
    // Bots of this server have no service.
    service_interface: params.service_interface ?? 1,
    service_payload_url: null,
    config_data: null,
    ...botDefaults(call, bot.id),
    ...(owner === undefined ? {} : {bot_owner: apiEmail(call.server, owner)}),
  };
}

type SendParams = ParamsOf<typeof endpoints.sendInvites>;
type LinkParams = ParamsOf<typeof endpoints.createInviteLink>;

export const invitesRoutes: readonly Route[] = [
  route(endpoints.getInvites, (call) => {
    const {actor, server, db, now} = call;
    const rows = listInvites(db, now, isAdmin(actor) ? undefined : actor.id);
    return {invites: rows.map((row) => inviteView(server, actor, row))};
  }),
  // Not in the request's transaction: a partial success is committed and still answered with an error.
  asyncRoute(endpoints.sendInvites, async (request, params) => {
    const options = optionsOf(params, params.notify_referrer_on_join);
    const outcome = request.runAction((call) => invitePeople(call, call.actor, params.invitee_emails, options));
    mailInvitations(request, outcome);
    if (outcome.kind !== 'sent') throw invitationFailed(outcome, request.server);
    return inviteLinks(outcome, request.server);
  }),
  route(endpoints.createInviteLink, (call, params) => {
    const key = createInviteLink(call, call.actor, optionsOf(params, false));
    return {invite_link: inviteUrl(call.server, key)};
  }),
  route(endpoints.revokeInvite, (call, params) => revokeInvite(call, call.actor, params.invite_id, false)),
  route(endpoints.revokeInviteLink, (call, params) => revokeInvite(call, call.actor, params.invite_id, true)),
  route(endpoints.resendInvite, (call, params) => {
    const {actor, server} = call;
    const invite = renewInvite(call, actor, params.invite_id);
    if (server.mail !== undefined && invite.email !== null) {
      const mail = invitationMail(server, actor, {email: invite.email, key: invite.link_key});
      call.afterCommit(() => server.mail?.send(mail));
      return {};
    }
    const isShown = invite.invited_by === actor.id && canHaveLink(actor, invite);
    return {invite_link: isShown ? inviteUrl(server, invite.link_key) : null};
  }),
];

function optionsOf(params: SendParams | LinkParams, notifyReferrer: boolean): InviteOptions {
  return {
    role: params.invite_as,
    channelIds: params.stream_ids,
    groupIds: params.group_ids ?? [],
    includeDefaultChannels: params.include_realm_default_subscriptions,
    expiresInMinutes: params.invite_expires_in_minutes,
    notifyReferrer,
    hasWelcomeMessage: params.welcome_message_custom_text !== undefined,
  };
}

function mailInvitations({server, actor}: AsyncRequestContext, outcome: InviteOutcome): void {
  if (outcome.kind === 'invalid' || actor === undefined) return;
  for (const invite of outcome.invited) server.mail?.send(invitationMail(server, actor, invite));
}

/** Returns the links of new invitations, for their sender, if this server sends no mail. */
function inviteLinks({invited}: Exclude<InviteOutcome, {kind: 'invalid'}>, server: ServerContext) {
  if (server.mail !== undefined) return {};
  return {invite_links: invited.map(({email, key}) => ({email, link_url: inviteUrl(server, key)}))};
}

function invitationFailed(outcome: Exclude<InviteOutcome, {kind: 'sent'}>, server: ServerContext): ApiError {
  const sent = wasSent(outcome);
  return new ApiError('INVITATION_FAILED', failureText(outcome), 400, {
    errors: outcome.refusals,
    sent_invitations: sent,
    license_limit_reached: false,
    daily_limit_reached: false,
    ...(outcome.kind === 'skipped' && sent && inviteLinks(outcome, server)),
  });
}

function wasSent(outcome: InviteOutcome): boolean {
  return outcome.kind !== 'invalid' && outcome.invited.length > 0;
}

function failureText(outcome: Exclude<InviteOutcome, {kind: 'sent'}>): string {
  if (outcome.kind === 'invalid') return "Some emails did not validate, so we didn't send any invitations.";
  return wasSent(outcome)
    ? "Some of those addresses are already using Zulip, so we didn't send them an invitation. We did send invitations to everyone else!"
    : "We weren't able to invite anyone.";
}

const storageRoutes: readonly Route[] = [
  route(otherEndpoints.getBotStorage, (call, {keys}) => ({storage: botStorage(call, call.actor, keys)})),
  route(otherEndpoints.updateBotStorage, (call, {storage}) => updateBotStorage(call, call.actor, storage)),
  route(otherEndpoints.removeBotStorage, (call, {keys}) => removeBotStorage(call, call.actor, keys)),
];

const pushRoutes: readonly Route[] = [
  route(otherEndpoints.addApplePushToken, (call, {token, appid}) => {
    if (!/^[.a-zA-Z0-9-]+$/.test(appid)) throw badRequest('appid has invalid format');
    addPushToken(call, call.actor, 'apple', token);
  }),
  route(otherEndpoints.removeApplePushToken, (call, {token}) => removePushToken(call, call.actor, 'apple', token)),
  route(otherEndpoints.addAndroidPushToken, (call, {token}) => addPushToken(call, call.actor, 'android', token)),
  route(otherEndpoints.removeAndroidPushToken, (call, {token}) => removePushToken(call, call.actor, 'android', token)),
  route(otherEndpoints.registerPushDevice, () => {
    throw new ApiError('PUSH_SERVICE_NOT_CONFIGURED', 'Server is not configured to use push notification service.');
  }),
  route(otherEndpoints.testPush, (call, {token}) => {
    if (token !== undefined) checkPushToken(call, call.actor, token);
  }),
  route(otherEndpoints.testEncryptedPush, () => {
    throw new ApiError('NO_ACTIVE_PUSH_DEVICE', 'No active registered push device');
  }),
];

/** What clients ask for beside conversations: a bot's storage, devices, notifications, other ways to log in. */
export const accountServicesRoutes: readonly Route[] = [
  ...storageRoutes,
  ...pushRoutes,
  route(otherEndpoints.registerDevice, (call) => ({device_id: registerDevice(call, call.actor)})),
  route(otherEndpoints.removeDevice, (call, {device_id}) => removeDevice(call, call.actor, device_id)),
  route(otherEndpoints.markOnboardingStep, (call, {onboarding_step}) =>
    markOnboardingStep(call, call.actor, onboarding_step),
  ),
  route(otherEndpoints.getMessagesSummary, () => {
    throw badRequest('AI features are not enabled on this server.');
  }),
  asyncRoute(otherEndpoints.fetchJwtApiKey, async () => {
    throw badRequest('JWT authentication is not enabled for this organization');
  }),
];
