import {pickFields} from '#state/model/pick-fields.ts';
import {type CamelKeys, camelKeys} from '#std/camel.ts';
import {limitFields, modernRealm, serverFields, type WireRealm} from '#wire/objects/realm.ts';
import type {ServerFeatures} from '#wire/server-features.ts';

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
export function serverFromWire(fields: WireRealm, level: number): Partial<ServerInfo> {
  return camelKeys(pickFields(modernRealm(fields, level), serverNames)) as Partial<ServerInfo>;
}
