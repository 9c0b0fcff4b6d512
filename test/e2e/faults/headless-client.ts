import {join} from 'node:path';
import {type Api, makeApi} from '#api/api.ts';
import {Connection} from '#api/connection.ts';
import type {AccountStore} from '#state/account-store.ts';
import {restoreState} from '#state/persistence/persistence.ts';
import {createSession, type Session} from '#state/session.ts';
import type {Clock} from '#std/clock.ts';
import {Random} from '#std/random.ts';
import {openAccountStore} from '#storage/open-account-store.ts';
import type {Person} from '#test/support/people.ts';
import type {ServerEvent} from '#wire/events.ts';

export interface HeadlessClientOptions {
  readonly person: Person;
  /** The server's URL for the client. */
  readonly site: string;
  /** The directory of its file; clients that share it share the file. */
  readonly directory: string;
  readonly seed: number;
  /** Whether requests without a response fail soon: for networks that drop data. A slow machine needs the usual limits. */
  readonly isImpatient?: boolean;
  readonly clock: Clock;
  readonly log: (line: string, error?: unknown) => void;
  /** Receives all events that it applies. */
  readonly received?: (events: readonly ServerEvent[]) => void;
  /** Wraps its dependencies on the outside. */
  readonly wrap?: (outside: ClientDependencies) => ClientDependencies;
}

export interface ClientDependencies {
  readonly api: Api;
  readonly store: AccountStore;
}

interface HeadlessClient {
  readonly session: Session;
  readonly store: AccountStore;
  close(): Promise<void>;
}

/** In real milliseconds, because sockets ignore the fast clock. */
const shortTimeouts = {connect: 1000, headers: 1000, body: 500};
const registerMs = 2000;

/** Opens a complete client without a screen: real sockets, a real file. */
export function openHeadlessClient(options: HeadlessClientOptions): HeadlessClient {
  const {person, site, directory, seed, clock, log, isImpatient = false} = options;
  const {wrap = (outside: ClientDependencies) => outside} = options;
  const generator = new Random(seed);
  const common = {clock, log, random: () => generator.next()};
  const connection = new Connection({
    site,
    credentials: {email: person.email, apiKey: person.apiKey},
    userAgent: 'ParleyTest/1.0',
    ...(isImpatient && {timeouts: shortTimeouts}),
  });
  const file = openAccountStore({path: join(directory, `${person.id}.db`), ...common}).store;
  const patient = makeApi(connection);
  const {api, store} = wrap({api: isImpatient ? impatient(patient) : patient, store: file});
  const session = createSession({
    api,
    store,
    ...common,
    initial: restoreState(store),
    listeners: [() => ({onEvents: options.received ?? (() => {})})],
    // On the fast clock a slow machine looks like a long absence.
    outbox: {askAfterOfflineMinutes: 60},
  });
  return {
    session,
    store,
    async close() {
      await session.stop();
      file.close();
      await connection.close();
    },
  };
}

/** Shortens the timeout of registrations, which is longer than all others. */
function impatient(api: Api): Api {
  return {...api, register: (args, options) => api.register(args, {timeoutMs: registerMs, ...options})};
}
