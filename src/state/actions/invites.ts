import type {SessionContext} from '#state/session-context.ts';

export interface Invitation {
  readonly channelIds: readonly number[];
  /** A role number; members by default. */
  readonly role?: number;
  /** Null: never expires. */
  readonly expiresInMinutes?: number | null;
}

export async function invite(
  {api, signal}: SessionContext,
  emails: readonly string[],
  invitation: Invitation,
): Promise<void> {
  await api.sendInvites({invitee_emails: emails.join(','), ...invitationArgs(invitation)}, {signal});
}

/** Returns the URL of the invitation. */
export async function createInviteLink({api, signal}: SessionContext, invitation: Invitation): Promise<string> {
  return (await api.createInviteLink(invitationArgs(invitation), {signal})).invite_link;
}

export async function revokeInvite(
  {api, signal}: SessionContext,
  {id, isLink}: {readonly id: number; readonly isLink: boolean},
): Promise<void> {
  const args = {invite_id: id};
  await (isLink ? api.revokeInviteLink(args, {signal}) : api.revokeInvite(args, {signal}));
}

export async function resendInvite({api, signal}: SessionContext, id: number): Promise<void> {
  await api.resendInvite({invite_id: id}, {signal});
}

function invitationArgs({channelIds, role, expiresInMinutes}: Invitation) {
  return {
    stream_ids: [...channelIds],
    ...(role !== undefined && {invite_as: role}),
    ...(expiresInMinutes !== undefined && {invite_expires_in_minutes: expiresInMinutes}),
  };
}
