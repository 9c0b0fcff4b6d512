import {randomUUID} from 'node:crypto';
import type {RequestContext} from '#server/context.ts';
import {ApiError, badRequest, check} from '#server/errors.ts';
import {serverJitsiUrl} from '#server/organization/organization-settings.ts';
import {organization} from '#server/permissions/has-permission.ts';
import {asyncRoute, type Route, route} from '#server/route.ts';
import {endpoints} from '#wire/endpoints.ts';
import {tokenKeyOf, videoProviders} from '#wire/objects/organization.ts';

export const videoCallRoutes: readonly Route[] = [
  asyncRoute(endpoints.createCall, 'account', async (request, params) => {
    const url = request.runAction((call) => createVideoCall(call, params.segment));
    if (url !== undefined) return {url};
    // Thrown after the transaction: a rollback would discard the event.
    throw new ApiError('INVALID_VIDEO_CALL_PROVIDER_TOKEN', 'Your account has no access to the video provider.');
  }),
  route(endpoints.createBigBlueButtonCall, 'account', () => {
    throw badRequest('BigBlueButton is not configured.');
  }),
];

/** The two names of one provider; clients get its token state under both. */
export const conferenceSegments = ['conference', 'webex'] as const;

/** The providers that this server does not have. */
const otherProviders: ReadonlyMap<string, string> = new Map([
  ['constructorgroups', 'Constructor Groups'],
  ['nextcloud_talk', 'Nextcloud Talk'],
  ['zoom', 'Zoom'],
]);

/** Returns the URL of a new meeting, or undefined if the user's token is missing, which is also emitted. */
function createVideoCall(act: RequestContext, segment: string): string | undefined {
  const {actor} = act;
  const {video_chat_provider: provider, jitsi_server_url: jitsiUrl} = organization(act);
  if (!conferenceSegments.some((known) => known === segment)) {
    throw badRequest(`${otherProviders.get(segment) ?? segment} credentials have not been configured`);
  }
  check(provider !== videoProviders.none, 'This organization does not use video calls.');
  if (actor.video_token === 0) {
    for (const name of conferenceSegments) {
      act.emit(tokenKeyOf(name), [actor.id], {value: false});
    }
    return undefined;
  }
  return `${jitsiUrl ?? serverJitsiUrl}/${randomUUID()}`;
}
