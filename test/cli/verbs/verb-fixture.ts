import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {ExitCode} from '#cli/io.ts';
import {runVerb, type TableVerbName} from '#cli/verbs/run-verb.ts';
import {accountDatabase, accountId, pathsOf} from '#config/paths.ts';
import type {AccountStore} from '#state/account-store.ts';
import {systemClock} from '#std/clock.ts';
import {openAccountStore} from '#storage/open-account-store.ts';
import {type TestIo, testIo} from '#test/support/cli-io.ts';
import type {Person} from '#test/support/people.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';

interface VerbOutcome {
  readonly code: ExitCode;
  readonly out: string;
  readonly err: string;
}

export type IoOptions = Parameters<typeof testIo>[0];

interface VerbFixture {
  readonly home: string;
  run(verb: TableVerbName, argv: readonly string[], options?: IoOptions): Promise<VerbOutcome>;
  /** Starts the verb without waiting for its end. */
  start(
    verb: TableVerbName,
    argv: readonly string[],
    options?: IoOptions,
  ): {io: TestIo; end: () => void; code: Promise<ExitCode>};
  /** Opens the database on disk while the body runs. */
  withStore<T>(body: (store: AccountStore) => T): T;
}

/** Creates a home with an account of this user on this server. */
export function verbFixture(server: {readonly url: string}, person: Pick<Person, 'email' | 'apiKey'>): VerbFixture {
  const home = scratchDirectory();
  const text = `[api]\nemail=${person.email}\nkey=${person.apiKey}\nsite=${server.url}\n`;
  writeFileSync(join(home, 'zuliprc'), text, {mode: 0o600});
  return {
    home,
    async run(verb, argv, options = {}) {
      const io = testIo({home, random: Math.random, ...options});
      const code = await runVerb(verb, argv, io);
      return {code, out: io.out(), err: io.err()};
    },
    start(verb, argv, options = {}) {
      const io = testIo({home, random: Math.random, ...options});
      const ending = new AbortController();
      const code = runVerb(verb, argv, io, ending.signal);
      return {io, end: () => ending.abort(new Error('ended by the test')), code};
    },
    withStore(body) {
      const path = accountDatabase(pathsOf({}, home), accountId(server.url, person.email));
      const {store} = openAccountStore({path, clock: systemClock, random: Math.random, log: () => {}});
      try {
        return body(store);
      } finally {
        store.close();
      }
    },
  };
}

/** An address where no server listens. */
export const unreachableServer = {url: 'http://127.0.0.1:1'};
export const stranger = {email: 'stranger@example.com', apiKey: 'k'.repeat(32)};

/** Matches exactly one line with one sentence. */
export function isOneSentence(text: string): boolean {
  return /^[^\n]+[.!?]\n$/.test(text);
}
