import {describe, expect, test} from 'vitest';
import {endpoints} from '#wire/endpoints.ts';
import {
  envelopeOnly,
  eventsOf,
  expectValid,
  type OperationsFixture,
  operationsFixture,
  withoutEventId,
} from './operations-fixture.ts';

const switches = [
  'pin_to_top',
  'desktop_notifications',
  'audible_notifications',
  'push_notifications',
  'email_notifications',
  'wildcard_mentions_notify',
] as const;

const settingsPath = (channel: number) => `/users/me/subscriptions/${channel}`;

async function getSubscription(fixture: OperationsFixture) {
  const {subscriptions} = await fixture.as(fixture.meg).get('/users/me/subscriptions');
  return subscriptions.find((sub: {stream_id: number}) => sub.stream_id === fixture.general);
}

describe('11. update a subscription setting', () => {
  test.each(switches)('%s accepts true and false and sends one event', async (property) => {
    const fixture = await operationsFixture();
    const [mine, ottos] = [await fixture.as(fixture.meg).listen(), await fixture.as(fixture.otto).listen()];
    for (const value of [true, false]) {
      const reply = await fixture.as(fixture.meg).patch(settingsPath(fixture.general), {property, value});
      expect(expectValid(endpoints.updateSubscription, reply)).toEqual(envelopeOnly);
      expect((await getSubscription(fixture))[property]).toBe(value);
      const event = {type: 'subscription', op: 'update', stream_id: fixture.general, property, value};
      expect((await mine.events()).map(withoutEventId)).toEqual([event]);
    }
    expect(await ottos.events()).toEqual([]);
  });

  test.each([
    ['is_muted', true, true],
    ['is_muted', false, false],
    ['in_home_view', false, true],
    ['in_home_view', true, false],
  ])('%s = %s sends two events, one for each name, in every session', async (property, value, muted) => {
    const fixture = await operationsFixture();
    await fixture.as(fixture.meg).patch(settingsPath(fixture.general), {property: 'is_muted', value: !muted});
    const sessions = [await fixture.as(fixture.meg).listen(), await fixture.as(fixture.meg).listen()];
    const others = await fixture.as(fixture.otto).listen();
    await fixture.as(fixture.meg).patch(settingsPath(fixture.general), {property, value});
    expect(await getSubscription(fixture)).toMatchObject({is_muted: muted, in_home_view: !muted});
    for (const session of sessions) {
      const events = (await eventsOf(session, 'subscription')).map(withoutEventId);
      expect(events).toHaveLength(2);
      const base = {type: 'subscription', op: 'update', stream_id: fixture.general};
      expect(events).toContainEqual({...base, property: 'is_muted', value: muted});
      expect(events).toContainEqual({...base, property: 'in_home_view', value: !muted});
    }
    expect(await others.events()).toEqual([]);
  });

  test.each(['#c2c2c2', '"#c2c2c2"', '#C2C2C2'])('color accepts %j', async (value) => {
    const fixture = await operationsFixture();
    const mine = await fixture.as(fixture.meg).listen();
    await fixture.as(fixture.meg).patch(settingsPath(fixture.general), {property: 'color', value});
    const {color} = await getSubscription(fixture);
    expect(color.toLowerCase()).toBe('#c2c2c2');
    expect(await mine.events()).toMatchObject([{property: 'color', value: color}]);
  });

  test('values of a wrong type and unknown properties are refused', async () => {
    const fixture = await operationsFixture();
    const before = await getSubscription(fixture);
    const bad = [
      ['color', 'red'],
      ['color', '#12345'],
      ['color', 'true'],
      ['color', '123456'],
      ['pin_to_top', 'yes'],
      ['pin_to_top', '1'],
      ['is_muted', '#c2c2c2'],
      ['name', 'x'],
      ['role', 'true'],
    ];
    for (const [property, value] of bad) {
      const {status, body} = await fixture
        .as(fixture.meg)
        .raw('PATCH', settingsPath(fixture.general), {property, value});
      expect([status, body.code], `${property} = ${value}`).toEqual([400, 'BAD_REQUEST']);
    }
    expect(await getSubscription(fixture)).toEqual(before);
  });

  test.each(['property', 'value'])('%s is required', async (name) => {
    const fixture = await operationsFixture();
    const params = {property: 'pin_to_top', value: true, [name]: undefined};
    const refusal = {code: 'REQUEST_VARIABLE_MISSING'};
    const body = await fixture.as(fixture.meg).refused('PATCH', settingsPath(fixture.general), params, refusal);
    expect(body.var_name).toBe(name);
  });

  test('a channel without a subscription is refused', async () => {
    const fixture = await operationsFixture();
    const other = fixture.server.people.channel('other', [fixture.otto]);
    const params = {property: 'pin_to_top', value: true};
    for (const channel of [other, 9999]) {
      await fixture.as(fixture.meg).refused('PATCH', settingsPath(channel), params, {code: 'BAD_REQUEST'});
    }
  });

  test('unsupported parameters are listed', async () => {
    const fixture = await operationsFixture();
    const params = {property: 'pin_to_top', value: true, wibble: '1'};
    const reply = await fixture.as(fixture.meg).patch(settingsPath(fixture.general), params);
    expect(reply.ignored_parameters_unsupported).toEqual(['wibble']);
  });
});
