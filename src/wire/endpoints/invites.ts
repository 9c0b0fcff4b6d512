import {endpoint, fallback, flag, ids, json, limitedText, optional, pathId, since, text} from '#wire/endpoint.ts';
import {levels} from '#wire/levels.ts';
import {invite, inviteLink} from '#wire/objects/invite.ts';
import {knownRole, roles} from '#wire/objects/user.ts';
import {int, nullableInt, object, s} from '#wire/schema.ts';

const params = {
  invite_expires_in_minutes: optional(json(nullableInt)),
  invite_as: fallback(json(knownRole), roles.member),
  group_ids: since(levels.inviteToGroups, optional(ids)),
  include_realm_default_subscriptions: since(levels.inviteToDefaultChannels, fallback(flag, false)),
  welcome_message_custom_text: since(levels.welcomeMessage, optional(limitedText(8000))),
};

export const getInvites = endpoint('invite.list', 'GET /invites', {
  result: object({invites: s.array(invite)}),
});

/** Sends invitations; the e-mail addresses are separated by commas or newlines. */
export const sendInvites = endpoint('invite.send', 'POST /invites', {
  params: {
    invitee_emails: text,
    stream_ids: ids,
    notify_referrer_on_join: since(levels.notifyReferrer, fallback(flag, true)),
    ...params,
  },
  // Only the embedded server, which sends no mail, has it.
  result: object({}, {invite_links: s.array(inviteLink)}),
});

export const createInviteLink = endpoint('invite.create-link', 'POST /invites/multiuse', {
  params: {stream_ids: fallback(ids, []), ...params},
  result: object({invite_link: s.string()}),
});

export const revokeInvite = endpoint('invite.revoke', 'DELETE /invites/{invite_id}', {
  params: {invite_id: pathId},
});

export const revokeInviteLink = endpoint('invite.revoke-link', 'DELETE /invites/multiuse/{invite_id}', {
  params: {invite_id: pathId},
});

export const resendInvite = endpoint('invite.resend', 'POST /invites/{invite_id}/resend', {
  params: {invite_id: pathId},
  // Only the embedded server, which sends no mail, has the link; it is null for others than the inviter.
  result: object({}, {timestamp: int, invite_link: s.nullable(s.string())}),
});
