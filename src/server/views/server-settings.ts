import type {ServerContext} from '#server/context.ts';
import {organization} from '#server/permissions/has-permission.ts';
import {allowsSpectators} from '#server/permissions/spectator.ts';
import {allVersionFields} from '#server/version.ts';
import type {ServerSettings} from '#wire/objects/server-settings.ts';

/** The path of the organization's icon, which `web/icon.ts` serves. */
export const iconPath = '/static/images/organization-icon.svg';

export const externalLoginPath = '/accounts/login/social/saml/test';

const externalLogin = {
  name: 'saml:test',
  display_name: 'Harbor ID',
  display_icon: null,
  login_url: externalLoginPath,
  signup_url: externalLoginPath,
};

/** Returns which login methods exist: a password and, on a demo server, login without one (`dev`). */
export function authenticationMethods(server: ServerContext): Record<string, boolean> {
  return {
    password: server.externalLogin?.isOnly !== true,
    dev: server.demo,
    email: server.externalLogin?.isOnly !== true,
    ldap: false,
    remoteuser: false,
    github: false,
    gitlab: false,
    azuread: false,
    apple: false,
    google: false,
    discord: false,
    saml: server.externalLogin !== undefined,
    'openid connect': false,
  };
}

/** Returns the response of `GET /server_settings`, which needs no login. */
export function serverSettings(server: ServerContext): ServerSettings {
  const settings = organization({server});
  return {
    ...allVersionFields(server),
    authentication_methods: authenticationMethods(server),
    external_authentication_methods: server.externalLogin === undefined ? [] : [externalLogin],
    push_notifications_enabled: settings.push_notifications_enabled,
    is_incompatible: false,
    email_auth_enabled: server.externalLogin?.isOnly !== true,
    require_email_format_usernames: true,
    realm_url: server.url,
    realm_uri: server.url,
    realm_name: settings.name,
    realm_icon: iconPath,
    realm_description: server.renderer.descriptionHtml(settings.description),
    realm_web_public_access_enabled: allowsSpectators(server),
  };
}
