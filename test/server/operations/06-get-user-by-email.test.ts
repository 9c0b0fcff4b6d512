import {describe, expect, test} from 'vitest';
import type {Reply} from '#test/support/api-client.ts';
import type {Person} from '#test/support/people.ts';
import {endpoints} from '#wire/endpoints.ts';
import {expectValid, type OperationsFixture, operationsFixture, responseFields} from './operations-fixture.ts';

async function getUser(fixture: OperationsFixture, reader: Person, email: string, params: object = {}): Promise<Reply> {
  const reply = await fixture.as(reader).get(`/users/${encodeURIComponent(email)}`, {...params});
  expect(
    responseFields(expectValid(endpoints.getUserByEmail, reply)).filter((name) => !name.startsWith('ignored')),
  ).toEqual(['user']);
  return reply.user;
}

describe('6. get a user by email', () => {
  test('returns every field of a human user', async () => {
    const fixture = await operationsFixture();
    const user = await getUser(fixture, fixture.otto, fixture.meg.email, {client_gravatar: false});
    expect(user).toEqual({
      user_id: fixture.meg.id,
      delivery_email: fixture.meg.email,
      email: fixture.meg.email,
      full_name: fixture.meg.fullName,
      date_joined: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)$/),
      is_active: true,
      is_owner: false,
      is_admin: false,
      is_guest: false,
      is_bot: false,
      bot_type: null,
      role: 400,
      timezone: '',
      avatar_url: expect.stringContaining('https://'),
      avatar_version: expect.any(Number),
      is_imported_stub: false,
    });
  });

  test('returns every field of a bot: owner, type, and email at any visibility', async () => {
    const fixture = await operationsFixture();
    const user = await getUser(fixture, fixture.guest, fixture.bot.email, {
      include_custom_profile_fields: true,
    });
    expect(user).toMatchObject({
      is_bot: true,
      bot_type: 1,
      bot_owner_id: fixture.meg.id,
      delivery_email: fixture.bot.email,
      email: fixture.bot.email,
    });
    expect(user).not.toHaveProperty('profile_data');
  });

  test.each([
    ['owner', 100, {is_owner: true, is_admin: true, is_guest: false}],
    ['admin', 200, {is_owner: false, is_admin: true, is_guest: false}],
    ['moderator', 300, {is_owner: false, is_admin: false, is_guest: false}],
    ['guest', 600, {is_owner: false, is_admin: false, is_guest: true}],
  ] as const)('an %s has role %i', async (kind, role, flags) => {
    const fixture = await operationsFixture();
    expect(await getUser(fixture, fixture.meg, fixture[kind].email)).toMatchObject({role, ...flags});
  });

  test('a deactivated user is inactive, and is_deleted is absent unless true', async () => {
    const fixture = await operationsFixture();
    const deactivated = fixture.server.people.add('Gone Girl', {active: false});
    const user = await getUser(fixture, fixture.meg, deactivated.email);
    expect(user.is_active).toBe(false);
    expect(user).not.toHaveProperty('is_deleted');
  });

  test('date_joined is the creation time until the first login', async () => {
    const fixture = await operationsFixture();
    const account = {email: 'new@example.com', password: 'correct horse battery', full_name: 'Nia New'};
    await fixture.as(fixture.admin).post('/users', account);
    const createdAt = (await getUser(fixture, fixture.meg, account.email)).date_joined;
    expect(Date.parse(createdAt)).toBe(fixture.clock.now());
    fixture.clock.advance(86_400_000);
    expect((await getUser(fixture, fixture.meg, account.email)).date_joined).toBe(createdAt);
    const listener = await fixture.as(fixture.meg).listen({event_types: ['realm_user']});
    const login = {username: account.email, password: account.password};
    const {api_key, user_id} = await fixture.server.anonymous().post('/fetch_api_key', login);
    const joined = (await getUser(fixture, fixture.meg, account.email)).date_joined;
    expect(Date.parse(joined)).toBe(fixture.clock.now());
    expect(await listener.events()).toMatchObject([{op: 'update', person: {user_id, date_joined: joined}}]);
    fixture.clock.advance(86_400_000);
    expect((await fixture.server.anonymous().post('/fetch_api_key', login)).api_key).toBe(api_key);
    expect((await getUser(fixture, fixture.meg, account.email)).date_joined).toBe(joined);
  });

  test('stubs, deleted users and bots without an owner are marked as such', async () => {
    const fixture = await operationsFixture();
    const {db} = fixture.server.context;
    db.run('UPDATE user SET is_imported_stub = 1 WHERE id = ?', fixture.otto.id);
    db.run('UPDATE user SET is_active = 0, is_deleted = 1 WHERE id = ?', fixture.guest.id);
    db.run('UPDATE user SET bot_owner_id = NULL WHERE id = ?', fixture.bot.id);
    expect(await getUser(fixture, fixture.meg, fixture.otto.email)).toMatchObject({is_imported_stub: true});
    expect(await getUser(fixture, fixture.meg, fixture.guest.email)).toMatchObject({
      is_active: false,
      is_deleted: true,
    });
    expect(await getUser(fixture, fixture.meg, fixture.bot.email)).toMatchObject({
      is_bot: true,
      bot_owner_id: null,
    });
  });

  test('the URL of an uploaded avatar changes with its version', async () => {
    const fixture = await operationsFixture();
    const png = new Uint8Array(Buffer.from('\x89PNG\r\n\x1a\n and so on', 'latin1'));
    expect((await fixture.as(fixture.meg).upload('/users/me/avatar', 'me.png', png)).status).toBe(200);
    const {avatar_url, avatar_version} = await getUser(fixture, fixture.otto, fixture.meg.email);
    expect(avatar_url).toMatch(new RegExp(`\\?v=${avatar_version}$`));
  });

  test('avatar_url is null if the client can compute it, else text', async () => {
    const fixture = await operationsFixture();
    const hidden = fixture.server.people.add('Hidden Hal', {settings: {email_address_visibility: 4}});
    const dummy = `user${hidden.id}@${new URL(fixture.server.url).hostname}`;
    expect((await getUser(fixture, fixture.otto, fixture.meg.email)).avatar_url).toBeNull();
    expect((await getUser(fixture, fixture.otto, fixture.meg.email, {client_gravatar: true})).avatar_url).toBeNull();
    expect((await getUser(fixture, fixture.otto, fixture.meg.email, {client_gravatar: false})).avatar_url).toEqual(
      expect.any(String),
    );
    expect((await getUser(fixture, fixture.otto, dummy)).avatar_url).toEqual(expect.any(String));
  });

  test('profile_data is returned on request, with rendered Markdown', async () => {
    const fixture = await operationsFixture();
    const {id} = await fixture.as(fixture.owner).post('/realm/profile_fields', {name: 'About', field_type: 2});
    const {id: date} = await fixture.as(fixture.owner).post('/realm/profile_fields', {name: 'Birthday', field_type: 4});
    const data = [
      {id, value: '*me*'},
      {id: date, value: '2000-01-01'},
    ];
    await fixture.as(fixture.meg).patch('/users/me/profile_data', {data});
    expect(await getUser(fixture, fixture.otto, fixture.meg.email)).not.toHaveProperty('profile_data');
    const params = {include_custom_profile_fields: false};
    expect(await getUser(fixture, fixture.otto, fixture.meg.email, params)).not.toHaveProperty('profile_data');
    const {profile_data} = await getUser(fixture, fixture.otto, fixture.meg.email, {
      include_custom_profile_fields: true,
    });
    expect(profile_data).toEqual({
      [id]: {value: '*me*', rendered_value: expect.stringContaining('<em>me</em>')},
      [date]: {value: '2000-01-01'},
    });
    const nobody = await getUser(fixture, fixture.meg, fixture.otto.email, {
      include_custom_profile_fields: true,
    });
    expect(nobody.profile_data).toEqual({});
  });

  test.each([
    [1, ['owner', 'admin', 'moderator', 'meg', 'guest']],
    [2, ['owner', 'admin', 'moderator', 'meg']],
    [5, ['owner', 'admin', 'moderator']],
    [3, ['owner', 'admin']],
    [4, []],
  ])('visibility %i lets %j look up the real address', async (visibility, allowed) => {
    const fixture = await operationsFixture();
    const target = fixture.server.people.add('Tess Target', {
      settings: {email_address_visibility: visibility},
    });
    const dummy = `user${target.id}@${new URL(fixture.server.url).hostname}`;
    for (const kind of ['owner', 'admin', 'moderator', 'meg', 'guest'] as const) {
      const user = await getUser(fixture, fixture[kind], dummy);
      expect(user.email).toBe(visibility === 1 ? target.email : dummy);
      if (allowed.includes(kind)) {
        expect((await getUser(fixture, fixture[kind], target.email)).user_id).toBe(target.id);
        expect(user.delivery_email).toBe(target.email);
      } else {
        await fixture.as(fixture[kind]).refused('GET', `/users/${target.email}`, {}, {code: 'BAD_REQUEST'});
        expect(user.delivery_email).toBeNull();
      }
    }
    expect((await getUser(fixture, target, target.email)).delivery_email).toBe(target.email);
  });

  test('the address is case-insensitive', async () => {
    const fixture = await operationsFixture();
    expect((await getUser(fixture, fixture.otto, fixture.meg.email.toUpperCase())).user_id).toBe(fixture.meg.id);
  });

  test.each(['plus+tag@example.com', 'a/b@example.com', 'ünï@example.com', "o'hara%41@example.com"])(
    'the address %s works in a path',
    async (email) => {
      const fixture = await operationsFixture();
      const person = fixture.server.people.add('Odd Address', {email});
      expect((await getUser(fixture, fixture.meg, email)).user_id).toBe(person.id);
    },
  );

  test('an unknown address and a dummy address of another host are refused', async () => {
    const fixture = await operationsFixture();
    const refusal = {code: 'BAD_REQUEST'};
    await fixture.as(fixture.meg).refused('GET', '/users/nobody@example.com', {}, refusal);
    await fixture.as(fixture.meg).refused('GET', `/users/user${fixture.otto.id}@elsewhere.example`, {}, refusal);
    await fixture
      .as(fixture.meg)
      .refused('GET', `/users/user9999@${new URL(fixture.server.url).hostname}`, {}, refusal);
  });

  test('a limited guest finds only users who share a conversation', async () => {
    const fixture = await operationsFixture();
    fixture.server.people.setting('can_access_all_users_group', 3);
    await getUser(fixture, fixture.guest, fixture.meg.email);
    await fixture.as(fixture.guest).refused('GET', `/users/${fixture.outsider.email}`, {}, {code: 'BAD_REQUEST'});
  });

  test('malformed booleans are refused and unsupported parameters listed', async () => {
    const fixture = await operationsFixture();
    const path = `/users/${fixture.meg.email}`;
    await fixture.as(fixture.otto).refused('GET', path, {client_gravatar: 'maybe'}, {code: 'BAD_REQUEST'});
    await fixture.as(fixture.otto).refused('GET', path, {client_gravatar: 3}, {code: 'BAD_REQUEST'});
    const reply = await fixture.as(fixture.otto).get(path, {wibble: '1'});
    expect(reply.ignored_parameters_unsupported).toEqual(['wibble']);
  });
});
