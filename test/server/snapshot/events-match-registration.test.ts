import {expect, test} from 'vitest';
import type {Reply} from '#test/support/api-client.ts';
import {type TestServer, testServer} from '#test/support/server.ts';

type Users = Map<number, Reply>;

/** Returns the users of a registration as a client stores them. */
function usersOf({realm_users, realm_non_active_users}: Reply): Users {
  const active = realm_users.map((user: Reply) => ({...user, is_active: true}));
  const inactive = realm_non_active_users.map((user: Reply) => ({...user, is_active: false}));
  return new Map([...active, ...inactive].map((user) => [user.user_id, user]));
}

/** Leaves out the addresses of generated avatars: events have them also for clients whose lists have null. */
function withoutGravatars(users: Users): Users {
  const shown = (url: string | null) => (url?.startsWith('https://secure.gravatar.com/') === true ? null : url);
  return new Map([...users].map(([id, user]) => [id, {...user, avatar_url: shown(user.avatar_url)}]));
}

/** Applies an event as every client does. */
function applyUserEvent(users: Users, {op, person}: Reply): void {
  if (op === 'add') users.set(person.user_id, person);
  if (op === 'remove') users.delete(person.user_id);
  const user = users.get(person.user_id);
  if (op !== 'update' || user === undefined) return;
  const {new_email, custom_profile_field: field, ...rest} = person;
  delete rest.avatar_source;
  delete rest.avatar_url_medium;
  Object.assign(user, rest);
  if (new_email !== undefined) user.email = new_email;
  if (person.role !== undefined) {
    user.is_owner = person.role <= 100;
    user.is_admin = person.role <= 200;
    user.is_guest = person.role >= 600;
  }
  if (field === undefined) return;
  const {id, ...value} = field;
  if (value.value === null) delete user.profile_data[id];
  else user.profile_data[id] = value;
}

interface Scene {
  readonly server: TestServer;
  readonly owner: ReturnType<TestServer['as']>;
  readonly meg: ReturnType<TestServer['as']>;
  readonly megId: number;
  readonly shyId: number;
  readonly shy: ReturnType<TestServer['as']>;
}

const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

const actions: Record<string, (setup: Scene) => Promise<unknown>> = {
  'a new account': ({owner}) =>
    owner.post('/users', {email: 'new@example.com', password: 'correct horse', full_name: 'New'}),
  'a new name': ({owner, megId}) => owner.patch(`/users/${megId}`, {full_name: 'Margaret'}),
  'a new role': ({owner, megId}) => owner.patch(`/users/${megId}`, {role: 200}),
  'becoming a guest': ({owner, megId}) => owner.patch(`/users/${megId}`, {role: 600}),
  'a new address': ({owner, megId}) => owner.patch(`/users/${megId}`, {new_email: 'm@example.com'}),
  'a new hidden address': ({owner, shyId}) => owner.patch(`/users/${shyId}`, {new_email: 's@example.com'}),
  'hiding an address': ({meg}) => meg.patch('/settings', {email_address_visibility: 4}),
  'showing an address': ({shy}) => shy.patch('/settings', {email_address_visibility: 1}),
  'a time zone': ({meg}) => meg.patch('/settings', {timezone: 'Asia/Tokyo'}),
  'a picture': ({meg}) => meg.upload('/users/me/avatar', 'me.png', png),
  'no picture': async ({meg}) => {
    await meg.upload('/users/me/avatar', 'me.png', png);
    await meg.delete('/users/me/avatar');
  },
  'profile data': ({meg, megId}) =>
    meg.patch('/users/me/profile_data', {
      data: [
        {id: 1, value: 'Pilot'},
        {id: 2, value: [megId]},
      ],
    }),
  leaving: ({owner, megId}) => owner.delete(`/users/${megId}`),
  'leaving for good': ({owner, shyId}) => owner.delete(`/users/${shyId}`, {actions: {delete_profile: true}}),
};

test.each(Object.keys(actions))('%s: applying the events gives the state of a new registration', async (name) => {
  const server = await testServer();
  const {people, as, context} = server;
  context.db.run(`INSERT INTO profile_field (id, name, type, sort_order) VALUES (1, 'Job', 1, 1), (2, 'Boss', 6, 2)`);
  const owner = people.owner();
  const meg = people.member();
  const shy = people.add('Shy', {settings: {email_address_visibility: 3}});
  const setup = {server, owner: as(owner), meg: as(meg), megId: meg.id, shyId: shy.id, shy: as(shy)};
  const readers = [people.admin(), people.moderator(), people.guest()].flatMap((person) =>
    [true, false].map((client_gravatar) => ({person, client_gravatar})),
  );
  const register = ({person, client_gravatar}: (typeof readers)[number]) =>
    as(person).listen({client_gravatar, fetch_event_types: ['realm_user'], event_types: ['realm_user']});
  const listeners = await Promise.all(readers.map(register));
  await actions[name]?.(setup);
  for (const [at, listener] of listeners.entries()) {
    const users = usersOf(listener.state);
    const events = await listener.events();
    for (const event of events) applyUserEvent(users, event);
    const reader = readers[at];
    const fresh = reader === undefined ? undefined : await register(reader);
    const compared = reader?.client_gravatar === true ? withoutGravatars : (given: Users) => given;
    expect(compared(users), JSON.stringify(reader)).toEqual(compared(usersOf(fresh?.state ?? {})));
    if (at === 0) expect(events.length).toBeGreaterThan(0);
  }
});
