import type {Connection} from '#api/connection.ts';
import type {CallOptions} from '#api/connection-options.ts';
import {invalidCallFailure, isRefusal} from '#api/failure.ts';
import {endpoints} from '#wire/endpoints.ts';
import type {WireRealm} from '#wire/objects/realm.ts';
import {videoProviders} from '#wire/objects/video-call.ts';

export interface VideoCallRequest {
  /** The organization, as the snapshot describes it. */
  readonly realm: Pick<
    WireRealm,
    'realm_video_chat_provider' | 'realm_jitsi_server_url' | 'server_jitsi_server_url' | 'jitsi_server_url'
  >;
  /** The call's name, for providers that show one. */
  readonly name: string;
  readonly audioOnly?: boolean | undefined;
  readonly random: () => number;
}

/** Starts a call with the organization's provider and returns its URL. */
export async function startVideoCall(
  connection: Connection,
  request: VideoCallRequest,
  options: CallOptions = {},
): Promise<{url: string}> {
  const {name, audioOnly = false} = request;
  switch (request.realm.realm_video_chat_provider) {
    case videoProviders.jitsi:
      return {url: jitsiUrl(request)};
    case videoProviders.zoom:
    case videoProviders.zoomServerToServer:
      return connection.call(endpoints.createCall, {segment: 'zoom', is_video_call: !audioOnly}, options);
    case videoProviders.bigBlueButton: {
      const args = {meeting_name: name, voice_only: audioOnly};
      const {url} = await connection.call(endpoints.createBigBlueButtonCall, args, options);
      return {url: connection.webUrl(url) ?? url};
    }
    case videoProviders.constructorGroups:
      return connection.call(endpoints.createCall, {segment: 'constructorgroups'}, options);
    case videoProviders.nextcloudTalk:
      return connection.call(endpoints.createCall, {segment: 'nextcloud_talk', room_name: name}, options);
    case videoProviders.conference:
      return conferenceCall(connection, options);
    default:
      throw invalidCallFailure(
        endpoints.createCall.id,
        'This organization has no video call provider that Parley supports.',
      );
  }
}

/** Starts a call of a provider that has two names; a server knows one of them or both. */
async function conferenceCall(connection: Connection, options: CallOptions): Promise<{url: string}> {
  try {
    return await connection.call(endpoints.createCall, {segment: 'conference'}, options);
  } catch (error) {
    if (!isRefusal(error) || error.status !== 404) throw error;
    return connection.call(endpoints.createCall, {segment: 'webex'}, options);
  }
}

/** Returns a Jitsi URL. The call needs no request; the random number in the URL is the room. */
function jitsiUrl({realm, audioOnly, random}: VideoCallRequest): string {
  const base = realm.realm_jitsi_server_url ?? realm.server_jitsi_server_url ?? realm.jitsi_server_url;
  if (base === null || base === undefined || URL.parse(base) === null) {
    throw invalidCallFailure(endpoints.createCall.id, 'This organization has no Jitsi server configured.');
  }
  const digits = Array.from({length: 15}, () => Math.floor(random() * 10)).join('');
  return `${base.replace(/\/+$/, '')}/${digits}${audioOnly === true ? '#config.startWithVideoMuted=true' : ''}`;
}
