import type {FieldPatch} from '#wire/property-patch.ts';
import {int, s} from '#wire/schema.ts';

/** The two sets of names for the server's version: plain ones, and those of Zulip's own servers. */
export const versionFields = {
  feature_level: int,
  zulip_feature_level: int,
  server_version: s.string(),
  zulip_version: s.string(),
  merge_base: s.string(),
  zulip_merge_base: s.string(),
};

export type VersionFields = FieldPatch<typeof versionFields>;

/** Returns the feature level; 0 for a server that is older than feature levels. */
export function featureLevel(fields: VersionFields): number {
  return fields.feature_level ?? fields.zulip_feature_level ?? 0;
}

export function serverVersion(fields: VersionFields): string | undefined {
  return fields.server_version ?? fields.zulip_version;
}

export function mergeBase(fields: VersionFields): string | undefined {
  return fields.merge_base ?? fields.zulip_merge_base;
}

/** Returns the type of the built-in extra emoji for new reactions on this server. */
export function extraEmojiType(fields: VersionFields): 'extra_emoji' | 'zulip_extra_emoji' {
  return fields.feature_level === undefined && fields.zulip_feature_level !== undefined
    ? 'zulip_extra_emoji'
    : 'extra_emoji';
}
