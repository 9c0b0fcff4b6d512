import type {Api} from '#api/api.ts';
import {Cache} from '#state/cache.ts';
import type {SessionContext} from '#state/session-context.ts';
import type {AccountState} from '#state/state.ts';
import {openAccountStore} from '#storage/open-account-store.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import * as eg from '#test/support/state-builders.ts';

export interface FakeApiFixture {
  readonly clock: ManualClock;
  readonly context: SessionContext;
  readonly cache: Cache;
  /** Every request: the name of the endpoint and its arguments. */
  readonly calls: [name: string, args: object][];
  /** The response to the next request; an error to fail with. */
  reply: unknown;
}

/** Returns an online account with a server that responds at once and a clock that stands still. */
export function fakeApiFixture(slices: Partial<AccountState> = {}, isExploring = false): FakeApiFixture {
  const clock = new ManualClock();
  const cache = new Cache(eg.state({connection: {phase: 'online'}, ...slices}));
  const calls: [string, object][] = [];
  const call = (name: string) => async (args: object) => {
    calls.push([name, args]);
    if (fixture.reply instanceof Error) throw fixture.reply;
    return fixture.reply;
  };
  const names = ['updatePresence', 'getRealmPresence', 'sendTyping', 'sendEditTyping'];
  const {store} = openAccountStore({path: ':memory:', clock, random: () => 0, log: () => {}});
  const fixture: FakeApiFixture = {
    clock,
    cache,
    calls,
    reply: {presences: {}},
    context: {
      // Only the endpoints that presence and typing call.
      api: Object.fromEntries(names.map((name) => [name, call(name)])) as unknown as Api,
      cache,
      store,
      clock,
      random: () => 0,
      log: () => {},
      queueId: () => 'q',
      signal: new AbortController().signal,
      isExploring,
    },
  };
  return fixture;
}

/** Runs all due tasks, including the cache's notifications in the next turn. */
export async function flushPromises(): Promise<void> {
  for (let turn = 0; turn < 2; turn++) {
    await new Promise((resolve) => setTimeout(resolve));
    await new Promise((resolve) => setImmediate(resolve));
  }
}
