import type {SessionContext} from '#state/session-context.ts';
import type {Invite, InviteLink} from '#wire/objects/invite.ts';
import {featureProblem} from '#wire/server-features.ts';

export interface Invitation {
  readonly channelIds: readonly number[];
  /** Whether new users get the default channels too. */
  readonly includesDefaultChannels?: boolean;
  readonly groupIds?: readonly number[];
  /** A role number; members by default. */
  readonly role?: number;
  /** Null: never expires. */
  readonly expiresInMinutes?: number | null;
  /** The text of Welcome Bot's first message, in place of the organization's. */
  readonly welcomeMessage?: string | undefined;
}

export async function getInvites({api}: SessionContext): Promise<readonly Invite[]> {
  return (await api.getInvites({})).invites;
}

/** Sends invitations. A server that sends no mail returns their links, which only the inviter gets. */
export async function invite(
  context: SessionContext,
  emails: readonly string[],
  {notifiesMe = true, ...invitation}: Invitation & {readonly notifiesMe?: boolean},
): Promise<readonly InviteLink[]> {
  const {api} = context;
  const args = {
    invitee_emails: emails.join(','),
    ...invitationArgs(context, invitation),
    ...(!notifiesMe && {notify_referrer_on_join: false}),
  };
  return (await api.sendInvites(args)).invite_links ?? [];
}

/** Returns the URL of the invitation. */
export async function createInviteLink(context: SessionContext, invitation: Invitation): Promise<string> {
  const {api} = context;
  return (await api.createInviteLink(invitationArgs(context, invitation))).invite_link;
}

export async function revokeInvite(
  {api}: SessionContext,
  {id, isLink}: {readonly id: number; readonly isLink: boolean},
): Promise<void> {
  const args = {invite_id: id};
  await (isLink ? api.revokeInviteLink(args) : api.revokeInvite(args));
}

/**
 * Sends the e-mail of an invitation again. A server that sends no mail only extends the invitation, and returns its link to
 * the inviter and null to others.
 */
export async function resendInvite({api}: SessionContext, id: number): Promise<string | null | undefined> {
  return (await api.resendInvite({invite_id: id})).invite_link;
}

function invitationArgs({cache}: SessionContext, invitation: Invitation) {
  const {channelIds, includesDefaultChannels = false, groupIds = [], role, expiresInMinutes} = invitation;
  const {server, defaultChannels} = cache.state;
  // Servers that cannot be told to use the default channels get their ids.
  const areNamed = includesDefaultChannels && featureProblem(server.level, 'inviteToDefaultChannels') !== undefined;
  return {
    stream_ids: [...new Set([...channelIds, ...(areNamed ? defaultChannels : [])])],
    ...(includesDefaultChannels && !areNamed && {include_realm_default_subscriptions: true}),
    ...(groupIds.length > 0 && {group_ids: [...groupIds]}),
    ...(role !== undefined && {invite_as: role}),
    ...(expiresInMinutes !== undefined && {invite_expires_in_minutes: expiresInMinutes}),
    ...(invitation.welcomeMessage !== undefined && {welcome_message_custom_text: invitation.welcomeMessage}),
  };
}
