import {type Infer, nullableText, object, s} from '#wire/schema.ts';
import {versionFields} from './version.ts';

export const externalLogin = object(
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
