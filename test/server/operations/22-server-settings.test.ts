import {describe, expect, test} from 'vitest';
import {endpoints} from '#wire/endpoints.ts';
import {expectValid, type OperationsFixture, operationsFixture, responseFields} from './operations-fixture.ts';

const getServerSettings = async (fixture: OperationsFixture) =>
  expectValid(endpoints.getServerSettings, await fixture.server.anonymous().get('/server_settings'));

describe('22. get server settings', () => {
  test('returns every field without credentials', async () => {
    const fixture = await operationsFixture();
    const settings = await getServerSettings(fixture);
    expect(responseFields(settings)).toEqual([
      'authentication_methods',
      'email_auth_enabled',
      'external_authentication_methods',
      'feature_level',
      'is_incompatible',
      'merge_base',
      'push_notifications_enabled',
      'realm_description',
      'realm_icon',
      'realm_name',
      'realm_uri',
      'realm_url',
      'realm_web_public_access_enabled',
      'require_email_format_usernames',
      'server_version',
      'zulip_feature_level',
      'zulip_merge_base',
      'zulip_version',
    ]);
    expect(settings).toMatchObject({
      feature_level: 509,
      zulip_feature_level: 509,
      server_version: expect.stringMatching(/\d/),
      merge_base: expect.any(String),
      push_notifications_enabled: false,
      is_incompatible: false,
      email_auth_enabled: true,
      require_email_format_usernames: true,
      realm_url: fixture.server.url,
      realm_uri: fixture.server.url,
      realm_name: expect.any(String),
      realm_icon: expect.any(String),
      realm_description: expect.any(String),
      realm_web_public_access_enabled: false,
      external_authentication_methods: [],
    });
    expect(settings.zulip_version).toBe(settings.server_version);
    expect(settings.zulip_merge_base).toBe(settings.merge_base);
  });

  test('authentication_methods has a boolean per method', async () => {
    const {authentication_methods: methods} = await getServerSettings(await operationsFixture());
    const names = ['password', 'dev', 'email', 'ldap', 'remoteuser', 'saml', 'openid connect'];
    const providers = ['github', 'gitlab', 'azuread', 'apple', 'google', 'discord'];
    expect(Object.keys(methods).sort()).toEqual([...names, ...providers].sort());
    expect(Object.values(methods).every((value) => typeof value === 'boolean')).toBe(true);
    expect(methods.password).toBe(true);
  });

  test('level and version equal those of the registration', async () => {
    const fixture = await operationsFixture();
    const [settings, state] = [
      await getServerSettings(fixture),
      await fixture.as(fixture.meg).post('/register', {fetch_event_types: []}),
    ];
    const {zulip_feature_level: feature_level, zulip_version: server_version, zulip_merge_base: merge_base} = state;
    expect(settings).toMatchObject({feature_level, server_version, merge_base, zulip_feature_level: feature_level});
  });

  test('name and description are the organization’s, the description as HTML', async () => {
    const fixture = await operationsFixture();
    await fixture.as(fixture.admin).patch('/realm', {name: 'Ship', description: 'A *fine* crew'});
    expect(await getServerSettings(fixture)).toMatchObject({
      realm_name: 'Ship',
      realm_description: expect.stringContaining('<em>fine</em>'),
    });
  });

  test('the icon is served', async () => {
    const fixture = await operationsFixture();
    const {realm_icon} = await getServerSettings(fixture);
    const icon = await fetch(new URL(realm_icon, fixture.server.url));
    expect(icon.status).toBe(200);
    await icon.arrayBuffer();
  });

  test('web-public access is enabled if it is allowed and a web-public channel exists', async () => {
    const fixture = await operationsFixture();
    fixture.server.people.setting('enable_spectator_access', true);
    expect((await getServerSettings(fixture)).realm_web_public_access_enabled).toBe(false);
    fixture.server.people.channel('open', [fixture.meg], {is_web_public: 1});
    expect((await getServerSettings(fixture)).realm_web_public_access_enabled).toBe(true);
    fixture.server.people.setting('enable_spectator_access', false);
    expect((await getServerSettings(fixture)).realm_web_public_access_enabled).toBe(false);
  });

  test('credentials are ignored; unsupported parameters are listed', async () => {
    const fixture = await operationsFixture();
    await fixture.as({...fixture.meg, apiKey: 'wrong'}).get('/server_settings');
    const reply = await fixture.server.anonymous().get('/server_settings', {wibble: '1'});
    expect(reply.ignored_parameters_unsupported).toEqual(['wibble']);
  });
});
