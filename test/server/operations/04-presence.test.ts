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

async function report(at: OperationsFixture, person: Person, params: object = {}) {
  return expectValid(endpoints.updatePresence, await at.as(person).post(path, {status: 'active', ...params}));
}

describe('4. update your presence: response', () => {
  test('has the modern format with last_update_id', async () => {
    const at = await operationsFixture();
    await report(at, at.otto, {ping_only: true});
    const reply = await report(at, at.meg, {last_update_id: -1});
    expect(responseFields(reply)).toEqual(['presence_last_update_id', 'presences', 'server_timestamp']);
    const now = at.clock.seconds();
    const here = {active_timestamp: now, idle_timestamp: now};
    expect(reply.presences).toEqual({[at.meg.id]: here, [at.otto.id]: here});
    expect(reply.server_timestamp).toBe(now);
    expect(reply.presence_last_update_id).toBeGreaterThan(0);
  });

  test('has the modern format with slim_presence and no last_update_id', async () => {
    const at = await operationsFixture();
    const reply = await report(at, at.meg, {slim_presence: true});
    expect(Object.keys(reply.presences)).toEqual([String(at.meg.id)]);
    expect(reply.presence_last_update_id).toBeGreaterThan(0);
  });

  test.each([{}, {slim_presence: false}])('has the legacy format otherwise: %j', async (params) => {
    const at = await operationsFixture();
    const hidden = at.server.people.add('Hidden Hal', {settings: {email_address_visibility: 4}});
    await report(at, hidden, {status: 'idle', ping_only: true});
    const reply = await report(at, at.meg, params);
    const dummy = `user${hidden.id}@${new URL(at.server.url).hostname}`;
    const timestamp = at.clock.seconds();
    const active = {client: 'website', status: 'active', timestamp};
    const idle = {client: 'website', status: 'idle', timestamp};
    expect(reply.presences).toEqual({
      [at.meg.email]: {aggregated: active, website: {...active, pushable: false}},
      [dummy]: {aggregated: idle, website: {...idle, pushable: false}},
    });
  });

  test('ping_only reports presence and returns no data', async () => {
    const at = await operationsFixture();
    expect(await report(at, at.meg, {ping_only: true})).toEqual({
      result: 'success',
      msg: '',
      presence_last_update_id: -1,
    });
    const known = await report(at, at.meg, {ping_only: true, last_update_id: 7});
    expect(responseFields(known)).toEqual(['presence_last_update_id']);
    expect(known.presence_last_update_id).toBe(7);
    const seen = await report(at, at.otto, {last_update_id: -1});
    expect(seen.presences).toHaveProperty(String(at.meg.id));
  });

  test('later requests return only newer updates; an equal id means none', async () => {
    const at = await operationsFixture();
    await report(at, at.otto, {ping_only: true});
    const first = await report(at, at.meg, {last_update_id: -1});
    const second = await report(at, at.meg, {last_update_id: first.presence_last_update_id});
    expect(second.presences).toEqual({});
    expect(second.presence_last_update_id).toBe(first.presence_last_update_id);
    at.clock.advance(60_000);
    await report(at, at.otto, {ping_only: true});
    const third = await report(at, at.guest, {last_update_id: first.presence_last_update_id});
    expect(Object.keys(third.presences).map(Number).sort()).toEqual([at.otto.id, at.guest.id].sort());
    expect(third.presence_last_update_id).toBeGreaterThan(first.presence_last_update_id);
  });

  test('the last id is -1 without data, such as with presence disabled', async () => {
    const at = await operationsFixture();
    at.server.people.setting('presence_disabled', true);
    expect(await report(at, at.meg)).toMatchObject({presence_last_update_id: -1, presences: {}});
    const polled = await report(at, at.meg, {last_update_id: 5});
    expect(polled).toMatchObject({presence_last_update_id: 5, presences: {}});
  });

  test('unsupported parameters are listed', async () => {
    const at = await operationsFixture();
    expect((await report(at, at.meg, {wibble: '1'})).ignored_parameters_unsupported).toEqual(['wibble']);
  });
});

describe('4. update your presence: parameters', () => {
  test('active and idle update their timestamps', async () => {
    const at = await operationsFixture();
    await report(at, at.meg);
    const first = at.clock.seconds();
    at.clock.advance(600_000);
    const reply = await report(at, at.meg, {status: 'idle', last_update_id: -1, new_user_input: true});
    expect(reply.presences[at.meg.id]).toEqual({active_timestamp: first, idle_timestamp: at.clock.seconds()});
    const legacy = await report(at, at.meg, {status: 'idle', new_user_input: false});
    expect(legacy.presences[at.meg.email].website).toMatchObject({
      status: 'idle',
      timestamp: at.clock.seconds(),
    });
  });

  test('a missing or unknown status is refused', async () => {
    const at = await operationsFixture();
    const missing = {code: 'REQUEST_VARIABLE_MISSING'};
    expect((await at.as(at.meg).refused('POST', path, {}, missing)).var_name).toBe('status');
    await at.as(at.meg).refused('POST', path, {status: 'offline'}, {code: 'BAD_REQUEST'});
  });

  test('history_limit_days defaults to 14 and is ignored with a positive last_update_id', async () => {
    const at = await operationsFixture();
    await report(at, at.otto, {ping_only: true});
    await report(at, at.guest, {ping_only: true});
    const {presence_last_update_id: known} = await report(at, at.guest, {last_update_id: -1});
    at.clock.advance(13 * day);
    const seen = async (params: object) =>
      Object.keys((await report(at, at.meg, params)).presences).map(Number);
    expect(await seen({last_update_id: -1})).toContain(at.otto.id);
    expect(await seen({last_update_id: -1, history_limit_days: 12})).not.toContain(at.otto.id);
    at.clock.advance(2 * day);
    expect(await seen({last_update_id: -1})).not.toContain(at.otto.id);
    expect(await seen({last_update_id: 0})).not.toContain(at.otto.id);
    expect(await seen({last_update_id: -1, history_limit_days: 30})).toContain(at.otto.id);
    expect(await seen({slim_presence: true})).not.toContain(at.otto.id);
    expect(await seen({last_update_id: known - 1, history_limit_days: 1})).toContain(at.guest.id);
  });

  test.each([{last_update_id: 'x'}, {ping_only: 'perhaps'}, {history_limit_days: 'x'}])(
    '%j is malformed',
    async (params) => {
      const at = await operationsFixture();
      await at.as(at.meg).refused('POST', path, {status: 'active', ...params}, {code: 'INVALID_JSON'});
    },
  );
});

describe('4. update your presence: visibility', () => {
  test('bots have no presence', async () => {
    const at = await operationsFixture();
    await at.as(at.bot).refused('POST', path, {status: 'active'}, {code: 'BAD_REQUEST'});
  });

  test('a user in invisible mode is not listed', async () => {
    const at = await operationsFixture();
    const shy = at.server.people.add('Shy Sal', {settings: {presence_enabled: false}});
    await report(at, shy);
    const {presences} = await report(at, at.meg, {last_update_id: -1});
    expect(presences).not.toHaveProperty(String(shy.id));
  });

  test('a limited viewer gets presences and events only of visible users', async () => {
    const at = await operationsFixture();
    at.server.people.setting('can_access_all_users_group', 3);
    const listener = await at.as(at.guest).listen({event_types: ['presence']});
    await report(at, at.outsider);
    await report(at, at.meg);
    const {presences} = await report(at, at.guest, {last_update_id: -1});
    expect(Object.keys(presences).map(Number).sort()).toEqual([at.meg.id, at.guest.id].sort());
    const told = (await listener.events()).flatMap((event) => Object.keys(event.presences).map(Number));
    expect(told).not.toContain(at.outsider.id);
    expect(told).toContain(at.meg.id);
  });

  test('coming online is sent to other users in their queue’s format', async () => {
    const at = await operationsFixture();
    const modern = await at.as(at.otto).listen();
    const legacy = await at.as(at.otto).listen({client_capabilities: {}});
    await report(at, at.meg);
    const now = at.clock.seconds();
    expect((await eventsOf(modern, 'presence')).map(withoutEventId)).toEqual([
      {type: 'presence', presences: {[at.meg.id]: {active_timestamp: now, idle_timestamp: now}}},
    ]);
    expect((await eventsOf(legacy, 'presence')).map(withoutEventId)).toEqual([
      {
        type: 'presence',
        user_id: at.meg.id,
        email: at.meg.email,
        server_timestamp: now,
        presence: {website: {client: 'website', status: 'active', timestamp: now, pushable: false}},
      },
    ]);
    await report(at, at.meg);
    expect(await modern.events()).toEqual([]);
  });
});
