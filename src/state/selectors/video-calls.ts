import type {AccountState} from '#state/state.ts';
import {videoProviders} from '#wire/objects/organization.ts';

interface VideoProvider {
  readonly name: string;
  readonly hasAudioCalls: boolean;
}

/** The services that Parley can start calls with, by their number in the organization's settings. */
const providers: Readonly<Record<number, VideoProvider>> = {
  [videoProviders.jitsi]: {name: 'Jitsi', hasAudioCalls: true},
  [videoProviders.zoom]: {name: 'Zoom', hasAudioCalls: true},
  [videoProviders.zoomServerToServer]: {name: 'Zoom', hasAudioCalls: true},
  [videoProviders.bigBlueButton]: {name: 'BigBlueButton', hasAudioCalls: true},
  [videoProviders.constructorGroups]: {name: 'Constructor Groups', hasAudioCalls: false},
  [videoProviders.nextcloudTalk]: {name: 'Nextcloud Talk', hasAudioCalls: false},
  [videoProviders.conference]: {name: 'Webex', hasAudioCalls: false},
};

type VideoState = Pick<AccountState, 'realm' | 'server'>;

/** Returns the name of the organization's video call service. The server's name is used, if it says one. */
export function videoProviderName({realm}: Pick<AccountState, 'realm'>): string | undefined {
  const id = realm.videoChatProvider ?? videoProviders.none;
  const offered = Object.values(realm.availableVideoChatProviders ?? {}).find((one) => one.id === id)?.name;
  return id === videoProviders.none ? undefined : (offered ?? providers[id]?.name);
}

/** Returns the reason why no call can be started. */
export function callProblem({realm, server}: VideoState, isAudioOnly: boolean): string | undefined {
  const id = realm.videoChatProvider ?? videoProviders.none;
  if (id === videoProviders.none) return 'Video calls are turned off in this organization.';
  const provider = providers[id];
  const name = videoProviderName({realm}) ?? 'the video call service of this organization';
  if (provider === undefined) return `Parley cannot start calls with ${name}.`;
  if (id === videoProviders.jitsi && !URL.canParse(realm.jitsiServerUrl ?? server.serverJitsiServerUrl ?? '')) {
    return 'This organization has no Jitsi server.';
  }
  return isAudioOnly && !provider.hasAudioCalls ? `${name} has no audio-only calls.` : undefined;
}
