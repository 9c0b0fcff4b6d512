import {randomBytes} from 'node:crypto';
import {addInvitedMember} from '#server/actions/groups/groups.ts';
import {accountProblem, addressProblem} from '#server/actions/inputs.ts';
import {sendPersonalNotice} from '#server/actions/messages/send-message.ts';
import {createUser} from '#server/actions/users/create-user.ts';
import type {ActionContext, RequestContext, ServerContext} from '#server/context.ts';
import {findChannel} from '#server/db/channels.ts';
import {findGroup} from '#server/db/groups.ts';
import {findInvite, findInviteByKey, type InviteRow, listInvites} from '#server/db/organization-items.ts';
import {fold, type Ids, type UserRow} from '#server/db/rows.ts';
import {findUserByEmail} from '#server/db/users.ts';
import {ApiError, badRequest, check} from '#server/errors.ts';
import {Role} from '#server/organization/permission-rules.ts';
import {canAddOthers, canReadChannel} from '#server/permissions/channel.ts';
import {canChangeGroup, requireActiveGroup} from '#server/permissions/group.ts';
import {
  hasPermission,
  isAdmin,
  isGuest,
  organization,
  requireActiveOrganization,
  requireOwner,
} from '#server/permissions/has-permission.ts';
import {asyncRoute, type Route, route} from '#server/route.ts';
import {canHaveLink, inviteUrl, inviteView} from '#server/views/organization-items.ts';
import type {ParamsOf} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';

const defaultMinutes = 10 * 24 * 60;

type InviteOptions = ParamsOf<typeof endpoints.createInviteLink> & {readonly notify_referrer_on_join?: boolean};

export const inviteRoutes: readonly Route[] = [
  route(endpoints.getInvites, 'member-person', ({actor, server, db, now}) => {
    const rows = listInvites(db, now, isAdmin(actor) ? undefined : actor.id);
    return {invites: rows.map((row) => inviteView(server, actor, row))};
  }),
  // Not in the request's transaction: a partial success is committed and still answered with an error.
  asyncRoute(endpoints.sendInvites, 'member-person', async (request, params) => {
    const outcome = request.runAction((call) => invitePeople(call, params.invitee_emails, params));
    if (outcome.kind !== 'sent') throw invitationFailed(outcome, request.server);
    return inviteLinks(outcome, request.server);
  }),
  // The link may be used any number of times.
  route(endpoints.createInviteLink, 'member-person', (call, options) => {
    checkCanInvite(call, 'create_multiuse_invite_group', options);
    checkOptions(call, options);
    const key = insert(call, null, options);
    emitInvitesChanged(call, [call.actor.id]);
    return {invite_link: inviteUrl(call.server, key)};
  }),
  route(endpoints.revokeInvite, 'member-person', (call, params) => revokeInvite(call, params.invite_id, false)),
  route(endpoints.revokeInviteLink, 'member-person', (call, params) => revokeInvite(call, params.invite_id, true)),
  route(endpoints.resendInvite, 'member-person', (call, params) => {
    const {actor, server} = call;
    const invite = renewInvite(call, params.invite_id);
    if (server.mail !== undefined && invite.email !== null) {
      mailInvitation(call, invite);
      return {};
    }
    const isShown = invite.invited_by === actor.id && canHaveLink(actor, invite);
    return {invite_link: isShown ? inviteUrl(server, invite.link_key) : null};
  }),
];

/** `[address, reason, whether the account it belongs to is deactivated]`. */
type InviteRefusal = [email: string, reason: string, deactivated: boolean];

/** The address and the key of the link of a new invitation. */
type NewInvite = {readonly email: string; readonly key: string};

type InviteOutcome =
  | {readonly kind: 'sent'; readonly invited: readonly NewInvite[]}
  /** No invitation was sent, because an address is invalid. */
  | {readonly kind: 'invalid'; readonly refusals: readonly InviteRefusal[]}
  /** The refused addresses have accounts; the others were invited. */
  | {readonly kind: 'skipped'; readonly refusals: readonly InviteRefusal[]; readonly invited: readonly NewInvite[]};

/** Invites the addresses, by mail if this server sends mail. */
export function invitePeople(act: RequestContext, list: string, options: InviteOptions): InviteOutcome {
  checkCanInvite(act, 'can_invite_users_group', options);
  const emails = parseAddresses(list);
  check(emails.length !== 0, 'You must specify at least one email address.');
  checkOptions(act, options);
  const refusals = (problemOf: typeof addressProblem): InviteRefusal[] =>
    emails.flatMap((email): InviteRefusal[] => {
      const problem = problemOf(act, email);
      return problem === undefined ? [] : [[email, problem, findUserByEmail(act.db, email)?.is_active === 0]];
    });
  const invalid = refusals(addressProblem);
  const skipped = refusals(accountProblem);
  if (invalid.length > 0) return {kind: 'invalid', refusals: [...invalid, ...skipped]};
  const refused = new Set(skipped.map(([email]) => email));
  const invited = emails
    .filter((email) => !refused.has(email))
    .map((email) => ({email, key: insert(act, email, options)}));
  for (const {key} of invited) mailInvitation(act, findInviteByKey(act.db, key, act.now));
  if (invited.length > 0) emitInvitesChanged(act, [act.actor.id]);
  return skipped.length === 0 ? {kind: 'sent', invited} : {kind: 'skipped', refusals: skipped, invited};
}

/** Mails an invitation to its address, if this server sends mail. */
function mailInvitation(act: ActionContext, invite: InviteRow | undefined): void {
  if (invite?.email == null) return;
  act.server.mail?.queue(act, {kind: 'invitation', recipient: invite.email, about: {invite_id: invite.id}});
}

/** Returns the links of new invitations, for their sender, if this server sends no mail. */
function inviteLinks({invited}: Exclude<InviteOutcome, {kind: 'invalid'}>, server: ServerContext) {
  if (server.mail !== undefined) return {};
  return {invite_links: invited.map(({email, key}) => ({email, link_url: inviteUrl(server, key)}))};
}

function invitationFailed(outcome: Exclude<InviteOutcome, {kind: 'sent'}>, server: ServerContext): ApiError {
  const sent = outcome.kind === 'skipped' && outcome.invited.length > 0;
  return new ApiError('INVITATION_FAILED', failureText(outcome.kind, sent), 400, {
    errors: outcome.refusals,
    sent_invitations: sent,
    license_limit_reached: false,
    daily_limit_reached: false,
    ...(sent && inviteLinks(outcome, server)),
  });
}

function failureText(kind: 'invalid' | 'skipped', sent: boolean): string {
  if (kind === 'invalid') return "Some emails did not validate, so we didn't send any invitations.";
  return sent
    ? "Some of those addresses are already using Zulip, so we didn't send them an invitation. We did send invitations to everyone else!"
    : "We weren't able to invite anyone.";
}

/** Throws unless the actor has the permission of the organization, and may invite to the role. */
function checkCanInvite(
  act: RequestContext,
  permission: 'can_invite_users_group' | 'create_multiuse_invite_group',
  {invite_as}: InviteOptions,
): void {
  check(!isGuest(act.actor) && hasPermission(act, act.actor, organization(act)[permission]), 'Insufficient permission');
  checkRole(act.actor, invite_as);
}

function revokeInvite(act: RequestContext, id: number, isLink: boolean): void {
  const invite = managedInvite(act, id, isLink);
  act.db.deleteRows('invite', {id: invite.id});
  emitInvitesChanged(act, [invite.invited_by]);
}

/** Restarts the invitation's validity from now, and returns it. This server sends no mail. */
function renewInvite(act: RequestContext, id: number): InviteRow {
  const invite = managedInvite(act, id, false);
  if (invite.expires_at === null) return invite;
  const expiresAt = act.now + invite.expires_at - invite.created_at;
  act.db.updateRow('invite', invite.id, {created_at: act.now, expires_at: expiresAt});
  emitInvitesChanged(act, [invite.invited_by]);
  return invite;
}

function managedInvite(act: RequestContext, id: number, isLink: boolean): InviteRow {
  const {actor} = act;
  const invite = findInvite(act.db, id, act.now);
  check(invite !== undefined && (invite.email === null) === isLink, 'No such invitation');
  if (invite.invited_by === actor.id) return invite;
  checkRole(actor, invite.invited_as);
  check(isAdmin(actor), 'Must be an organization administrator');
  return invite;
}

function parseAddresses(list: string): string[] {
  const byKey = new Map<string, string>();
  for (const piece of list.split(/[,\n]/)) {
    const email = piece.trim().replace(/^.*<([^<>]*)>$/, '$1');
    if (email !== '' && !byKey.has(fold(email))) byKey.set(fold(email), email);
  }
  return [...byKey.values()];
}

/** Throws unless the actor may invite to the role. */
function checkRole(actor: UserRow, role: number): void {
  if (role === Role.owner) requireOwner(actor);
  if (role < Role.member && !isAdmin(actor)) throw badRequest('Must be an organization administrator');
}

/** Throws unless the actor has every channel and group permission that the invitation grants. */
function checkOptions(act: RequestContext, options: InviteOptions): void {
  const {actor} = act;
  checkChannels(act, options.stream_ids);
  for (const id of options.group_ids ?? []) {
    const group = requireActiveGroup(act, id);
    check(canChangeGroup(act, actor, group, 'add'), 'Insufficient permission');
  }
  check(options.welcome_message_custom_text === undefined || isAdmin(actor), 'Must be an organization administrator');
}

function checkChannels(act: RequestContext, ids: Ids): void {
  const {actor} = act;
  const channels = ids.map((id) => {
    const channel = findChannel(act.db, id);
    if (channel !== undefined && channel.is_archived === 0 && canReadChannel(act, actor, channel)) return channel;
    throw badRequest(`Invalid channel ID ${id}. No invites were sent.`);
  });
  // Everybody who invites may add people to the default channels.
  check(
    channels.every((channel) => channel.is_default === 1 || canAddOthers(act, actor, channel)),
    'You do not have permission to subscribe other users to channels.',
  );
}

/** Stores an invitation, and returns the key of its link. A validity of null has no end. */
function insert(act: RequestContext, email: string | null, options: InviteOptions): string {
  const {invite_expires_in_minutes: minutes = defaultMinutes} = options;
  const key = randomBytes(18).toString('base64url');
  act.db.insertRow('invite', {
    invited_by: act.actor.id,
    email,
    invited_as: options.invite_as,
    created_at: act.now,
    expires_at: minutes === null ? null : act.now + minutes * 60,
    link_key: key,
    channel_ids: JSON.stringify(options.stream_ids),
    group_ids: JSON.stringify(options.group_ids ?? []),
    include_default_channels: Number(options.include_realm_default_subscriptions),
    notify_referrer: Number(options.notify_referrer_on_join ?? false),
  });
  return key;
}

function emitInvitesChanged(act: ActionContext, inviterIds: Ids): void {
  const admins = act.db.pluck('SELECT id FROM user WHERE role <= ? AND is_active = 1', Role.admin);
  act.emit('invites_changed', new Set([...admins, ...inviterIds]), {});
}

interface Registration {
  readonly email: string;
  readonly fullName: string;
  /** Undefined for somebody who logs in with an SSH key. */
  readonly passwordHash: string | undefined;
}

/**
 * Creates the account of an invited person, with the role, channels and groups of the invitation. Invitations of the
 * address are used up then; a link for many people stays.
 */
export function acceptInvite(act: ActionContext, invite: InviteRow, registration: Registration): UserRow {
  requireActiveOrganization(act.server);
  const user = createUser(act, {
    ...registration,
    role: invite.invited_as,
    channelIds: JSON.parse(invite.channel_ids),
    includeDefaultChannels: invite.include_default_channels === 1,
  });
  const groupIds: Ids = JSON.parse(invite.group_ids);
  for (const id of groupIds) {
    const group = findGroup(act.db, id);
    if (group?.deactivated === 0 && group.is_system === 0) addInvitedMember(act, group, user);
  }
  if (invite.notify_referrer === 1) {
    const text = `@_**${user.full_name}|${user.id}** accepted your invitation to join ${organization(act).name}.`;
    sendPersonalNotice(act, invite.invited_by, text);
  }
  const inviters = act.db.pluck('SELECT invited_by FROM invite WHERE lower(email) = lower(?)', user.delivery_email);
  act.db.run('DELETE FROM invite WHERE lower(email) = lower(?)', user.delivery_email);
  if (inviters.length > 0) emitInvitesChanged(act, inviters);
  return user;
}
