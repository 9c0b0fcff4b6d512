import {expect, onTestFailed, onTestFinished} from 'vitest';
import type {ServerOptions} from '#server/server.ts';
import {initialState} from '#state/initial-state.ts';
import {messageFromWire} from '#state/model/message.ts';
import {everythingNarrow, type Narrow, narrowKey} from '#state/model/narrow.ts';
import {createSession, type Session, type SessionOptions} from '#state/session.ts';
import {registerArgs} from '#state/snapshot/register-args.ts';
import {stateFromSnapshot} from '#state/snapshot/state-from-snapshot.ts';
import type {AccountState, SliceName} from '#state/state.ts';
import {type Clock, systemClock} from '#std/clock.ts';
import {openAccountStore} from '#storage/open-account-store.ts';
import {clientOf} from '#test/api/client.ts';
import {type Plain, plainState} from '#test/contract/plain-state.ts';
import {expectSame} from '#test/support/differences.ts';
import type {Person} from '#test/support/people.ts';
import {type TestServer, testServer} from '#test/support/server.ts';
import {termForLevel} from '#wire/narrow.ts';

/** The time after which a client gives up a poll that is not answered, which is no delay. */
const pollLimitMs = 65_000;

/** The system clock with delays divided by fifty. On a busy machine a test takes longer than a fiftieth of a poll. */
export const fastClock: Clock = {
  ...systemClock,
  after: (ms, task) => systemClock.after(ms < pollLimitMs ? ms / 50 : ms, task),
};

export interface SessionFixture {
  readonly server: TestServer;
  readonly meg: Person;
  readonly otto: Person;
  readonly channelId: number;
  readonly logged: string[];
  /** The number of registrations that were applied. */
  registrations: number;
  hook(name: string, body?: object): Promise<unknown>;
  /** Posts a message as Otto in the channel; returns its id. */
  postMessage(content: string, topic?: string): Promise<number>;
  /** Returns Meg's client, not started. */
  session(options?: Partial<SessionOptions>): Session;
}

/** Returns a server with fault injection, two users in a channel, and the client of one of them. */
export async function sessionFixture(options: ServerOptions = {}): Promise<SessionFixture> {
  const server = await testServer({testHooks: true, ...options});
  const [meg, otto] = [server.people.member(), server.people.member('Otto')];
  const channelId = server.people.channel('general', [meg, otto]);
  const logged: string[] = [];
  const fixture: SessionFixture = {
    server,
    meg,
    otto,
    channelId,
    logged,
    registrations: 0,
    hook: async (name, body = {}) => {
      const reply = await fetch(`${server.url}/test-hooks/${name}`, {
        method: 'POST',
        body: JSON.stringify(body),
      });
      expect(reply.status).toBe(200);
      return reply.json();
    },
    postMessage: async (content, topic = 'talk') => {
      const args = {type: 'stream', to: channelId, topic, content};
      return (await server.as(otto).post('/messages', args)).id;
    },
    session: (given = {}) => {
      const log = (line: string) => void logged.push(line);
      const {store} = openAccountStore({path: ':memory:', clock: systemClock, random, log});
      const api = clientOf(server, meg);
      api.connection.level = 0;
      const session = createSession({
        api,
        store,
        clock: fastClock,
        random,
        log,
        listeners: [() => ({onRegistered: () => void fixture.registrations++})],
        ...given,
      });
      onTestFinished(async () => {
        await session.stop();
        store.close();
      });
      return session;
    },
  };
  return fixture;
}

let randomNumbers = 0;

/** Returns about a half, and never the same: what is written within a millisecond must not have the same id. */
function random(): number {
  randomNumbers++;
  return 0.5 + randomNumbers * 2 ** -50;
}

const allSlices = Object.keys(initialState) as SliceName[];

/** Waits until the condition is true. */
export function waitForState(session: Session, holds: (state: AccountState) => boolean): Promise<AccountState> {
  let isMet = false;
  onTestFailed(() => {
    if (!isMet) console.error(`Waited in vain until ${holds}`);
  });
  return new Promise((resolve) => {
    const check = () => {
      const {state} = session.cache;
      isMet = holds(state);
      if (!isMet) return;
      leave();
      resolve(state);
    };
    const leave = session.cache.subscribe(allSlices, check);
    check();
  });
}

export function hasMessage(messageId: number): (state: AccountState) => boolean {
  return (state) => state.messages.byId.has(messageId);
}

/** Expects the client's state to equal that of a new registration, and its timelines to equal the server's messages. */
export async function expectInSync(fixture: SessionFixture, session: Session): Promise<void> {
  const {server, meg} = fixture;
  const fresh = await server.as(meg).post('/register', registerArgs(server.context.level));
  // The server's own tests check that the response has this type.
  const {extraEmojiType} = session.cache.state.server;
  const state = stateFromSnapshot(fresh as never, {url: server.url, now: 0, extraEmojiType});
  expectSame(comparable(session.cache.state), comparable(state));
  for (const timeline of session.cache.state.timelines.values()) {
    await expectTimeline(fixture, session, timeline.narrow);
  }
}

/** Returns the comparable part of a state, without presence and local bookkeeping. */
export function comparable(state: AccountState): Plain {
  const {presences: _p, arrivals: _a, ...rest} = plainState(state);
  const {serverTimestamp: _t, ...serverFields} = rest.server as Plain;
  return {...rest, server: serverFields};
}

/**
 * Expects the timeline to contain exactly the server's messages between its first and last one, each once, in order.
 */
export async function expectTimeline(
  {server, meg}: SessionFixture,
  session: Session,
  narrow: Narrow = everythingNarrow,
): Promise<void> {
  const {state} = session.cache;
  const timeline = state.timelines.get(narrowKey(narrow));
  expect(timeline).toMatchObject({isStale: false, problem: undefined, loading: undefined});
  const response = await server.as(meg).get('/messages', {
    anchor: 'oldest',
    num_before: 0,
    num_after: 5000,
    narrow: narrow.map((term) => termForLevel(term, server.context.level)),
    apply_markdown: false,
    allow_empty_topic_name: true,
  });
  const [first, last] = [timeline?.ids.first() ?? 0, timeline?.ids.last() ?? 0];
  const [low, high] = [timeline?.hasOldest ? 0 : first, timeline?.hasNewest ? Number.MAX_VALUE : last];
  const onServer = response.messages.filter(({id}: {id: number}) => id >= low && id <= high);
  expect(timeline?.ids.toArray()).toEqual(onServer.map(({id}: {id: number}) => id));
  const fresh = onServer.map((wire: Parameters<typeof messageFromWire>[0] & {flags: string[]}) =>
    messageFromWire(
      wire,
      wire.flags.filter((flag) => flag !== 'read'),
      meg.id,
    ),
  );
  const loaded = timeline?.ids.toArray().map((id) => ({...state.messages.byId.get(id), facts: undefined}));
  expect(loaded).toEqual(fresh);
}
