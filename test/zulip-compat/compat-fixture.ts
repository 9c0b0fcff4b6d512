import {onTestFinished} from 'vitest';
import {makeApi} from '#api/api.ts';
import type {ConnectionOptions} from '#api/connection-options.ts';
import {createSession, type Session, type SessionOptions} from '#state/session.ts';
import {systemClock} from '#std/clock.ts';
import {openAccountStore} from '#storage/open-account-store.ts';
import {connectTo} from '#test/api/client.ts';
import {fastClock} from '#test/state/session-fixture.ts';
import {credentials, FakeZulipServer} from './fake-zulip-server.ts';

export interface CompatFixture {
  readonly server: FakeZulipServer;
  readonly logged: string[];
  /** Meg's client, not started. */
  session(options?: Partial<SessionOptions>): Session;
}

export function apiOfFakeServer({url}: FakeZulipServer, options: Partial<ConnectionOptions> = {}) {
  return makeApi(connectTo({site: url, credentials, ...options}));
}

export async function compatFixture(level: number): Promise<CompatFixture> {
  const server = await new FakeZulipServer(level).start();
  const logged: string[] = [];
  return {
    server,
    logged,
    session: (options = {}) => {
      const log = (line: string) => void logged.push(line);
      const {store} = openAccountStore({path: ':memory:', clock: systemClock, random: () => 0.5, log});
      const api = apiOfFakeServer(server);
      const session = createSession({api, store, clock: fastClock, random: () => 0.5, log, ...options});
      onTestFinished(async () => {
        await session.stop();
        store.close();
      });
      return session;
    },
  };
}
