import type {ServerContext} from '#server/context.ts';
import {organization} from '#server/permissions/has-permission.ts';
import {versionFields} from '#server/version.ts';
import type {ServerSettings} from '#wire/objects/server-settings.ts';

export const iconPath = '/static/images/organization-icon.svg';

/** Which ways in exist; only a password and, in the demo, none at all. */
export function authenticationMethods(world: ServerContext): Record<string, boolean> {
  return {
    password: true,
    dev: world.demo,
    email: true,
    ldap: false,
    remoteuser: false,
    github: false,
    gitlab: false,
    azuread: false,
    apple: false,
    google: false,
    discord: false,
    saml: false,
    'openid connect': false,
  };
}

/** Whether anybody may look in without an account: the organization allows it and a channel is open to the web. */
export function webPublicAccess(world: ServerContext): boolean {
  if (!organization({world}).enable_spectator_access) return false;
  const open = 'SELECT 1 FROM channel WHERE is_web_public = 1 AND is_archived = 0 LIMIT 1';
  return world.db.get(open) !== undefined;
}

export function serverSettings(world: ServerContext): ServerSettings {
  const settings = organization({world});
  return {
    ...versionFields(world),
    authentication_methods: authenticationMethods(world),
    external_authentication_methods: [],
    push_notifications_enabled: settings.push_notifications_enabled,
    is_incompatible: false,
    email_auth_enabled: true,
    require_email_format_usernames: true,
    realm_url: world.url,
    realm_uri: world.url,
    realm_name: settings.name,
    realm_icon: iconPath,
    realm_description: world.renderer.descriptionHtml(settings.description),
    realm_web_public_access_enabled: webPublicAccess(world),
  };
}
