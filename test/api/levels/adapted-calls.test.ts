import {expect, test} from 'vitest';
import {endpointCallContext, endpointCalls} from '#test/api/endpoint-calls.ts';
import {fewOf} from '#test/support/tier.ts';
import type {Endpoint} from '#wire/endpoint.ts';
import {type EndpointName, endpoints} from '#wire/endpoints.ts';
import {isApiFailure} from '#wire/failure.ts';

/** Endpoints that work on servers older than their own level, from this level on. */
const fromLevel: Partial<Record<EndpointName, number>> = {
  updateFlagsForNarrow: 0,
  setUserTopic: 0,
  getChannelEmail: 0,
  createChannel: 0,
  updateUserByEmail: 0,
  deactivateGroup: 0,
  getBotApiKey: 0,
  sendEditTyping: 351,
};

/** Calls that the embedded server rejects, and those that newer servers do not have. */
function isRejectedByServer(name: EndpointName, level: number): boolean {
  const {until}: Pick<Endpoint, 'until'> = endpoints[name];
  if (until !== undefined && level >= until) return true;
  if (name === 'getChannelEmail') return level >= 226;
  return name === 'createBigBlueButtonCall' || (name === 'createCall' && level < 493);
}

test('adapted calls: the test calls every endpoint once', () => {
  expect(endpointCalls.map(([name]) => name).sort()).toEqual(Object.keys(endpoints).sort());
});

test.each(fewOf([122, 277, 371, 509]))(
  'adapted calls: at level %i every endpoint works, or fails before a request is sent',
  async (level) => {
    const context = await endpointCallContext(level);
    const outcomes: Record<string, string> = {};
    const expected: Record<string, string> = {};
    for (const [name, call] of endpointCalls) {
      const {since}: Pick<Endpoint, 'since'> = endpoints[name];
      const works = level >= (fromLevel[name] ?? since);
      expected[name] = works ? (isRejectedByServer(name, level) ? 'refused' : 'works') : 'too old';
      outcomes[name] = await call(context).then(
        () => 'works',
        (error: unknown) => {
          if (!isApiFailure(error)) throw error;
          if (error.kind !== 'permanent') return `${error.kind}: ${error.message}`;
          if (error.code === 'SERVER_TOO_OLD' && error.status === undefined) return 'too old';
          return isRejectedByServer(name, level) ? 'refused' : `${error.code}: ${error.message}`;
        },
      );
    }
    expect(outcomes).toEqual(expected);
    expect(context.api.connection.level).toBe(level);
  },
);
