import type {SessionContext} from '#state/session-context.ts';
import type {ArgsOf} from '#wire/endpoint.ts';
import type {Endpoints} from '#wire/endpoints.ts';
import type {Invite} from '#wire/objects/user.ts';

/** Invites by email. Resolves with the links that a server which sends no mail hands to the inviter. */
export async function inviteByEmail({api}: SessionContext, args: ArgsOf<Endpoints['sendInvites']>) {
  return (await api.sendInvites(args)).invite_links ?? [];
}

/** Resolves with the link. */
export async function createInviteLink({api}: SessionContext, args: ArgsOf<Endpoints['createInviteLink']>) {
  return (await api.createInviteLink(args)).invite_link;
}

/**
 * Sends an invitation by email again. A server that sends no mail only extends it, and resolves with its link for the inviter and
 * with null for others.
 */
export async function sendInviteAgain({api}: SessionContext, {id}: Invite) {
  return (await api.resendInvite({invite_id: id})).invite_link;
}

export function revokeInvite({api}: SessionContext, {id, is_multiuse: isLink}: Pick<Invite, 'id' | 'is_multiuse'>) {
  return isLink ? api.revokeInviteLink({invite_id: id}) : api.revokeInvite({invite_id: id});
}
