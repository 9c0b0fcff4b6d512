import {expect, test} from 'vitest';
import {ManualClock} from '#test/support/manual-clock.ts';
import {testServer} from '#test/support/server.ts';

const active = {status: 'active'};
const idle = {status: 'idle'};

async function setup() {
  const clock = new ManualClock();
  return {clock, ...(await testServer({clock}))};
}

test('presence: with an update id the response has the modern format', async () => {
  const {clock, people, as} = await setup();
  const meg = people.member();
  const otto = people.member('Otto Other');
  await as(otto).post('/users/me/presence', active);
  clock.advance(100_000);
  const reply = await as(meg).post('/users/me/presence', {...idle, last_update_id: -1});
  const now = clock.seconds();
  const joined = now - 100 - 86_400 * 30;
  expect(reply).toEqual({
    result: 'success',
    msg: '',
    server_timestamp: now,
    presence_last_update_id: 2,
    presences: {
      [otto.id]: {active_timestamp: now - 100, idle_timestamp: now - 100},
      [meg.id]: {active_timestamp: joined, idle_timestamp: now},
    },
  });
  const slim = await as(meg).post('/users/me/presence', {...idle, slim_presence: true});
  expect(slim.presences).toEqual(reply.presences);
});

test('presence: without an update id the response has the legacy format, keyed by address', async () => {
  const {clock, people, as} = await setup();
  const shy = people.add('Shy', {settings: {email_address_visibility: 4}});
  const {presences} = await as(shy).post('/users/me/presence', active);
  const entry = {client: 'website', status: 'active', timestamp: clock.seconds()};
  expect(presences).toEqual({
    [`user${shy.id}@127.0.0.1`]: {aggregated: entry, website: {...entry, pushable: false}},
  });
  clock.advance(71_000);
  const later = await as(shy).post('/users/me/presence', idle);
  expect(later.presences[`user${shy.id}@127.0.0.1`].website).toMatchObject({
    status: 'idle',
    timestamp: clock.seconds(),
  });
  const {presences: all, server_timestamp} = await as(shy).get('/realm/presence');
  expect(all).toEqual(later.presences);
  expect(server_timestamp).toBe(clock.now() / 1000);
});

test('presence: a last update id returns all newer updates, whatever their age', async () => {
  const {clock, people, as} = await setup();
  const meg = people.member();
  const otto = people.member('Otto Other');
  const first = await as(meg).post('/users/me/presence', {...active, last_update_id: -1});
  await as(otto).post('/users/me/presence', active);
  const second = await as(meg).post('/users/me/presence', {
    ...active,
    last_update_id: first.presence_last_update_id,
    history_limit_days: 0,
  });
  expect(Object.keys(second.presences)).toEqual([String(otto.id)]);
  const third = await as(meg).post('/users/me/presence', {
    ...active,
    last_update_id: second.presence_last_update_id,
  });
  expect(third).toMatchObject({presences: {}, presence_last_update_id: second.presence_last_update_id});
  clock.advance(1000);
});

test('presence: the history limit omits users not seen for long', async () => {
  const {clock, people, as} = await setup();
  const meg = people.member();
  const old = people.member('Old Friend');
  await as(old).post('/users/me/presence', active);
  clock.advance(20 * 86_400_000);
  const seen = async (params: object) => {
    const reply = await as(meg).post('/users/me/presence', {...active, last_update_id: -1, ...params});
    return Object.keys(reply.presences).map(Number);
  };
  expect(await seen({})).toEqual([meg.id]);
  expect(await seen({history_limit_days: 30})).toEqual([meg.id, old.id].sort());
  expect(await seen({last_update_id: 0, history_limit_days: 5})).toEqual([meg.id]);
});

test('presence: ping_only returns no presence data', async () => {
  const {people, as} = await setup();
  const meg = people.member();
  const reply = await as(meg).post('/users/me/presence', {...active, ping_only: true, last_update_id: 5});
  expect(reply).toEqual({result: 'success', msg: '', presence_last_update_id: 5});
  const all = await as(meg).post('/users/me/presence', {...idle, last_update_id: -1});
  expect(all.presence_last_update_id).toBe(1);
});

test('presence: reports within 55 seconds are written once, but becoming active always is', async () => {
  const {clock, people, as} = await setup();
  const meg = people.member();
  const report = async (params: object) =>
    (await as(meg).post('/users/me/presence', {...params, last_update_id: -1})).presence_last_update_id;
  expect(await report(idle)).toBe(1);
  clock.advance(30_000);
  expect(await report(idle)).toBe(1);
  expect(await report(active)).toBe(2);
  expect(await report(active)).toBe(2);
  clock.advance(55_000);
  expect(await report(active)).toBe(2);
  clock.advance(1000);
  expect(await report(active)).toBe(3);
});

test('presence: coming online is sent in each client’s format, staying online is not', async () => {
  const {clock, people, as} = await setup();
  const meg = people.member();
  const otto = people.member('Otto Other');
  const modern = await as(otto).listen({event_types: ['presence']});
  const legacy = await as(otto).listen({
    event_types: ['presence'],
    client_capabilities: {notification_settings_null: false},
  });
  await as(meg).post('/users/me/presence', active);
  const now = clock.seconds();
  expect(await modern.events()).toEqual([
    {id: 0, type: 'presence', presences: {[meg.id]: {active_timestamp: now, idle_timestamp: now}}},
  ]);
  expect(await legacy.events()).toEqual([
    {
      id: 0,
      type: 'presence',
      user_id: meg.id,
      email: meg.email,
      server_timestamp: now,
      presence: {website: {client: 'website', status: 'active', timestamp: now, pushable: false}},
    },
  ]);
  clock.advance(100_000);
  await as(meg).post('/users/me/presence', active);
  clock.advance(201_000);
  await as(meg).post('/users/me/presence', idle);
  expect(await modern.events()).toEqual([]);
  await as(meg).post('/users/me/presence', active);
  expect(await modern.events()).toHaveLength(1);
});

test('presence: an organization with more than 100 users sends no events', async () => {
  const {people, as} = await setup();
  const meg = people.member();
  for (let count = 0; count < 100; count++) people.member(`Person ${count}`);
  const listener = await as(meg).listen({event_types: ['presence']});
  await as(meg).post('/users/me/presence', active);
  expect(await listener.events()).toEqual([]);
});

test('presence: a user who stops sharing appears offline at once', async () => {
  const {clock, people, as} = await setup();
  const meg = people.member();
  const otto = people.member('Otto Other');
  await as(meg).post('/users/me/presence', active);
  const listener = await as(otto).listen({event_types: ['presence', 'user_status']});
  await as(meg).patch('/settings', {presence_enabled: false});
  const past = clock.seconds() - 320;
  expect(await listener.events()).toMatchObject([
    {type: 'presence', presences: {[meg.id]: {active_timestamp: past, idle_timestamp: past}}},
  ]);
  clock.advance(300_000);
  await as(meg).post('/users/me/presence', active);
  expect(await listener.events()).toEqual([]);
  const {presence} = await as(otto).get(`/users/${meg.id}/presence`);
  expect(presence.active_timestamp).toBe(past);
  expect((await as(otto).get(`/users/${meg.id}/status`)).status).toEqual({away: true});
  await as(meg).patch('/settings', {presence_enabled: true});
  expect(await listener.events()).toMatchObject([
    {type: 'presence', presences: {[meg.id]: {active_timestamp: clock.seconds()}}},
  ]);
});

test('presence: who stops sharing long after the last report does not appear as seen since', async () => {
  const {clock, people, as} = await setup();
  const [meg, otto] = [people.member(), people.member('Otto Other')];
  await as(meg).post('/users/me/presence', active);
  const seen = clock.seconds();
  clock.advance(7_200_000);
  await as(meg).patch('/settings', {presence_enabled: false});
  const {presence} = await as(otto).get(`/users/${meg.id}/presence`);
  expect(presence).toMatchObject({active_timestamp: seen, idle_timestamp: seen});
});

test('presence: the first report of somebody idle is sent, and a deactivated person is in no list', async () => {
  const {people, as} = await setup();
  const [meg, otto, admin] = [people.member(), people.member('Otto Other'), people.admin()];
  const listener = await as(otto).listen({event_types: ['presence']});
  await as(meg).post('/users/me/presence', idle);
  expect((await listener.events()).map(({presences}) => Object.keys(presences))).toEqual([[String(meg.id)]]);
  await as(admin).delete(`/users/${meg.id}`);
  expect((await as(otto).get('/realm/presence')).presences).toEqual({});
});

test('presence: an organization can disable presence', async () => {
  const {people, as} = await setup();
  const meg = people.member();
  people.setting('presence_disabled', true);
  const listener = await as(meg).listen({event_types: ['presence']});
  const reply = await as(meg).post('/users/me/presence', active);
  expect(reply).toMatchObject({presences: {}, presence_last_update_id: -1});
  expect(await listener.events()).toEqual([]);
});

test('presence: the presence of one user has both formats and becomes offline after a while', async () => {
  const {clock, people, as} = await setup();
  const meg = people.member();
  const otto = people.member('Otto Other');
  await as(meg).post('/users/me/presence', active);
  const at = clock.seconds();
  clock.advance(10_000);
  const fresh = await as(otto).get(`/users/${meg.email}/presence`);
  expect(fresh).toMatchObject({
    presence: {
      active_timestamp: at,
      idle_timestamp: at,
      website: {status: 'active', timestamp: at},
      aggregated: {status: 'active', timestamp: at},
    },
    server_timestamp: clock.now() / 1000,
  });
  clock.advance(200_000);
  const stale = await as(otto).get(`/users/${meg.id}/presence`);
  expect(stale.presence).toMatchObject({website: {status: 'active'}, aggregated: {status: 'offline'}});
});

test('presence: bots and users without a report have no presence', async () => {
  const {people, as} = await setup();
  const meg = people.member();
  const bot = people.bot('Beep', meg);
  const bad = {code: 'BAD_REQUEST'};
  const refusal = await as(bot).refused('POST', '/users/me/presence', {}, bad);
  expect(refusal.msg).toBe('This endpoint does not accept bot requests.');
  await as(bot).get('/realm/presence');
  const gone = people.add('Ian Inactive', {active: false});
  expect(await as(meg).refused('GET', `/users/${gone.id}/presence`, {}, bad)).toMatchObject({msg: 'No such user'});
  await as(meg).refused('GET', `/users/${bot.id}/presence`, {}, bad);
  await as(meg).refused('GET', `/users/${meg.id}/presence`, {}, bad);
  await as(meg).refused('GET', '/users/9999/presence', {}, bad);
  await as(meg).refused('GET', '/users/nobody@example.com/presence', {}, bad);
});

test('presence: an invalid status is refused', async () => {
  const {people, as} = await setup();
  const meg = as(people.member());
  const missing = await meg.refused('POST', '/users/me/presence', {}, {code: 'REQUEST_VARIABLE_MISSING'});
  expect(missing.var_name).toBe('status');
  const {msg} = await meg.refused('POST', '/users/me/presence', {status: 'asleep'}, {code: 'BAD_REQUEST'});
  expect(msg).toBe('Invalid status: asleep');
});

test('presence: a registration has the presences in the requested format', async () => {
  const {clock, people, as} = await setup();
  const meg = people.member();
  const fetch_event_types = ['presence'];
  const empty = await as(meg).post('/register', {fetch_event_types});
  expect(empty).toMatchObject({
    presences: {},
    presence_last_update_id: -1,
    server_timestamp: clock.now() / 1000,
  });
  await as(meg).post('/users/me/presence', active);
  const legacy = await as(meg).post('/register', {fetch_event_types});
  expect(legacy.presences[meg.email].aggregated.status).toBe('active');
  const slim = await as(meg).post('/register', {fetch_event_types, slim_presence: true});
  expect(slim).toMatchObject({
    presences: {[meg.id]: {active_timestamp: clock.seconds()}},
    presence_last_update_id: 1,
  });
  clock.advance(2 * 86_400_000);
  const short = await as(meg).post('/register', {fetch_event_types, presence_history_limit_days: 1});
  expect(short.presences).toEqual({});
});
