import {isRefusal} from '#api/failure.ts';
import type {SessionContext} from '#state/session-context.ts';
import type {AccountState} from '#state/state.ts';
import {videoProviders} from '#wire/objects/video-call.ts';

export interface VideoCallOptions {
  readonly name: string;
  readonly audioOnly?: boolean;
}

/** The URL of a new call, or of the page where the user first has to connect an account of the provider. */
export type VideoCallOutcome =
  | {readonly kind: 'call'; readonly url: string}
  | {readonly kind: 'connect'; readonly url: string};

export async function startVideoCall(context: SessionContext, call: VideoCallOptions): Promise<VideoCallOutcome> {
  const {api, cache, random} = context;
  const {realm, server} = cache.state;
  const args = {
    realm: {
      realm_video_chat_provider: realm.videoChatProvider,
      realm_jitsi_server_url: realm.jitsiServerUrl,
      server_jitsi_server_url: server.serverJitsiServerUrl,
    },
    ...call,
    random,
  };
  try {
    const {url} = await api.startVideoCall(args);
    return {kind: 'call', url};
  } catch (error) {
    if (!isRefusal(error, 'INVALID_VIDEO_CALL_PROVIDER_TOKEN')) throw error;
    const url = api.connection.webUrl(`/calls/${providerSegment(cache.state)}/register`);
    if (url === undefined) throw error;
    return {kind: 'connect', url};
  }
}

/**
 * Returns the path of a provider that asks each user for permission; one has two names, of which the server
 * reported the one it uses.
 */
export function providerSegment({realm, videoTokens}: Pick<AccountState, 'realm' | 'videoTokens'>): string {
  if (realm.videoChatProvider !== videoProviders.conference) return 'zoom';
  return 'webex' in videoTokens && !('conference' in videoTokens) ? 'webex' : 'conference';
}
