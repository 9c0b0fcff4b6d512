import {describe, expect, test} from 'vitest';
import type {ApiClient} from '#test/support/api-client.ts';
import type {Person} from '#test/support/people.ts';
import {endpoints} from '#wire/endpoints.ts';
import {
  envelopeOnly,
  eventsOf,
  expectValid,
  type OperationsFixture,
  operationsFixture,
  withoutEventId,
} from './operations-fixture.ts';

const ways = [
  ['3. update a user by email', (person: Person) => `/users/${encodeURIComponent(person.email)}`],
  ['7. update a user', (person: Person) => `/users/${person.id}`],
] as const;

const getUser = async (client: ApiClient, person: Person) => (await client.get(`/users/${person.id}`)).user;

async function createField(fixture: OperationsFixture, type: number, extra: object = {}): Promise<number> {
  const params = {name: `Field ${type}`, field_type: type, ...extra};
  return (await fixture.as(fixture.owner).post('/realm/profile_fields', params)).id;
}

describe.each(ways)('%s', (_, path) => {
  test('changes the name and returns no extra fields', async () => {
    const fixture = await operationsFixture();
    const reply = await fixture.as(fixture.admin).patch(path(fixture.meg), {full_name: '  Margaret Member '});
    expect(expectValid(endpoints.updateUser, reply)).toEqual(envelopeOnly);
    expect((await getUser(fixture.as(fixture.otto), fixture.meg)).full_name).toBe('Margaret Member');
  });

  test('changes nothing without parameters, and lists those it does not support', async () => {
    const fixture = await operationsFixture();
    const before = await getUser(fixture.as(fixture.otto), fixture.meg);
    const reply = await fixture.as(fixture.admin).patch(path(fixture.meg), {is_admin: true});
    expect(reply.ignored_parameters_unsupported).toEqual(['is_admin']);
    expect(await getUser(fixture.as(fixture.otto), fixture.meg)).toEqual(before);
  });

  test('is for administrators only', async () => {
    const fixture = await operationsFixture();
    for (const person of [fixture.moderator, fixture.meg, fixture.otto, fixture.guest, fixture.bot]) {
      const reply = await fixture.as(person).raw('PATCH', path(fixture.meg), {full_name: 'Changed'});
      expect([reply.status, reply.body.code]).toEqual([400, 'BAD_REQUEST']);
    }
    await fixture.as(fixture.owner).patch(path(fixture.meg), {full_name: 'Changed'});
  });

  test.each([200, 300, 400, 600])('an administrator grants role %i', async (role) => {
    const fixture = await operationsFixture();
    const target = role === 400 ? fixture.moderator : fixture.meg;
    const listener = await fixture.as(fixture.otto).listen({event_types: ['realm_user']});
    await fixture.as(fixture.admin).patch(path(target), {role});
    expect((await getUser(fixture.as(fixture.otto), target)).role).toBe(role);
    expect((await listener.events()).map(withoutEventId)).toContainEqual({
      type: 'realm_user',
      op: 'update',
      person: {user_id: target.id, role},
    });
  });

  test('only owners grant and revoke the owner role', async () => {
    const fixture = await operationsFixture();
    const second = fixture.server.people.owner('Second Owner');
    const refusal = {code: 'UNAUTHORIZED_PRINCIPAL'};
    await fixture.as(fixture.admin).refused('PATCH', path(fixture.meg), {role: 100}, refusal);
    await fixture.as(fixture.admin).refused('PATCH', path(second), {role: 400}, refusal);
    await fixture.as(fixture.owner).patch(path(fixture.meg), {role: 100});
    expect(await getUser(fixture.as(fixture.otto), fixture.meg)).toMatchObject({
      role: 100,
      is_owner: true,
      is_admin: true,
    });
    await fixture.as(fixture.owner).patch(path(second), {role: 400});
  });

  test('the only owner keeps the role', async () => {
    const fixture = await operationsFixture();
    fixture.server.people.add('Former Owner', {role: 100, active: false});
    const body = await fixture
      .as(fixture.owner)
      .refused('PATCH', path(fixture.owner), {role: 200}, {code: 'BAD_REQUEST'});
    expect(body.msg).toMatch(/owner/);
    expect((await getUser(fixture.as(fixture.otto), fixture.owner)).role).toBe(100);
  });

  test.each([100, 200])('a guest cannot get role %i', async (role) => {
    const fixture = await operationsFixture();
    await fixture.as(fixture.owner).refused('PATCH', path(fixture.guest), {role}, {code: 'BAD_REQUEST'});
    await fixture.as(fixture.owner).patch(path(fixture.guest), {role: 400});
    await fixture.as(fixture.owner).patch(path(fixture.guest), {role});
  });

  test('invalid roles, names and addresses are refused', async () => {
    const fixture = await operationsFixture();
    const bad = [
      ...[0, 500, 700, 'owner', '1.5'].map((role) => ({role})),
      ...['', ' ', 'x'.repeat(101), 'a*b', 'a\0b'].map((full_name) => ({full_name})),
      ...['nonsense', '', fixture.otto.email].map((new_email) => ({new_email})),
    ];
    for (const params of bad) {
      const {status, body} = await fixture.as(fixture.owner).raw('PATCH', path(fixture.meg), params);
      expect([status, body.result], JSON.stringify(params)).toEqual([400, 'error']);
      expect(body.code).toBe('BAD_REQUEST');
    }
  });

  test('writes profile values of every type; null clears', async () => {
    const fixture = await operationsFixture();
    const choices = {a: {text: 'First', order: '1'}, b: {text: 'Second', order: '2'}};
    const values: [number, string | number[], object?][] = [
      [1, 'short'],
      [2, 'long *text*'],
      [3, 'a', {field_data: choices}],
      [4, '2026-02-28'],
      [5, 'https://example.com/'],
      [6, [fixture.otto.id]],
      [7, 'meg', {field_data: {subtype: 'github'}}],
      [8, 'she/her'],
    ];
    const profile_data = [];
    for (const [type, value, extra] of values) profile_data.push({id: await createField(fixture, type, extra), value});
    await fixture.as(fixture.admin).patch(path(fixture.meg), {profile_data});
    const read = async () => {
      const params = {include_custom_profile_fields: true};
      return (await fixture.as(fixture.otto).get(`/users/${fixture.meg.id}`, params)).user.profile_data;
    };
    const shown = await read();
    for (const {id, value} of profile_data) {
      expect(shown[id].value).toBe(typeof value === 'string' ? value : JSON.stringify(value));
    }
    const rendered = profile_data.filter(({id}) => 'rendered_value' in shown[id]).map(({id}) => id);
    expect(rendered).toEqual([profile_data[0]?.id, profile_data[1]?.id]);
    await fixture
      .as(fixture.admin)
      .patch(path(fixture.meg), {profile_data: profile_data.map(({id}) => ({id, value: null}))});
    expect(await read()).toEqual({});
  });

  test('invalid values and unknown fields are refused', async () => {
    const fixture = await operationsFixture();
    const refuse = async (type: number, value: unknown, extra?: object) => {
      const profile_data = [{id: await createField(fixture, type, extra), value}];
      await fixture.as(fixture.admin).refused('PATCH', path(fixture.meg), {profile_data}, {code: 'BAD_REQUEST'});
    };
    await refuse(1, 'x'.repeat(51));
    await refuse(3, 'c', {field_data: {a: {text: 'First', order: '1'}}});
    await refuse(4, 'yesterday');
    await refuse(5, 'example');
    await refuse(6, [9999]);
    const unknown = {profile_data: [{id: 999, value: 'a'}]};
    await fixture.as(fixture.admin).refused('PATCH', path(fixture.meg), unknown, {code: 'BAD_REQUEST'});
    const noValue = {profile_data: [{id: 1}]};
    await fixture.as(fixture.admin).refused('PATCH', path(fixture.meg), noValue, {code: 'BAD_REQUEST'});
    await fixture.as(fixture.admin).refused('PATCH', path(fixture.meg), {profile_data: '[{'}, {code: 'BAD_REQUEST'});
  });

  test('owners with the permission change the address, which works for login afterwards', async () => {
    const fixture = await operationsFixture();
    const second = fixture.server.people.owner('Second Owner');
    const change = {new_email: 'new@example.com'};
    await fixture.as(fixture.admin).refused('PATCH', path(fixture.meg), change, {code: 'UNAUTHORIZED_PRINCIPAL'});
    const only = {direct_members: [fixture.owner.id], direct_subgroups: []};
    fixture.server.people.setting('can_change_user_emails_group', only);
    await fixture.as(second).refused('PATCH', path(fixture.meg), change, {code: 'BAD_REQUEST'});
    await fixture.as(fixture.owner).patch(path(fixture.meg), change);
    expect((await getUser(fixture.as(fixture.otto), fixture.meg)).delivery_email).toBe('new@example.com');
    expect((await fixture.as({...fixture.meg, email: 'new@example.com'}).get('/users/me')).user_id).toBe(
      fixture.meg.id,
    );
    expect((await fixture.as(fixture.meg).raw('GET', '/users/me')).status).toBe(401);
  });

  test('applies all changes or none', async () => {
    const fixture = await operationsFixture();
    const params = {full_name: 'Changed', role: 100};
    await fixture.as(fixture.admin).refused('PATCH', path(fixture.meg), params, {code: 'UNAUTHORIZED_PRINCIPAL'});
    expect((await getUser(fixture.as(fixture.otto), fixture.meg)).full_name).toBe(fixture.meg.fullName);
  });

  test('users who may see the user get one event per property', async () => {
    const fixture = await operationsFixture();
    const listeners = [await fixture.as(fixture.outsider).listen(), await fixture.as(fixture.meg).listen()];
    await fixture.as(fixture.admin).patch(path(fixture.meg), {full_name: 'Margaret', role: 300});
    for (const listener of listeners) {
      const people = (await eventsOf(listener, 'realm_user')).map(({person}) => person);
      expect(people).toHaveLength(2);
      expect(people).toContainEqual({user_id: fixture.meg.id, full_name: 'Margaret'});
      expect(people).toContainEqual({user_id: fixture.meg.id, role: 300});
    }
  });
});

describe('7. update a user', () => {
  test('an unknown user is refused', async () => {
    const fixture = await operationsFixture();
    await fixture.as(fixture.admin).refused('PATCH', '/users/9999', {full_name: 'X'}, {code: 'BAD_REQUEST'});
  });
});

describe('3. update a user by email', () => {
  test('accepts the dummy address of all users', async () => {
    const fixture = await operationsFixture();
    const hidden = fixture.server.people.add('Hidden Hal', {settings: {email_address_visibility: 4}});
    const host = new URL(fixture.server.url).hostname;
    await fixture.as(fixture.admin).patch(`/users/user${hidden.id}@${host}`, {full_name: 'Found'});
    expect((await getUser(fixture.as(fixture.otto), hidden)).full_name).toBe('Found');
  });

  test('accepts the real address only if it is visible to the requester', async () => {
    const fixture = await operationsFixture();
    const hidden = fixture.server.people.add('Hidden Hal', {settings: {email_address_visibility: 4}});
    const shown = fixture.server.people.add('Shown Sue', {settings: {email_address_visibility: 3}});
    const change = {full_name: 'Found'};
    await fixture.as(fixture.admin).refused('PATCH', `/users/${hidden.email}`, change, {code: 'BAD_REQUEST'});
    await fixture.as(fixture.admin).patch(`/users/${shown.email}`, change);
  });

  test('an unknown address is refused', async () => {
    const fixture = await operationsFixture();
    await fixture.as(fixture.admin).refused('PATCH', '/users/nobody@example.com', {}, {code: 'BAD_REQUEST'});
  });
});
