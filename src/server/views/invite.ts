import type {ServerContext} from '#server/context.ts';
import type {InviteRow} from '#server/db/invites.ts';
import type {Invite} from '#wire/objects/invite.ts';

export function inviteUrl(world: Pick<ServerContext, 'url'>, key: string): string {
  return `${world.url}/join/${key}`;
}

/** Nothing is mailed, so an invitation by address shows its link too: whoever invited passes it on. */
export function inviteView(world: Pick<ServerContext, 'url'>, invite: InviteRow): Invite {
  return {
    id: invite.id,
    invited_by_user_id: invite.invited_by,
    invited: invite.created_at,
    expiry_date: invite.expires_at,
    invited_as: invite.invited_as,
    is_multiuse: invite.email === null,
    link_url: inviteUrl(world, invite.link_key),
    ...(invite.email === null
      ? {}
      : {email: invite.email, notify_referrer_on_join: invite.notify_referrer === 1}),
  };
}
