import type {ServerContext} from './context.ts';

const serverVersion = '13.0-dev+parley';

/** Returns the version fields of responses, each under its Zulip name and a neutral one: clients read either. */
export function versionFields(server: Pick<ServerContext, 'level'>): Record<string, unknown> {
  return {
    zulip_feature_level: server.level,
    feature_level: server.level,
    zulip_version: serverVersion,
    server_version: serverVersion,
    zulip_merge_base: serverVersion,
    merge_base: serverVersion,
  };
}
