import type {ServerContext} from './context.ts';

const serverVersion = '13.0-dev+parley';

/** Returns the version fields of a registration and of `restart` events. */
export function versionFields({level}: Pick<ServerContext, 'level'>): Record<string, unknown> {
  return {zulip_feature_level: level, zulip_version: serverVersion, zulip_merge_base: serverVersion};
}

/** Returns the version fields of the server's settings, each under its Zulip name and a neutral one. */
export function allVersionFields(server: Pick<ServerContext, 'level'>): Record<string, unknown> {
  return {
    ...versionFields(server),
    feature_level: server.level,
    server_version: serverVersion,
    merge_base: serverVersion,
  };
}
