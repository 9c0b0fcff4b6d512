import type {ServerContext} from './context.ts';

/** The feature levels of Zulip's releases, and their major versions, newest first. */
const releases = [
  [500, 12],
  [421, 11],
  [371, 10],
  [277, 9],
  [237, 8],
  [185, 7],
  [157, 6],
  [122, 5],
] as const;

/** Returns the version that has a feature level: a release, or what was developed after it. */
function versionOfLevel(level: number): string {
  const [released, major] = releases.find(([first]) => first <= level) ?? [0, 4];
  return level === released ? `${major}.0+parley` : `${major + 1}.0-dev+parley`;
}

/** Returns the version fields of a registration and of `restart` events. */
export function versionFields({level}: Pick<ServerContext, 'level'>): Record<string, unknown> {
  const version = versionOfLevel(level);
  return {zulip_feature_level: level, zulip_version: version, zulip_merge_base: version};
}

/** Returns the version fields of the server's settings, each under its Zulip name and a neutral one. */
export function allVersionFields(server: Pick<ServerContext, 'level'>): Record<string, unknown> {
  const version = versionOfLevel(server.level);
  return {...versionFields(server), feature_level: server.level, server_version: version, merge_base: version};
}
