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

/** No part of the API hands out tokens: the provider does, in a browser. */
function giveToken(at: OperationsFixture, person: Person): void {
  at.server.context.db.run('UPDATE user SET video_token = 1 WHERE id = ?', person.id);
}

const hasToken = async (at: OperationsFixture, person: Person) => {
  const state = await at.as(person).post('/register', {fetch_event_types: ['video_calls']});
  return state.has_conference_token;
};

describe('21. create a video call', () => {
  test('returns a new meeting URL each time', async () => {
    const at = await operationsFixture();
    giveToken(at, at.meg);
    expect(await hasToken(at, at.meg)).toBe(true);
    const reply = await at.as(at.meg).post(path);
    expect(responseFields(expectValid(endpoints.createCall, reply))).toEqual(['url']);
    expect(URL.canParse(reply.url)).toBe(true);
    expect((await at.as(at.meg).post(path)).url).not.toBe(reply.url);
  });

  test('without a token it is refused, and the user’s sessions get the token event', async () => {
    const at = await operationsFixture();
    const [mine, ottos] = [await at.as(at.meg).listen(), await at.as(at.otto).listen()];
    expect(await hasToken(at, at.meg)).toBe(false);
    const refusal = {code: 'INVALID_VIDEO_CALL_PROVIDER_TOKEN', status: 400};
    await at.as(at.meg).refused('POST', path, {}, refusal);
    expect((await eventsOf(mine, 'has_conference_token')).map(withoutEventId)).toEqual([
      {type: 'has_conference_token', value: false},
    ]);
    expect(await ottos.events()).toEqual([]);
  });

  test('the organization must use the provider', async () => {
    const at = await operationsFixture();
    giveToken(at, at.meg);
    at.server.people.setting('video_chat_provider', 0);
    await at.as(at.meg).refused('POST', path, {}, {code: 'BAD_REQUEST'});
  });

  test('before level 493 the path is unknown', async () => {
    for (const [level, status] of [
      [492, 404],
      [493, 200],
    ] as const) {
      const at = await operationsFixture({level});
      giveToken(at, at.meg);
      expect((await at.as(at.meg).raw('POST', path)).status).toBe(status);
    }
  });

  test('another provider is refused; unsupported parameters are listed', async () => {
    const at = await operationsFixture();
    giveToken(at, at.meg);
    await at.as(at.meg).refused('POST', '/calls/carrier-pigeon/create', {}, {code: 'BAD_REQUEST'});
    expect((await at.as(at.meg).post(path, {wibble: '1'})).ignored_parameters_unsupported).toEqual([
      'wibble',
    ]);
  });
});
