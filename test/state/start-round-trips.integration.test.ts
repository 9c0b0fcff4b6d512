import {expect, test} from 'vitest';
import type {Api} from '#api/api.ts';
import {narrowKey, topicNarrow} from '#state/model/narrow.ts';
import {restoreState} from '#state/persistence/persistence.ts';
import {systemClock} from '#std/clock.ts';
import {openAccountStore} from '#storage/open-account-store.ts';
import {clientOf} from '#test/api/client.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {hasMessage, type SessionFixture, sessionFixture, waitForState} from './session-fixture.ts';

const heldCalls = new Set(['getServerSettings', 'register', 'getMessages', 'getEvents']);

/** Returns Meg's API. The calls of a start wait until the test lets all of them go. */
function heldApi({server, meg}: SessionFixture) {
  const real = clientOf(server, meg);
  real.connection.level = 0;
  let held: {readonly name: string; readonly release: () => void}[] = [];
  let onCall = () => {};
  const made: string[] = [];
  const hold = (name: string) =>
    new Promise<void>((release) => {
      made.push(name);
      held.push({name, release});
      onCall();
    });
  const api = new Proxy(real, {
    get: (target, name: keyof Api) => {
      const call: unknown = target[name];
      if (typeof call !== 'function' || !heldCalls.has(name)) return call;
      return async (...args: unknown[]) => {
        await hold(name);
        return call(...args);
      };
    },
  });
  return {
    api,
    /** The calls so far. */
    made,
    /** Waits until all of these calls were made, without a response to any of them, and lets them go: one round trip. */
    roundTrip: (...names: string[]) =>
      new Promise<void>((resolve) => {
        onCall = () => {
          const waiting = held.map(({name}) => name);
          if (names.some((name) => waiting.filter((other) => other === name).length < count(names, name))) return;
          onCall = () => {};
          for (const {release} of held) release();
          held = [];
          resolve();
        };
        onCall();
      }),
  };
}

function count(names: readonly string[], name: string): number {
  return names.filter((other) => other === name).length;
}

test('start: with saved data, the view and the newest messages are there after two round trips', async () => {
  const fixture = await sessionFixture();
  const shown = await fixture.postMessage('hello');
  const {store} = openAccountStore({path: ':memory:', clock: systemClock, random: () => 0.5, log: () => {}});
  const first = fixture.session({store});
  first.start();
  await first.ready();
  await first.recentMessages();
  await first.stop();
  const other = await fixture.postMessage('elsewhere', 'other');

  const {api, roundTrip} = heldApi(fixture);
  const session = fixture.session({api, store, initial: restoreState(store), clock: new ManualClock()});
  const narrow = topicNarrow(fixture.channelId, 'talk');
  session.start();
  const opened = session.timelines.open(narrow);
  await waitForState(session, ({timelines}) => timelines.has(narrowKey(narrow)));
  session.timelines.keepOpen(narrow);
  await roundTrip('register');
  await roundTrip('getMessages', 'getMessages');
  await opened;
  const state = await waitForState(session, hasMessage(other));
  expect(state.connection.phase).toBe('online');
  expect(state.messages.byId.has(shown)).toBe(true);
});

test('start: without saved data, one more round trip asks for the settings', async () => {
  const fixture = await sessionFixture();
  const messageId = await fixture.postMessage('hello');
  const {api, roundTrip} = heldApi(fixture);
  const session = fixture.session({api, clock: new ManualClock()});
  session.start();
  await roundTrip('getServerSettings');
  await roundTrip('register');
  await roundTrip('getMessages', 'getEvents');
  await waitForState(session, hasMessage(messageId));
});

test('start: a view that is opened again while it loads is requested once', async () => {
  const fixture = await sessionFixture();
  await fixture.postMessage('hello');
  const {api, made, roundTrip} = heldApi(fixture);
  const session = fixture.session({api, clock: new ManualClock()});
  session.start();
  await roundTrip('getServerSettings');
  await roundTrip('register');
  await roundTrip('getMessages', 'getEvents');
  await session.recentMessages();
  made.length = 0;
  const narrow = topicNarrow(fixture.channelId, 'talk');
  const first = session.timelines.open(narrow);
  await expect.poll(() => made).toEqual(['getMessages']);
  const second = session.timelines.open(narrow);
  await waitForState(session, ({timelines}) => timelines.has(narrowKey(narrow)));
  await roundTrip('getMessages');
  await Promise.all([first, second]);
  expect(made).toEqual(['getMessages']);
});
