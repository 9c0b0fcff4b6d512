import type {ServerContext} from './context.ts';

const serverVersion = '13.0-dev+parley';

/** Public and anonymised names side by side: clients read whichever they know. */
export function versionFields(world: Pick<ServerContext, 'level'>): Record<string, unknown> {
  return {
    zulip_feature_level: world.level,
    feature_level: world.level,
    zulip_version: serverVersion,
    server_version: serverVersion,
    zulip_merge_base: serverVersion,
    merge_base: serverVersion,
  };
}
