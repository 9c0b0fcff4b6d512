import {initialState} from '#state/initial-state.ts';
import {
  emojiFromWire,
  linkifierFromWire,
  playgroundFromWire,
  profileFieldFromWire,
  realmFromWire,
  serverFromWire,
  settingsFromWire,
} from '#state/model/organization.ts';
import type {Users} from '#state/model/users.ts';
import type {AccountState} from '#state/state.ts';
import {SortedMap} from '#std/sorted-map.ts';
import {extraEmojiType, featureLevel, serverVersion} from '#wire/objects/version.ts';
import type {Snapshot} from '#wire/register.ts';
import {serverFeatures} from '#wire/server-features.ts';
import {channelSlices} from './channel-slices.ts';
import {messageSlices} from './message-slices.ts';
import {peopleSlices} from './people-slices.ts';
import {personalSlices} from './personal-slices.ts';

/** The facts that a registration's response does not contain. */
export interface SnapshotContext {
  /** The address of the server. */
  readonly url: string;
  /** The time of arrival, in milliseconds since the epoch. */
  readonly now: number;
  /** The user, in case the response does not say. */
  readonly self?: {readonly userId: number};
  /** What the server calls its extra emoji; its settings say it, the response may not. */
  readonly extraEmojiType?: string;
  /** The users of an earlier response, which stay in use if nothing changed. */
  readonly knownUsers?: Users;
}

/**
 * Converts a registration's response, of any feature level, to the account state. The slices that only this
 * machine knows, or that are fetched, have their initial values.
 */
export function stateFromSnapshot(snapshot: Snapshot, context: SnapshotContext): AccountState {
  const level = featureLevel(snapshot);
  const self = {userId: snapshot.user_id ?? context.self?.userId ?? initialState.self.userId};
  const channels = channelSlices(snapshot);
  return {
    ...initialState,
    self,
    server: {
      ...initialState.server,
      ...serverFromWire(snapshot, level),
      url: context.url,
      level,
      abilities: serverFeatures(level),
      version: serverVersion(snapshot),
      extraEmojiType: context.extraEmojiType ?? extraEmojiType(snapshot),
    },
    realm: {...initialState.realm, ...realmFromWire(snapshot, level)},
    settings: {...initialState.settings, ...settingsFromWire(snapshot.user_settings ?? {})},
    ...channels,
    ...peopleSlices(snapshot, context.now, context.knownUsers),
    ...messageSlices(snapshot, self.userId, channels.subscriptions),
    ...personalSlices(snapshot, self.userId, channels.channels.values()),
    emoji: SortedMap.by(Object.values(snapshot.realm_emoji ?? {}).map(emojiFromWire), ({id}) => id),
    linkifiers: (snapshot.realm_linkifiers ?? []).map(linkifierFromWire),
    playgrounds: (snapshot.realm_playgrounds ?? []).map(playgroundFromWire),
    domains: snapshot.realm_domains ?? [],
    profileFields: (snapshot.custom_profile_fields ?? []).map(profileFieldFromWire),
  };
}
