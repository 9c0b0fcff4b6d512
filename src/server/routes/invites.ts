import {
  createInviteLink,
  type InviteOptions,
  type InviteOutcome,
  invitePeople,
  renewInvite,
  revokeInvite,
} from '#server/actions/organization/invites.ts';
import type {ServerContext} from '#server/context.ts';
import {listInvites} from '#server/db/invites.ts';
import {ApiError} from '#server/http/errors.ts';
import {asyncRoute, type Route, route} from '#server/http/route.ts';
import {isAdmin} from '#server/permissions/has-permission.ts';
import {canHaveLink, inviteUrl, inviteView} from '#server/views/invite.ts';
import type {ParamsOf} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';

type SendParams = ParamsOf<typeof endpoints.sendInvites>;
type LinkParams = ParamsOf<typeof endpoints.createInviteLink>;

export const invitesRoutes: readonly Route[] = [
  route(endpoints.getInvites, (call) => {
    const {actor, server, db, now} = call;
    const rows = listInvites(db, now, isAdmin(actor) ? undefined : actor.id);
    return {invites: rows.map((row) => inviteView(server, actor, row))};
  }),
  // Not in the request's transaction: a partial success is committed and still answered with an error.
  asyncRoute(endpoints.sendInvites, async (request, params) => {
    const options = optionsOf(params, params.notify_referrer_on_join);
    const outcome = request.runAction((call) => invitePeople(call, call.actor, params.invitee_emails, options));
    if (outcome.kind !== 'sent') throw invitationFailed(outcome, request.server);
    return inviteLinks(outcome, request.server);
  }),
  route(endpoints.createInviteLink, (call, params) => {
    const key = createInviteLink(call, call.actor, optionsOf(params, false));
    return {invite_link: inviteUrl(call.server, key)};
  }),
  route(endpoints.revokeInvite, (call, params) => revokeInvite(call, call.actor, params.invite_id, false)),
  route(endpoints.revokeInviteLink, (call, params) => revokeInvite(call, call.actor, params.invite_id, true)),
  route(endpoints.resendInvite, (call, params) => {
    const {actor, server} = call;
    const invite = renewInvite(call, actor, params.invite_id);
    const isShown = invite.invited_by === actor.id && canHaveLink(actor, invite);
    return {invite_link: isShown ? inviteUrl(server, invite.link_key) : null};
  }),
];

function optionsOf(params: SendParams | LinkParams, notifyReferrer: boolean): InviteOptions {
  return {
    role: params.invite_as,
    channelIds: params.stream_ids,
    groupIds: params.group_ids ?? [],
    includeDefaultChannels: params.include_realm_default_subscriptions,
    expiresInMinutes: params.invite_expires_in_minutes,
    notifyReferrer,
    hasWelcomeMessage: params.welcome_message_custom_text !== undefined,
  };
}

/** Returns the links of new invitations, for their sender: this server sends no mail. */
function inviteLinks({invited}: Exclude<InviteOutcome, {kind: 'invalid'}>, server: ServerContext) {
  return {invite_links: invited.map(({email, key}) => ({email, link_url: inviteUrl(server, key)}))};
}

function invitationFailed(outcome: Exclude<InviteOutcome, {kind: 'sent'}>, server: ServerContext): ApiError {
  const sent = wasSent(outcome);
  return new ApiError('INVITATION_FAILED', failureText(outcome), 400, {
    errors: outcome.refusals,
    sent_invitations: sent,
    license_limit_reached: false,
    daily_limit_reached: false,
    ...(outcome.kind === 'skipped' && sent && inviteLinks(outcome, server)),
  });
}

function wasSent(outcome: InviteOutcome): boolean {
  return outcome.kind !== 'invalid' && outcome.invited.length > 0;
}

function failureText(outcome: Exclude<InviteOutcome, {kind: 'sent'}>): string {
  if (outcome.kind === 'invalid') return "Some emails did not validate, so we didn't send any invitations.";
  return wasSent(outcome)
    ? "Some of those addresses are already using Zulip, so we didn't send them an invitation. We did send invitations to everyone else!"
    : "We weren't able to invite anyone.";
}
