import {addInvitedMember} from '#server/actions/groups/group-members.ts';
import {sendNotice} from '#server/actions/messages/send-message.ts';
import {createUser} from '#server/actions/users/create-user.ts';
import type {ActionContext} from '#server/context.ts';
import {findGroup} from '#server/db/groups.ts';
import type {InviteRow} from '#server/db/invites.ts';
import type {UserRow} from '#server/db/rows.ts';
import {requireActiveOrganization} from '#server/http/auth.ts';
import {organization} from '#server/permissions/has-permission.ts';
import {emitInvitesChanged} from './invites.ts';

export interface Registration {
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
