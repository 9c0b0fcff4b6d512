import {TestRunner} from 'vitest';
import {systemClock} from '#std/clock.ts';
import {ApiClient} from '#test/support/api-client.ts';
import type {Person} from '#test/support/people.ts';
import type {TestServer} from '#test/support/server.ts';

/** A server that somebody runs, and accounts on it, as `npm run test:server` passes them to the tests. */
export interface GivenAccounts {
  readonly url: string;
  readonly level: number;
  /** Two members or more. */
  readonly members: readonly Person[];
  readonly owner?: Person;
  readonly guest?: Person;
}

/** The environment variable with the accounts as JSON. */
const givenAccountsVariable = 'PARLEY_TEST_ACCOUNTS';

/** Returns the accounts to run the tests with; undefined: the tests start their own embedded servers. */
export function givenAccounts(): GivenAccounts | undefined {
  const text = process.env[givenAccountsVariable];
  return text === undefined ? undefined : JSON.parse(text);
}

/** Skips the current test with a reason, which the table shows. */
export function skipTest(reason: string): never {
  TestRunner.getCurrentTest()?.context.skip(reason);
  throw new Error(reason);
}

/** Returns the given server in the form of an embedded one. What only an embedded server offers skips the test. */
export function givenServer({url, level}: GivenAccounts): TestServer {
  const context = {
    level,
    clock: systemClock,
    get db(): never {
      return skipTest('needs access to the database');
    },
  };
  const server = {
    url,
    context,
    get people(): never {
      return skipTest('needs access to the database');
    },
    as: (person: Person) => new ApiClient(url, person, {waitsForRateLimit: true}),
    anonymous: () => new ApiClient(url, undefined, {waitsForRateLimit: true}),
  };
  // The other properties of a running server are not used by tests that run on a given one.
  return server as unknown as TestServer;
}
