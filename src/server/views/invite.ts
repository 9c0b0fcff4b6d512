import type {ServerContext} from '#server/context.ts';
import type {InviteRow} from '#server/db/invites.ts';
import type {UserRow} from '#server/db/rows.ts';
import {isOwner} from '#server/permissions/has-permission.ts';
import {Role} from '#server/permissions/system-groups.ts';
import type {Invite} from '#wire/objects/invite.ts';

export function inviteUrl(server: Pick<ServerContext, 'url'>, key: string): string {
  return `${server.url}/join/${key}`;
}

/** Returns whether the viewer may have the link: with the link of an owner's invitation, anybody becomes an owner. */
export function canHaveLink(viewer: UserRow, {invited_as}: InviteRow): boolean {
  return invited_as !== Role.owner || isOwner(viewer);
}

/**
 * Returns an invitation for the list. The link of an invitation by e-mail is not in it: whoever has the link is taken for
 * the owner of the address.
 */
export function inviteView(server: Pick<ServerContext, 'url'>, viewer: UserRow, invite: InviteRow): Invite {
  const isLink = invite.email === null;
  return {
    id: invite.id,
    invited_by_user_id: invite.invited_by,
    invited: invite.created_at,
    expiry_date: invite.expires_at,
    invited_as: invite.invited_as,
    is_multiuse: isLink,
    ...(isLink && canHaveLink(viewer, invite) && {link_url: inviteUrl(server, invite.link_key)}),
    ...(invite.email === null ? {} : {email: invite.email, notify_referrer_on_join: invite.notify_referrer === 1}),
  };
}
