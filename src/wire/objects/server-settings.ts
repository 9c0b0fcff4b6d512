import type {FieldPatch} from '#wire/property-patch.ts';
import {type Infer, int, nullableText, object, s} from '#wire/schema.ts';

/** The two sets of names for the server's version: plain ones, and those of Zulip's own servers. */
export const versionFields = {
  feature_level: int,
  zulip_feature_level: int,
  server_version: s.string(),
  zulip_version: s.string(),
  merge_base: s.string(),
  zulip_merge_base: s.string(),
};

type VersionFields = FieldPatch<typeof versionFields>;

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

const externalLogin = object(
  {name: s.string(), display_name: s.string(), login_url: s.string()},
  {display_icon: nullableText, signup_url: s.string()},
);

/** The server settings. Old servers, and the root domain of a server with many organizations, omit keys. */
export const serverSettings = object(
  {},
  {
    ...versionFields,
    authentication_methods: s.record(s.string(), s.boolean()),
    external_authentication_methods: s.array(externalLogin),
    push_notifications_enabled: s.boolean(),
    is_incompatible: s.boolean(),
    email_auth_enabled: s.boolean(),
    require_email_format_usernames: s.boolean(),
    realm_url: s.string(),
    realm_uri: s.string(),
    realm_name: s.string(),
    realm_icon: s.string(),
    realm_description: s.string(),
    realm_web_public_access_enabled: s.boolean(),
  },
);
export type ServerSettings = Infer<typeof serverSettings>;

/** Returns the organization's canonical URL; the field is `realm_uri` below level 257. */
export function realmUrl(fields: {realm_url?: string | undefined; realm_uri?: string | undefined}) {
  return fields.realm_url ?? fields.realm_uri;
}
