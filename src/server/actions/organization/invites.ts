import {randomBytes} from 'node:crypto';
import {accountProblem, addressProblem} from '#server/accounts/account-names.ts';
import {addInvitedMember} from '#server/actions/groups/group-members.ts';
import {sendNotice} from '#server/actions/messages/send-message.ts';
import {createUser} from '#server/actions/users/create-user.ts';
import type {ActionContext} from '#server/context.ts';
import {findChannel} from '#server/db/channels.ts';
import {findGroup} from '#server/db/groups.ts';
import {findInvite, type InviteRow} from '#server/db/organization-items.ts';
import {fold, type UserRow} from '#server/db/rows.ts';
import {findUserByEmail} from '#server/db/users.ts';
import {requireActiveOrganization} from '#server/http/auth.ts';
import {badRequest, unauthorizedPrincipal} from '#server/http/errors.ts';
import {canAddOthers, canReadChannel} from '#server/permissions/channel.ts';
import {canChangeGroup, requireActiveGroup} from '#server/permissions/groups.ts';
import {hasPermission, isAdmin, isGuest, isOwner, organization} from '#server/permissions/has-permission.ts';
import {Role} from '#server/permissions/permission-rules.ts';

const defaultMinutes = 10 * 24 * 60;

export interface InviteOptions {
  readonly role: number;
  readonly channelIds: readonly number[];
  readonly groupIds: readonly number[];
  readonly includeDefaultChannels: boolean;
  /** Null: never; undefined: ten days. */
  readonly expiresInMinutes: number | null | undefined;
  readonly notifyReferrer: boolean;
  readonly hasWelcomeMessage: boolean;
}

/** `[address, reason, whether the account it belongs to is deactivated]`. */
type InviteRefusal = [email: string, reason: string, deactivated: boolean];

/** The address and the key of the link of a new invitation. */
type NewInvite = {readonly email: string; readonly key: string};

export type InviteOutcome =
  | {readonly kind: 'sent'; readonly invited: readonly NewInvite[]}
  /** No invitation was sent, because an address is invalid. */
  | {readonly kind: 'invalid'; readonly refusals: readonly InviteRefusal[]}
  /** The refused addresses have accounts; the others were invited. */
  | {readonly kind: 'skipped'; readonly refusals: readonly InviteRefusal[]; readonly invited: readonly NewInvite[]};

export function invitePeople(act: ActionContext, actor: UserRow, list: string, options: InviteOptions): InviteOutcome {
  if (isGuest(actor) || !hasPermission(act, actor, organization(act).can_invite_users_group)) {
    throw badRequest('Insufficient permission');
  }
  checkRole(actor, options);
  const emails = parseAddresses(list);
  if (emails.length === 0) throw badRequest('You must specify at least one email address.');
  checkOptions(act, actor, options);
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
    .map((email) => ({email, key: insert(act, actor, email, options)}));
  if (invited.length > 0) emitInvitesChanged(act, [actor.id]);
  return skipped.length === 0 ? {kind: 'sent', invited} : {kind: 'skipped', refusals: skipped, invited};
}

/** Creates an invitation link that may be used any number of times, and returns its key. */
export function createInviteLink(act: ActionContext, actor: UserRow, options: InviteOptions): string {
  if (isGuest(actor) || !hasPermission(act, actor, organization(act).create_multiuse_invite_group)) {
    throw badRequest('Insufficient permission');
  }
  checkRole(actor, options);
  checkOptions(act, actor, options);
  const key = insert(act, actor, null, options);
  emitInvitesChanged(act, [actor.id]);
  return key;
}

export function revokeInvite(act: ActionContext, actor: UserRow, id: number, isLink: boolean): void {
  const invite = managedInvite(act, actor, id, isLink);
  act.db.run('DELETE FROM invite WHERE id = ?', invite.id);
  emitInvitesChanged(act, [invite.invited_by]);
}

/** Restarts the invitation's validity from now, and returns it. This server sends no mail. */
export function renewInvite(act: ActionContext, actor: UserRow, id: number): InviteRow {
  const invite = managedInvite(act, actor, id, false);
  if (invite.expires_at === null) return invite;
  const expiresAt = act.now + invite.expires_at - invite.created_at;
  act.db.run('UPDATE invite SET created_at = ?, expires_at = ? WHERE id = ?', act.now, expiresAt, invite.id);
  emitInvitesChanged(act, [invite.invited_by]);
  return invite;
}

function managedInvite(act: ActionContext, actor: UserRow, id: number, isLink: boolean): InviteRow {
  const invite = findInvite(act.db, id, act.now);
  if (invite === undefined || (invite.email === null) !== isLink) throw badRequest('No such invitation');
  if (invite.invited_by === actor.id) return invite;
  checkRole(actor, {role: invite.invited_as});
  if (!isAdmin(actor)) throw badRequest('Must be an organization administrator');
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
function checkRole(actor: UserRow, {role}: Pick<InviteOptions, 'role'>): void {
  if (role === Role.owner && !isOwner(actor)) throw unauthorizedPrincipal('Must be an organization owner');
  if (role < Role.member && !isAdmin(actor)) throw badRequest('Must be an organization administrator');
}

/** Throws unless the actor has every channel and group permission that the invitation grants. */
function checkOptions(act: ActionContext, actor: UserRow, options: InviteOptions): void {
  checkChannels(act, actor, options.channelIds);
  for (const id of options.groupIds) {
    const group = requireActiveGroup(act, id);
    if (!canChangeGroup(act, actor, group, 'add')) throw badRequest('Insufficient permission');
  }
  if (options.hasWelcomeMessage && !isAdmin(actor)) throw badRequest('Must be an organization administrator');
}

function checkChannels(act: ActionContext, actor: UserRow, ids: readonly number[]): void {
  const channels = ids.map((id) => {
    const channel = findChannel(act.db, id);
    if (channel !== undefined && channel.is_archived === 0 && canReadChannel(act, actor, channel)) return channel;
    throw badRequest(`Invalid channel ID ${id}. No invites were sent.`);
  });
  // Everybody who invites may add people to the default channels.
  if (!channels.every((channel) => channel.is_default === 1 || canAddOthers(act, actor, channel))) {
    throw badRequest('You do not have permission to subscribe other users to channels.');
  }
}

function insert(act: ActionContext, actor: UserRow, email: string | null, options: InviteOptions): string {
  const {expiresInMinutes = defaultMinutes} = options;
  const key = randomBytes(18).toString('base64url');
  act.db.insertRow('invite', {
    invited_by: actor.id,
    email,
    invited_as: options.role,
    created_at: act.now,
    expires_at: expiresInMinutes === null ? null : act.now + expiresInMinutes * 60,
    link_key: key,
    channel_ids: JSON.stringify(options.channelIds),
    group_ids: JSON.stringify(options.groupIds),
    include_default_channels: Number(options.includeDefaultChannels),
    notify_referrer: Number(options.notifyReferrer),
  });
  return key;
}

function emitInvitesChanged(act: ActionContext, inviterIds: readonly number[]): void {
  const admins = act.db.pluck('SELECT id FROM user WHERE role <= ? AND is_active = 1', Role.admin);
  act.emit({type: 'invites_changed', to: new Set([...admins, ...inviterIds]), body: {}});
}

interface Registration {
  readonly email: string;
  readonly fullName: string;
  readonly passwordHash: string;
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
  const groupIds: readonly number[] = JSON.parse(invite.group_ids);
  for (const id of groupIds) {
    const group = findGroup(act.db, id);
    if (group?.deactivated === 0 && group.is_system === 0) addInvitedMember(act, group, user);
  }
  if (invite.notify_referrer === 1) {
    const text = `@_**${user.full_name}|${user.id}** accepted your invitation to join ${organization(act).name}.`;
    sendNotice(act, {kind: 'direct', userIds: [invite.invited_by]}, text);
  }
  const inviters = act.db.pluck('SELECT invited_by FROM invite WHERE lower(email) = lower(?)', user.delivery_email);
  act.db.run('DELETE FROM invite WHERE lower(email) = lower(?)', user.delivery_email);
  if (inviters.length > 0) emitInvitesChanged(act, inviters);
  return user;
}
