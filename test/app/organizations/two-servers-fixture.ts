import {systemClock} from '#std/clock.ts';
import {sessionFixture} from '#test/state/session-fixture.ts';
import {appFixture} from '#test/support/app-fixture.ts';
import {accountsFixture} from './organizations-fixture.ts';

/** Meg's accounts on two servers, connected and shown together; acme has the keys. */
export async function twoServers() {
  const names = ['acme', 'beta'];
  const {organizations, accounts, shown} = accountsFixture(names, 'grouped');
  const all = await Promise.all(
    names.map(async (accountName, index) => {
      const fixture = await sessionFixture();
      const session = fixture.session();
      session.start();
      await session.ready();
      const parts = appFixture({session, clock: systemClock, accounts, info: {accountName, accountCount: 2}});
      organizations.add(index, parts.app);
      return {...fixture, ...parts};
    }),
  );
  shown().frames.paintNow();
  return {all, shown};
}
