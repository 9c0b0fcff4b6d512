import type {ServerContext} from '#server/context.ts';
import type {InviteRow} from '#server/db/invites.ts';
import type {Invite} from '#wire/objects/invite.ts';

export function inviteUrl(server: Pick<ServerContext, 'url'>, key: string): string {
  return `${server.url}/join/${key}`;
}

/** Returns an invitation with its link, also when it is for one e-mail address: this server sends no e-mail. */
export function inviteView(server: Pick<ServerContext, 'url'>, invite: InviteRow): Invite {
  return {
    id: invite.id,
    invited_by_user_id: invite.invited_by,
    invited: invite.created_at,
    expiry_date: invite.expires_at,
    invited_as: invite.invited_as,
    is_multiuse: invite.email === null,
    link_url: inviteUrl(server, invite.link_key),
    ...(invite.email === null ? {} : {email: invite.email, notify_referrer_on_join: invite.notify_referrer === 1}),
  };
}
