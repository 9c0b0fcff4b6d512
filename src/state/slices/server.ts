import {keepIfEqual} from '#state/model/immutable-updates.ts';
import {pickFields} from '#state/model/pick-fields.ts';
import {type CamelKeys, camelKeys} from '#std/camel.ts';
import {realmKeys, versionKeys} from '#wire/events/organization.ts';
import {limitFields, modernRealm, realmDefaults, serverFields, type WireRealm} from '#wire/objects/realm.ts';
import {extraEmojiType, serverVersion} from '#wire/objects/server-settings.ts';
import {type ServerFeatures, serverFeatures} from '#wire/server-features.ts';
import {savedObject} from './saved-json.ts';
import {fromSnapshot, type Slice} from './slice.ts';

/** Fields that are aliases of others, or that are valid only at the time of the response. */
type NotServerField = `realm_${string}` | 'jitsi_server_url' | 'server_timestamp';

type ServerFields = CamelKeys<{
  [K in keyof WireRealm as K extends NotServerField ? never : K]: WireRealm[K];
}>;

/** The server's properties, with defaults filled in where an older server sends none. */
export interface ServerInfo extends ServerFields {
  readonly url: string;
  readonly level: number;
  readonly abilities: ServerFeatures;
  readonly version: string | undefined;
  /** The reaction type of this server's built-in extra emoji. */
  readonly extraEmojiType: string;
}

const {jitsi_server_url: _alias, server_timestamp: _moment, ...serverInfoFields} = {...limitFields, ...serverFields};
const serverNames = Object.keys(serverInfoFields);

/** Converts the server's fields, except those that need the whole response. */
function serverFromWire(fields: WireRealm, level: number): Partial<ServerInfo> {
  return camelKeys(pickFields(modernRealm(fields, level), serverNames)) as Partial<ServerInfo>;
}

const {realm_empty_topic_display_name: _name, ...defaults} = realmDefaults;
const initial: ServerInfo = {
  ...camelKeys(defaults),
  url: '',
  level: 0,
  abilities: serverFeatures(0),
  version: undefined,
  extraEmojiType: 'extra_emoji',
};

export const server: Slice<ServerInfo, 'restart'> = {
  initial,
  registered: fromSnapshot([...realmKeys, ...versionKeys], (snapshot, {url, level, extraEmojiType: type}) => ({
    ...initial,
    ...serverFromWire(snapshot, level),
    url,
    level,
    abilities: serverFeatures(level),
    version: serverVersion(snapshot),
    extraEmojiType: type ?? extraEmojiType(snapshot),
  })),
  saved: savedObject({url: 'string', level: 'number', extraEmojiType: 'string'}),
  appliers: {
    // The feature level stays that of the registration which the state came from: the update machine compares the two and
    // registers again when they differ.
    restart: (info, event) =>
      keepIfEqual(info, {
        ...info,
        version: serverVersion(event) ?? info.version,
        serverGeneration: event.server_generation ?? info.serverGeneration,
      }),
  },
};
