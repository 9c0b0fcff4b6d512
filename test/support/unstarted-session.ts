import {onTestFinished} from 'vitest';
import {makeApi} from '#api/api.ts';
import type {ConnectionOptions} from '#api/connection-options.ts';
import {createSession, type Session} from '#state/session.ts';
import type {AccountState} from '#state/state.ts';
import type {Clock} from '#std/clock.ts';
import {openAccountStore} from '#storage/open-account-store.ts';
import {connectTo} from '#test/api/client.ts';

/** Creates a session that is never started: local changes apply, and nothing is sent, except requests of the test itself. */
export function unstartedSession(
  state: AccountState,
  clock: Clock,
  connection: Partial<ConnectionOptions> = {},
): Session {
  const log = () => {};
  const {store} = openAccountStore({path: ':memory:', clock, random: () => 0.5, log});
  const api = makeApi(connectTo({site: 'http://127.0.0.1:9', ...connection}));
  // Starts offline, so that nothing is sent.
  const offline = {phase: 'offline', since: 0, retryAt: undefined, problem: '', savedAt: undefined} as const;
  const session = createSession({
    api,
    store,
    clock,
    random: () => 0.5,
    log,
    initial: {...state, connection: offline},
  });
  onTestFinished(async () => {
    store.close();
  });
  return session;
}
