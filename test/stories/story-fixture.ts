import {expect, onTestFinished} from 'vitest';
import {makeApi} from '#api/api.ts';
import {createSession, type Session} from '#state/session.ts';
import {registerArgs} from '#state/snapshot/register-args.ts';
import {stateFromSnapshot} from '#state/snapshot/state-from-snapshot.ts';
import {systemClock} from '#std/clock.ts';
import {openAccountStore} from '#storage/open-account-store.ts';
import {connectTo} from '#test/api/client.ts';
import {type ContractFixture, contractFixture} from '#test/contract/contract-fixture.ts';
import {givenAccounts} from '#test/given-server/given-server.ts';
import {comparable, fastClock} from '#test/state/session-fixture.ts';
import {differences} from '#test/support/differences.ts';
import type {Person} from '#test/support/people.ts';
import {currentLevel} from '#wire/levels.ts';

/** Two users with Parley's own client: Meg, and Olive, who created the channels. */
interface StoryFixture extends Pick<ContractFixture, 'server' | 'meg' | 'owner' | 'general' | 'nameOf' | 'send'> {
  /** Returns a started session of a user, with its own database. */
  session(person: Person): Promise<Session>;
  /** Expects the session's state to become equal to that of a new registration. */
  expectInSync(session: Session, person: Person): Promise<void>;
}

/** Returns a fixture on a server of its own or, in `npm run test:server`, on the given one. */
export async function storyFixture(): Promise<StoryFixture> {
  const {server, meg, owner, general, nameOf, send} = await contractFixture({level: currentLevel});
  return {
    server,
    meg,
    owner,
    general,
    nameOf,
    send,
    async session(person) {
      const log = () => {};
      const {store} = openAccountStore({path: ':memory:', clock: systemClock, random: Math.random, log});
      const {email, apiKey} = person;
      const session = createSession({
        api: makeApi(connectTo({site: server.url, credentials: {email, apiKey}})),
        store,
        clock: givenAccounts() === undefined ? fastClock : systemClock,
        random: Math.random,
        log,
      });
      onTestFinished(async () => {
        await session.stop();
        store.close();
      });
      session.start();
      await session.ready();
      return session;
    },
    async expectInSync(session, person) {
      await expect
        .poll(async () => {
          const fresh = await server.as(person).post('/register', registerArgs(server.context.level));
          // The contract tests check that the response has this type.
          const {extraEmojiType} = session.cache.state.server;
          return differences(
            comparable(session.cache.state),
            comparable(stateFromSnapshot(fresh as never, {url: server.url, now: 0, extraEmojiType})),
          );
        })
        .toEqual([]);
    },
  };
}
