import {makeApi} from '#api/api.ts';
import {Connection} from '#api/connection.ts';
import {openView} from '#app/navigation/navigation.ts';
import {apiPrefix} from '#server/http/listener-options.ts';
import {type RunningServer, startServer} from '#server/server.ts';
import type {AccountStore} from '#state/account-store.ts';
import {restoreState} from '#state/persistence/persistence.ts';
import {createSession, type Session, type SessionOptions} from '#state/session.ts';
import type {Clock} from '#std/clock.ts';
import {openAccountStore} from '#storage/open-account-store.ts';
import {MessageFixtureWriter} from '#test/server/message-fixtures.ts';
import {getEvents} from '#wire/endpoints/session.ts';
import {type AppFixture, createApp} from './create-app.ts';
import {ManualClock} from './manual-clock.ts';
import {People, type Person} from './people.ts';

/** A request of the API as the server saw it. Files, such as the list of emoji, have no limit. */
export interface CountedRequest {
  /** For example `GET /messages`; numbers in paths are `N`. */
  readonly name: string;
  /** The size of the response with its headers; undefined while it is not sent. */
  bytes: number | undefined;
}

/** The program without a terminal, on a manual clock, with a server that counts its requests. */
export interface CountedApp extends AppFixture {
  readonly session: Session;
  /** Waits until no request but the long poll is in flight, and paints. */
  settle(): Promise<void>;
  /** Lets time pass; requests are answered at once. */
  pass(ms: number): Promise<void>;
  /** Lets time pass without a key: only what the program paints by itself is painted. */
  idle(ms: number): Promise<void>;
  /** Returns how many timers of the program have run. */
  timersRun(): number;
  /** Ends app and session; the data on disk stays. */
  stop(): Promise<void>;
}

export interface CountingServer {
  readonly server: RunningServer;
  readonly people: People;
  readonly writer: MessageFixtureWriter;
  readonly meg: Person;
  readonly otto: Person;
  /** Returns the requests since the last call. */
  take(): readonly CountedRequest[];
  /** Starts the program as Meg; the second start has the data that the first one saved. */
  open(size?: string, options?: Partial<SessionOptions>): CountedApp;
  /** Ends only the server. */
  closeServer(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a server with two users and the rate limit that servers have. */
export async function startCountingServer({path = ':memory:'} = {}): Promise<CountingServer> {
  let requests: CountedRequest[] = [];
  // Noon, so that no test passes midnight, which paints the day of messages.
  const clock = new ManualClock(Date.UTC(2026, 2, 10, 12));
  const server = await startServer({
    clock,
    onRequest: (method, path, response) => {
      if (!path.startsWith(apiPrefix)) return;
      const name = `${method} ${path.slice(apiPrefix.length).replaceAll(/\d+/g, 'N')}`;
      const request: CountedRequest = {name, bytes: undefined};
      requests.push(request);
      const {socket} = response;
      const before = socket?.bytesWritten ?? 0;
      response.once('finish', () => {
        request.bytes = (socket?.bytesWritten ?? 0) - before;
      });
    },
  });
  let closed: Promise<void> | undefined;
  const closeServer = () => {
    closed ??= server.close();
    return closed;
  };
  const people = new People(server.context);
  const meg = people.member();
  const timers = countTimers(clock);
  const {store} = openAccountStore({path, clock: timers.clock, random: () => 0.5, log: () => {}});
  return {
    server,
    people,
    writer: new MessageFixtureWriter(server.context),
    meg,
    otto: people.member('Otto Other'),
    take: () => {
      const taken = requests;
      requests = [];
      return taken;
    },
    open: (size = '80x24', options = {}) =>
      openApp({url: server.url, person: meg, clock, timers, store, size, options}),
    closeServer,
    async close() {
      store.close();
      await closeServer();
    },
  };
}

interface CountedTimers {
  readonly clock: Clock;
  count(): number;
}

/** Returns the clock for the client, which counts the timers that it runs. */
export function countTimers(clock: Clock): CountedTimers {
  let count = 0;
  const after: Clock['after'] = (ms, task) =>
    clock.after(ms, () => {
      count++;
      task();
    });
  return {clock: {now: () => clock.now(), monotonic: () => clock.monotonic(), after}, count: () => count};
}

interface OpenedAppOptions {
  readonly url: string;
  readonly person: Pick<Person, 'email' | 'apiKey'>;
  readonly clock: ManualClock;
  readonly timers: CountedTimers;
  readonly store: AccountStore;
  readonly size: string;
  readonly options: Partial<SessionOptions>;
}

/** Starts the program without a terminal, with the data that the store has. */
export function openApp({url, person, clock, timers, store, size, options}: OpenedAppOptions): CountedApp {
  const credentials = {email: person.email, apiKey: person.apiKey};
  const connection = new Connection({site: url, credentials, userAgent: 'ParleyTest/1.0'});
  const isAnswered = watchCalls(connection);
  const session = createSession({
    api: makeApi(connection),
    store,
    clock: timers.clock,
    random: () => 0.5,
    log: () => {},
    initial: restoreState(store),
    ...options,
  });
  const fixture = createApp({session, clock: timers.clock, size});
  const {app} = fixture;
  openView(app, {kind: 'inbox'});
  session.start();
  const settle = async () => {
    for (let quietTurns = 0; quietTurns < 5; ) {
      await new Promise(setImmediate);
      app.frames.paintNow();
      quietTurns = isAnswered() ? quietTurns + 1 : 0;
    }
  };
  return {
    ...fixture,
    session,
    settle,
    timersRun: timers.count,
    async pass(ms) {
      const stepMs = ms > 10_000 ? 1000 : 100;
      for (let left = ms; left > 0; left -= stepMs) {
        clock.advance(Math.min(stepMs, left));
        await settle();
      }
    },
    async idle(ms) {
      for (let left = ms; left > 0; left -= 100) {
        clock.advance(Math.min(100, left));
        await new Promise(setImmediate);
      }
    },
    async stop() {
      app.end();
      const stopped = session.stop();
      await settle();
      clock.advance(1000);
      await stopped;
      await connection.close();
    },
  };
}

/**
 * Returns a function that says whether all calls of the connection except the long poll are answered. The first call has
 * been made when the long poll begins, or when the server cannot be reached.
 */
function watchCalls(connection: Connection): () => boolean {
  let inFlight = 0;
  let hasBegun = false;
  const call = connection.call.bind(connection);
  connection.call = async (endpoint, ...rest) => {
    if (endpoint.id === getEvents.id) {
      hasBegun = true;
      return call(endpoint, ...rest);
    }
    inFlight += 1;
    try {
      return await call(endpoint, ...rest);
    } catch (failure) {
      hasBegun = true;
      throw failure;
    } finally {
      inFlight -= 1;
    }
  };
  return () => hasBegun && inFlight === 0;
}
