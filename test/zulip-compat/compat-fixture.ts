import {onTestFinished} from 'vitest';
import {makeApi} from '#api/api.ts';
import type {ConnectionOptions} from '#api/connection.ts';
import {createSession, type Session, type SessionOptions} from '#state/session.ts';
import {systemClock} from '#std/clock.ts';
import {openAccountStore} from '#storage/open-account-store.ts';
import {connectTo} from '#test/api/client.ts';
import {hurriedClock} from '#test/state/session-fixture.ts';
import {credentials, ForeignServer} from './fake-zulip-server.ts';

export interface ForeignStage {
  readonly server: ForeignServer;
  readonly logged: string[];
  /** Meg's client, not started. */
  session(options?: Partial<SessionOptions>): Session;
}

export function foreignApi({url}: ForeignServer, options: Partial<ConnectionOptions> = {}) {
  return makeApi(connectTo({site: url, credentials, ...options}));
}

export async function foreignStage(level: number): Promise<ForeignStage> {
  const server = await new ForeignServer(level).start();
  const logged: string[] = [];
  return {
    server,
    logged,
    session: (given = {}) => {
      const log = (line: string) => void logged.push(line);
      const {store} = openAccountStore({path: ':memory:', clock: systemClock, random: () => 0.5, log});
      const api = foreignApi(server);
      const session = createSession({api, store, clock: hurriedClock, random: () => 0.5, log, ...given});
      onTestFinished(async () => {
        await session.stop();
        store.close();
      });
      return session;
    },
  };
}
