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

const look = async (client: ApiClient, person: Person) => (await client.get(`/users/${person.id}`)).user;

async function field(at: OperationsFixture, type: number, extra: object = {}): Promise<number> {
  const params = {name: `Field ${type}`, field_type: type, ...extra};
  return (await at.as(at.owner).post('/realm/profile_fields', params)).id;
}

describe.each(ways)('%s', (_, path) => {
  test('changes the name and returns no extra fields', async () => {
    const at = await operationsFixture();
    const reply = await at.as(at.admin).patch(path(at.meg), {full_name: '  Margaret Member '});
    expect(expectValid(endpoints.updateUser, reply)).toEqual(envelopeOnly);
    expect((await look(at.as(at.otto), at.meg)).full_name).toBe('Margaret Member');
  });

  test('changes nothing without parameters, and lists those it does not support', async () => {
    const at = await operationsFixture();
    const before = await look(at.as(at.otto), at.meg);
    const reply = await at.as(at.admin).patch(path(at.meg), {is_admin: true});
    expect(reply.ignored_parameters_unsupported).toEqual(['is_admin']);
    expect(await look(at.as(at.otto), at.meg)).toEqual(before);
  });

  test('is for administrators only', async () => {
    const at = await operationsFixture();
    for (const person of [at.moderator, at.meg, at.otto, at.guest, at.bot]) {
      const reply = await at.as(person).raw('PATCH', path(at.meg), {full_name: 'Changed'});
      expect([reply.status, reply.body.code]).toEqual([400, 'UNAUTHORIZED_PRINCIPAL']);
    }
    await at.as(at.owner).patch(path(at.meg), {full_name: 'Changed'});
  });

  test.each([200, 300, 400, 600])('an administrator grants role %i', async (role) => {
    const at = await operationsFixture();
    const target = role === 400 ? at.moderator : at.meg;
    const listener = await at.as(at.otto).listen({event_types: ['realm_user']});
    await at.as(at.admin).patch(path(target), {role});
    expect((await look(at.as(at.otto), target)).role).toBe(role);
    expect((await listener.events()).map(withoutEventId)).toContainEqual({
      type: 'realm_user',
      op: 'update',
      person: {user_id: target.id, role},
    });
  });

  test('only owners grant and revoke the owner role', async () => {
    const at = await operationsFixture();
    const second = at.server.people.owner('Second Owner');
    const refusal = {code: 'UNAUTHORIZED_PRINCIPAL'};
    await at.as(at.admin).refused('PATCH', path(at.meg), {role: 100}, refusal);
    await at.as(at.admin).refused('PATCH', path(second), {role: 400}, refusal);
    await at.as(at.owner).patch(path(at.meg), {role: 100});
    expect(await look(at.as(at.otto), at.meg)).toMatchObject({role: 100, is_owner: true, is_admin: true});
    await at.as(at.owner).patch(path(second), {role: 400});
  });

  test('the only owner keeps the role', async () => {
    const at = await operationsFixture();
    at.server.people.add('Former Owner', {role: 100, active: false});
    const body = await at.as(at.owner).refused('PATCH', path(at.owner), {role: 200}, {code: 'BAD_REQUEST'});
    expect(body.msg).toMatch(/owner/);
    expect((await look(at.as(at.otto), at.owner)).role).toBe(100);
  });

  test.each([100, 200])('a guest cannot get role %i', async (role) => {
    const at = await operationsFixture();
    await at.as(at.owner).refused('PATCH', path(at.guest), {role}, {code: 'BAD_REQUEST'});
    await at.as(at.owner).patch(path(at.guest), {role: 400});
    await at.as(at.owner).patch(path(at.guest), {role});
  });

  test('invalid roles, names and addresses are refused', async () => {
    const at = await operationsFixture();
    const bad = [
      ...[0, 500, 700, 'owner', '1.5'].map((role) => ({role})),
      ...['', ' ', 'x'.repeat(101), 'a*b', 'a\0b'].map((full_name) => ({full_name})),
      ...['nonsense', '', at.otto.email].map((new_email) => ({new_email})),
    ];
    for (const params of bad) {
      const {status, body} = await at.as(at.owner).raw('PATCH', path(at.meg), params);
      expect([status, body.result], JSON.stringify(params)).toEqual([400, 'error']);
      expect(['BAD_REQUEST', 'INVALID_JSON']).toContain(body.code);
    }
  });

  test('writes profile values of every type; null clears', async () => {
    const at = await operationsFixture();
    const choices = {a: {text: 'First', order: '1'}, b: {text: 'Second', order: '2'}};
    const values: [number, string | number[], object?][] = [
      [1, 'short'],
      [2, 'long *text*'],
      [3, 'a', {field_data: choices}],
      [4, '2026-02-28'],
      [5, 'https://example.com/'],
      [6, [at.otto.id]],
      [7, 'meg', {field_data: {subtype: 'github'}}],
      [8, 'she/her'],
    ];
    const profile_data = [];
    for (const [type, value, extra] of values) profile_data.push({id: await field(at, type, extra), value});
    await at.as(at.admin).patch(path(at.meg), {profile_data});
    const read = async () => {
      const params = {include_custom_profile_fields: true};
      return (await at.as(at.otto).get(`/users/${at.meg.id}`, params)).user.profile_data;
    };
    const shown = await read();
    for (const {id, value} of profile_data) {
      expect(shown[id].value).toBe(typeof value === 'string' ? value : JSON.stringify(value));
    }
    const rendered = profile_data.filter(({id}) => 'rendered_value' in shown[id]).map(({id}) => id);
    expect(rendered).toEqual([profile_data[0]?.id, profile_data[1]?.id]);
    await at
      .as(at.admin)
      .patch(path(at.meg), {profile_data: profile_data.map(({id}) => ({id, value: null}))});
    expect(await read()).toEqual({});
  });

  test('invalid values and unknown fields are refused', async () => {
    const at = await operationsFixture();
    const refuse = async (type: number, value: unknown, extra?: object) => {
      const profile_data = [{id: await field(at, type, extra), value}];
      await at.as(at.admin).refused('PATCH', path(at.meg), {profile_data}, {code: 'BAD_REQUEST'});
    };
    await refuse(1, 'x'.repeat(51));
    await refuse(3, 'c', {field_data: {a: {text: 'First', order: '1'}}});
    await refuse(4, 'yesterday');
    await refuse(5, 'example');
    await refuse(6, [9999]);
    const unknown = {profile_data: [{id: 999, value: 'a'}]};
    await at.as(at.admin).refused('PATCH', path(at.meg), unknown, {code: 'BAD_REQUEST'});
    const noValue = {profile_data: [{id: 1}]};
    await at.as(at.admin).refused('PATCH', path(at.meg), noValue, {code: 'BAD_REQUEST'});
    await at.as(at.admin).refused('PATCH', path(at.meg), {profile_data: '[{'}, {code: 'INVALID_JSON'});
  });

  test('owners with the permission change the address, which works for login afterwards', async () => {
    const at = await operationsFixture();
    const second = at.server.people.owner('Second Owner');
    const change = {new_email: 'new@example.com'};
    await at.as(at.admin).refused('PATCH', path(at.meg), change, {code: 'UNAUTHORIZED_PRINCIPAL'});
    const only = {direct_members: [at.owner.id], direct_subgroups: []};
    at.server.people.setting('can_change_user_emails_group', only);
    await at.as(second).refused('PATCH', path(at.meg), change, {code: 'BAD_REQUEST'});
    await at.as(at.owner).patch(path(at.meg), change);
    expect((await look(at.as(at.otto), at.meg)).delivery_email).toBe('new@example.com');
    expect((await at.as({...at.meg, email: 'new@example.com'}).get('/users/me')).user_id).toBe(at.meg.id);
    expect((await at.as(at.meg).raw('GET', '/users/me')).status).toBe(401);
  });

  test('applies all changes or none', async () => {
    const at = await operationsFixture();
    const params = {full_name: 'Changed', role: 100};
    await at.as(at.admin).refused('PATCH', path(at.meg), params, {code: 'UNAUTHORIZED_PRINCIPAL'});
    expect((await look(at.as(at.otto), at.meg)).full_name).toBe(at.meg.fullName);
  });

  test('users who may see the user get one event per property', async () => {
    const at = await operationsFixture();
    const listeners = [await at.as(at.outsider).listen(), await at.as(at.meg).listen()];
    await at.as(at.admin).patch(path(at.meg), {full_name: 'Margaret', role: 300});
    for (const listener of listeners) {
      const people = (await eventsOf(listener, 'realm_user')).map(({person}) => person);
      expect(people).toHaveLength(2);
      expect(people).toContainEqual({user_id: at.meg.id, full_name: 'Margaret'});
      expect(people).toContainEqual({user_id: at.meg.id, role: 300});
    }
  });
});

describe('7. update a user', () => {
  test('an unknown user is refused', async () => {
    const at = await operationsFixture();
    await at.as(at.admin).refused('PATCH', '/users/9999', {full_name: 'X'}, {code: 'BAD_REQUEST'});
  });
});

describe('3. update a user by email', () => {
  test('accepts the dummy address of all users', async () => {
    const at = await operationsFixture();
    const hidden = at.server.people.add('Hidden Hal', {settings: {email_address_visibility: 4}});
    const host = new URL(at.server.url).hostname;
    await at.as(at.admin).patch(`/users/user${hidden.id}@${host}`, {full_name: 'Found'});
    expect((await look(at.as(at.otto), hidden)).full_name).toBe('Found');
  });

  test('accepts the real address only if it is visible to the requester', async () => {
    const at = await operationsFixture();
    const hidden = at.server.people.add('Hidden Hal', {settings: {email_address_visibility: 4}});
    const shown = at.server.people.add('Shown Sue', {settings: {email_address_visibility: 3}});
    const change = {full_name: 'Found'};
    await at.as(at.admin).refused('PATCH', `/users/${hidden.email}`, change, {code: 'BAD_REQUEST'});
    await at.as(at.admin).patch(`/users/${shown.email}`, change);
  });

  test('an unknown address is refused', async () => {
    const at = await operationsFixture();
    await at.as(at.admin).refused('PATCH', '/users/nobody@example.com', {}, {code: 'BAD_REQUEST'});
  });
});
