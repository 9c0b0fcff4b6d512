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

const path = '/calls/conference/create';

/** Sets the token directly: the API has no endpoint for it, the provider sets it in a browser. */
function setVideoToken(fixture: OperationsFixture, person: Person): void {
  fixture.server.context.db.run('UPDATE user SET video_token = 1 WHERE id = ?', person.id);
}

const hasToken = async (fixture: OperationsFixture, person: Person) => {
  const state = await fixture.as(person).post('/register', {fetch_event_types: ['video_calls']});
  return state.has_conference_token;
};

describe('21. create a video call', () => {
  test('returns a new meeting URL each time', async () => {
    const fixture = await operationsFixture();
    setVideoToken(fixture, fixture.meg);
    expect(await hasToken(fixture, fixture.meg)).toBe(true);
    const reply = await fixture.as(fixture.meg).post(path);
    expect(responseFields(expectValid(endpoints.createCall, reply))).toEqual(['url']);
    expect(URL.canParse(reply.url)).toBe(true);
    expect((await fixture.as(fixture.meg).post(path)).url).not.toBe(reply.url);
  });

  test('without a token it is refused, and the user’s sessions get the token event', async () => {
    const fixture = await operationsFixture();
    const [mine, ottos] = [await fixture.as(fixture.meg).listen(), await fixture.as(fixture.otto).listen()];
    expect(await hasToken(fixture, fixture.meg)).toBe(false);
    const refusal = {code: 'INVALID_VIDEO_CALL_PROVIDER_TOKEN', status: 400};
    await fixture.as(fixture.meg).refused('POST', path, {}, refusal);
    expect((await eventsOf(mine, 'has_conference_token')).map(withoutEventId)).toEqual([
      {type: 'has_conference_token', value: false},
    ]);
    expect(await ottos.events()).toEqual([]);
  });

  test('the organization must use the provider', async () => {
    const fixture = await operationsFixture();
    setVideoToken(fixture, fixture.meg);
    fixture.server.people.setting('video_chat_provider', 0);
    await fixture.as(fixture.meg).refused('POST', path, {}, {code: 'BAD_REQUEST'});
  });

  test('before level 493 the path is unknown', async () => {
    for (const [level, status] of [
      [492, 404],
      [493, 200],
    ] as const) {
      const fixture = await operationsFixture({level});
      setVideoToken(fixture, fixture.meg);
      expect((await fixture.as(fixture.meg).raw('POST', path)).status).toBe(status);
    }
  });

  test('another provider is refused; unsupported parameters are listed', async () => {
    const fixture = await operationsFixture();
    setVideoToken(fixture, fixture.meg);
    await fixture.as(fixture.meg).refused('POST', '/calls/carrier-pigeon/create', {}, {code: 'BAD_REQUEST'});
    expect((await fixture.as(fixture.meg).post(path, {wibble: '1'})).ignored_parameters_unsupported).toEqual([
      'wibble',
    ]);
  });
});
