import type {ServerContext} from '#server/context.ts';
import {organization} from '#server/permissions/has-permission.ts';
import {allowsSpectators} from '#server/permissions/spectator.ts';
import {allVersionFields} from '#server/version.ts';
import type {ServerSettings} from '#wire/objects/server-settings.ts';
import {organizationImage} from './organization-items.ts';

export const externalLoginPath = '/accounts/login/social/saml/test';

const externalLogin = {
  name: 'saml:test',
  display_name: 'Harbor ID',
  display_icon: null,
  login_url: externalLoginPath,
  signup_url: externalLoginPath,
};

/** Returns which login methods the organization allows: a password, and login without one (`Dev`). */
export function allowedMethods(server: ServerContext): Readonly<Record<'Dev' | 'Email', boolean>> {
  const allowed = organization({server}).authentication_methods;
  return allowed === null
    ? {Dev: server.demo, Email: true}
    : {Dev: allowed.Dev === true, Email: allowed.Email === true};
}

/** Returns the login methods of the server for its administrators. Only demo servers have the login without a password. */
export function authenticationMethodStates(server: ServerContext) {
  const {Dev, Email} = allowedMethods(server);
  return {
    Dev: {enabled: Dev, available: server.demo},
    Email: {enabled: Email, available: server.externalLogin?.isOnly !== true},
  };
}

/** Returns which login methods people can use. */
export function authenticationMethods(server: ServerContext) {
  const {Dev, Email} = authenticationMethodStates(server);
  const hasPassword = Email.enabled && Email.available;
  return {
    password: hasPassword,
    dev: Dev.enabled && Dev.available,
    email: hasPassword,
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
    email_auth_enabled: authenticationMethods(server).email,
    require_email_format_usernames: true,
    realm_url: server.url,
    realm_uri: server.url,
    realm_name: settings.name,
    realm_icon: organizationImage(settings, 'icon').url,
    realm_description: server.renderer.descriptionHtml(settings.description),
    realm_web_public_access_enabled: allowsSpectators(server),
  };
}
