import {describe, expect, test} from 'vitest';
import type {Person} from '#test/support/people.ts';
import {endpoints} from '#wire/endpoints.ts';
import {
  eventsOf,
  expectValid,
  type OperationsFixture,
  operationsFixture,
  responseFields,
  withoutEventId,
} from './operations-fixture.ts';

const path = '/users/me/presence';
const day = 86_400_000;

async function reportPresence(fixture: OperationsFixture, person: Person, params: object = {}) {
  return expectValid(endpoints.updatePresence, await fixture.as(person).post(path, {status: 'active', ...params}));
}

describe('4. update your presence: response', () => {
  test('has the modern format with last_update_id', async () => {
    const fixture = await operationsFixture();
    await reportPresence(fixture, fixture.otto, {ping_only: true});
    const reply = await reportPresence(fixture, fixture.meg, {last_update_id: -1});
    expect(responseFields(reply)).toEqual(['presence_last_update_id', 'presences', 'server_timestamp']);
    const now = fixture.clock.seconds();
    const here = {active_timestamp: now, idle_timestamp: now};
    expect(reply.presences).toEqual({[fixture.meg.id]: here, [fixture.otto.id]: here});
    expect(reply.server_timestamp).toBe(now);
    expect(reply.presence_last_update_id).toBeGreaterThan(0);
  });

  test('has the modern format with slim_presence and no last_update_id', async () => {
    const fixture = await operationsFixture();
    const reply = await reportPresence(fixture, fixture.meg, {slim_presence: true});
    expect(Object.keys(reply.presences)).toEqual([String(fixture.meg.id)]);
    expect(reply.presence_last_update_id).toBeGreaterThan(0);
  });

  test.each([{}, {slim_presence: false}])('has the legacy format otherwise: %j', async (params) => {
    const fixture = await operationsFixture();
    const hidden = fixture.server.people.add('Hidden Hal', {settings: {email_address_visibility: 4}});
    await reportPresence(fixture, hidden, {status: 'idle', ping_only: true});
    const reply = await reportPresence(fixture, fixture.meg, params);
    const dummy = `user${hidden.id}@${new URL(fixture.server.url).hostname}`;
    const timestamp = fixture.clock.seconds();
    const active = {client: 'website', status: 'active', timestamp};
    const idle = {client: 'website', status: 'idle', timestamp};
    expect(reply.presences).toEqual({
      [fixture.meg.email]: {aggregated: active, website: {...active, pushable: false}},
      [dummy]: {aggregated: idle, website: {...idle, pushable: false}},
    });
  });

  test('ping_only reports presence and returns no data', async () => {
    const fixture = await operationsFixture();
    expect(await reportPresence(fixture, fixture.meg, {ping_only: true})).toEqual({
      result: 'success',
      msg: '',
      presence_last_update_id: -1,
    });
    const known = await reportPresence(fixture, fixture.meg, {ping_only: true, last_update_id: 7});
    expect(responseFields(known)).toEqual(['presence_last_update_id']);
    expect(known.presence_last_update_id).toBe(7);
    const visibleIds = await reportPresence(fixture, fixture.otto, {last_update_id: -1});
    expect(visibleIds.presences).toHaveProperty(String(fixture.meg.id));
  });

  test('later requests return only newer updates; an equal id means none', async () => {
    const fixture = await operationsFixture();
    await reportPresence(fixture, fixture.otto, {ping_only: true});
    const first = await reportPresence(fixture, fixture.meg, {last_update_id: -1});
    const second = await reportPresence(fixture, fixture.meg, {
      last_update_id: first.presence_last_update_id,
    });
    expect(second.presences).toEqual({});
    expect(second.presence_last_update_id).toBe(first.presence_last_update_id);
    fixture.clock.advance(60_000);
    await reportPresence(fixture, fixture.otto, {ping_only: true});
    const third = await reportPresence(fixture, fixture.guest, {
      last_update_id: first.presence_last_update_id,
    });
    expect(Object.keys(third.presences).map(Number).sort()).toEqual([fixture.otto.id, fixture.guest.id].sort());
    expect(third.presence_last_update_id).toBeGreaterThan(first.presence_last_update_id);
  });

  test('the last id is -1 without data, such as with presence disabled', async () => {
    const fixture = await operationsFixture();
    fixture.server.people.setting('presence_disabled', true);
    expect(await reportPresence(fixture, fixture.meg)).toMatchObject({
      presence_last_update_id: -1,
      presences: {},
    });
    const polled = await reportPresence(fixture, fixture.meg, {last_update_id: 5});
    expect(polled).toMatchObject({presence_last_update_id: 5, presences: {}});
  });

  test('unsupported parameters are listed', async () => {
    const fixture = await operationsFixture();
    expect((await reportPresence(fixture, fixture.meg, {wibble: '1'})).ignored_parameters_unsupported).toEqual([
      'wibble',
    ]);
  });
});

describe('4. update your presence: parameters', () => {
  test('active and idle update their timestamps', async () => {
    const fixture = await operationsFixture();
    await reportPresence(fixture, fixture.meg);
    const first = fixture.clock.seconds();
    fixture.clock.advance(600_000);
    const reply = await reportPresence(fixture, fixture.meg, {
      status: 'idle',
      last_update_id: -1,
      new_user_input: true,
    });
    expect(reply.presences[fixture.meg.id]).toEqual({
      active_timestamp: first,
      idle_timestamp: fixture.clock.seconds(),
    });
    const legacy = await reportPresence(fixture, fixture.meg, {status: 'idle', new_user_input: false});
    expect(legacy.presences[fixture.meg.email].website).toMatchObject({
      status: 'idle',
      timestamp: fixture.clock.seconds(),
    });
  });

  test('a missing or unknown status is refused', async () => {
    const fixture = await operationsFixture();
    const missing = {code: 'REQUEST_VARIABLE_MISSING'};
    expect((await fixture.as(fixture.meg).refused('POST', path, {}, missing)).var_name).toBe('status');
    await fixture.as(fixture.meg).refused('POST', path, {status: 'offline'}, {code: 'BAD_REQUEST'});
  });

  test('history_limit_days defaults to 14 and is ignored with a positive last_update_id', async () => {
    const fixture = await operationsFixture();
    await reportPresence(fixture, fixture.otto, {ping_only: true});
    await reportPresence(fixture, fixture.guest, {ping_only: true});
    const {presence_last_update_id: known} = await reportPresence(fixture, fixture.guest, {
      last_update_id: -1,
    });
    fixture.clock.advance(13 * day);
    const visibleIds = async (params: object) =>
      Object.keys((await reportPresence(fixture, fixture.meg, params)).presences).map(Number);
    expect(await visibleIds({last_update_id: -1})).toContain(fixture.otto.id);
    expect(await visibleIds({last_update_id: -1, history_limit_days: 12})).not.toContain(fixture.otto.id);
    fixture.clock.advance(2 * day);
    expect(await visibleIds({last_update_id: -1})).not.toContain(fixture.otto.id);
    expect(await visibleIds({last_update_id: 0})).not.toContain(fixture.otto.id);
    expect(await visibleIds({last_update_id: -1, history_limit_days: 30})).toContain(fixture.otto.id);
    expect(await visibleIds({slim_presence: true})).not.toContain(fixture.otto.id);
    expect(await visibleIds({last_update_id: known - 1, history_limit_days: 1})).toContain(fixture.guest.id);
  });

  test.each([{last_update_id: 'x'}, {ping_only: 'perhaps'}, {history_limit_days: 'x'}])(
    '%j is malformed',
    async (params) => {
      const fixture = await operationsFixture();
      await fixture.as(fixture.meg).refused('POST', path, {status: 'active', ...params}, {code: 'BAD_REQUEST'});
    },
  );
});

describe('4. update your presence: visibility', () => {
  test('bots have no presence', async () => {
    const fixture = await operationsFixture();
    await fixture.as(fixture.bot).refused('POST', path, {status: 'active'}, {code: 'BAD_REQUEST'});
  });

  test('a user in invisible mode is not listed', async () => {
    const fixture = await operationsFixture();
    const shy = fixture.server.people.add('Shy Sal', {settings: {presence_enabled: false}});
    await reportPresence(fixture, shy);
    const {presences} = await reportPresence(fixture, fixture.meg, {last_update_id: -1});
    expect(presences).not.toHaveProperty(String(shy.id));
  });

  test('a limited viewer gets presences and events only of visible users', async () => {
    const fixture = await operationsFixture();
    fixture.server.people.setting('can_access_all_users_group', 3);
    const listener = await fixture.as(fixture.guest).listen({event_types: ['presence']});
    await reportPresence(fixture, fixture.outsider);
    await reportPresence(fixture, fixture.meg);
    const {presences} = await reportPresence(fixture, fixture.guest, {last_update_id: -1});
    expect(Object.keys(presences).map(Number).sort()).toEqual([fixture.meg.id, fixture.guest.id].sort());
    const userIds = (await listener.events()).flatMap((event) => Object.keys(event.presences).map(Number));
    expect(userIds).not.toContain(fixture.outsider.id);
    expect(userIds).toContain(fixture.meg.id);
  });

  test('coming online is sent to other users in their queue’s format', async () => {
    const fixture = await operationsFixture();
    const modern = await fixture.as(fixture.otto).listen();
    const legacy = await fixture.as(fixture.otto).listen({client_capabilities: {notification_settings_null: false}});
    await reportPresence(fixture, fixture.meg);
    const now = fixture.clock.seconds();
    expect((await eventsOf(modern, 'presence')).map(withoutEventId)).toEqual([
      {type: 'presence', presences: {[fixture.meg.id]: {active_timestamp: now, idle_timestamp: now}}},
    ]);
    expect((await eventsOf(legacy, 'presence')).map(withoutEventId)).toEqual([
      {
        type: 'presence',
        user_id: fixture.meg.id,
        email: fixture.meg.email,
        server_timestamp: now,
        presence: {website: {client: 'website', status: 'active', timestamp: now, pushable: false}},
      },
    ]);
    await reportPresence(fixture, fixture.meg);
    expect(await modern.events()).toEqual([]);
  });
});
