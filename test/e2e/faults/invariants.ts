import {expect} from 'vitest';
import {type Api, makeApi} from '#api/api.ts';
import {Connection} from '#api/connection.ts';
import {withRetries} from '#api/retry.ts';
import {wireNarrow} from '#state/fetches/fetch-page.ts';
import {type Message, messageFromWire} from '#state/model/message.ts';
import type {Narrow} from '#state/model/narrow.ts';
import {registerArgs} from '#state/snapshot/register-args.ts';
import {stateFromSnapshot} from '#state/snapshot/state-from-snapshot.ts';
import type {AccountState} from '#state/state.ts';
import {systemClock} from '#std/clock.ts';
import {type Plain, plainState} from '#test/contract/plain-state.ts';
import type {Reply} from '#test/support/api-client.ts';
import {expectSame} from '#test/support/differences.ts';
import type {FaultClient} from './fault-client.ts';
import type {FaultFixture} from './fault-fixture.ts';

/**
 * Checks an idle client against the server: its state equals that of a new registration, its timelines
 * contain the server's messages, and everything it sent exists once or is unconfirmed.
 */
export async function expectInvariants(fixture: FaultFixture, ...clients: readonly FaultClient[]): Promise<void> {
  await waitUntilIdle(fixture, ...clients);
  for (const client of clients) {
    const api = freshApi(fixture, client);
    try {
      await expectSameState(client, api, fixture.level);
      const serverMessages = await allMessages(fixture, client);
      expectMessages(client, serverMessages);
      expect([...client.opened.keys()].filter((key) => !client.state.timelines.has(key))).toEqual([]);
      for (const {narrow} of client.state.timelines.values()) await expectTimeline(client, api, narrow);
      expectOutbox(client, serverMessages);
      expectDrafts(client);
      expect(client.repeated).toEqual([]);
    } finally {
      await api.connection.close();
    }
  }
}

/** Far more than any wait is long. */
const maxRounds = 500;

/**
 * Waits until nothing is in flight: the last round ends with an event from the server, so nothing sent before is
 * missed. A message that a view fetched proves nothing: the event queue may be gone, and its end not yet noticed.
 */
export async function waitUntilIdle(fixture: FaultFixture, ...clients: readonly FaultClient[]): Promise<void> {
  let areCurrent = false;
  for (let round = 0; !areCurrent || !clients.every(({isQuiet}) => isQuiet); round++) {
    expect(round, 'rounds without becoming idle').toBeLessThan(maxRounds);
    await Promise.all(clients.map((client) => client.runAll()));
    const queues = clients.map((client) => client.session.context.queueId());
    const last = await fixture.postMessage('Is everything idle?');
    const received = await Promise.all(clients.map((client, at) => client.receives(last, queues[at])));
    areCurrent = received.every(Boolean);
    await Promise.all(clients.map((client) => client.waitForMessages(last)));
    await Promise.all(clients.map((client) => client.waitForViews()));
  }
}

/** Returns an API client for the same account, without any saved state. */
function freshApi({server, level}: FaultFixture, {person}: FaultClient): Api {
  const connection = new Connection({
    site: server.url,
    credentials: {email: person.email, apiKey: person.apiKey},
    userAgent: 'ParleyTest/1.0',
  });
  connection.level = level;
  return makeApi(connection);
}

/** Retries a request, since the checks may meet faults too. */
function withRetry<T>(send: () => Promise<T>): Promise<T> {
  return withRetries(send, {clock: systemClock, random: () => 0, idempotent: true, limit: 3});
}

async function expectSameState(client: FaultClient, api: Api, level: number): Promise<void> {
  const {site} = client.session.context.api.connection;
  const snapshot = await withRetry(() => api.register(registerArgs(level)));
  const {extraEmojiType} = client.state.server;
  const fresh = stateFromSnapshot(snapshot, {url: site, now: 0, extraEmojiType});
  expectSame(comparable(client.state), comparable(fresh));
}

/** Returns the state without presence and without the generation that the restart hook invents. */
function comparable(state: AccountState): Plain {
  const {presences: _p, arrivals: _a, ...rest} = plainState(state);
  const {serverTimestamp: _t, serverGeneration: _g, ...serverFields} = rest.server as Plain;
  return {...rest, server: serverFields};
}

/** Returns everything the user can read, oldest first. */
async function allMessages({server}: FaultFixture, {person}: FaultClient): Promise<readonly Reply[]> {
  const args = {
    anchor: 'newest',
    num_before: 5000,
    num_after: 0,
    apply_markdown: false,
    allow_empty_topic_name: true,
  };
  return (await server.as(person).get('/messages', args)).messages;
}

/** Checks that loaded messages and unread ids equal the server's. */
function expectMessages({state, person}: FaultClient, serverMessages: readonly Reply[]): void {
  const unread = serverMessages.filter(({flags}) => !flags.includes('read')).map(({id}) => id);
  expect([...state.unreads.byId.keys()]).toEqual(unread);
  const byId = new Map(serverMessages.map((wire) => [wire.id, wire]));
  const loaded = [...state.messages.byId.values()];
  const onServer = loaded.map(({id}) => fromServer(byId.get(id), person.id));
  // The client looks facts up itself: they are not in the server's messages.
  expect(loaded.map(({facts: _, ...message}) => withSortedFlags(message))).toEqual(onServer);
}

async function expectTimeline({state, person}: FaultClient, api: Api, narrow: Narrow): Promise<void> {
  const [timeline] = [...state.timelines.values()].filter((other) => other.narrow === narrow);
  const args = {
    anchor: 'oldest',
    num_before: 0,
    num_after: 5000,
    narrow: wireNarrow([...narrow], person.id),
    apply_markdown: false,
    allow_empty_topic_name: true,
  } as const;
  const {messages} = await withRetry(() => api.getMessages(args));
  const description = JSON.stringify(narrow);
  expect(timeline, description).toMatchObject({isStale: false, problem: undefined, loading: undefined});
  if (timeline === undefined) return;
  const low = timeline.hasOldest ? 0 : (timeline.ids.first() ?? 0);
  const high = timeline.hasNewest ? Number.MAX_VALUE : (timeline.ids.last() ?? 0);
  const onServer = messages.filter(({id}) => id >= low && id <= high);
  expect(timeline.ids.toArray(), description).toEqual(onServer.map(({id}) => id));
}

/** Sent texts are unique, so that each can be counted. */
function expectOutbox({entries, state, store}: FaultClient, serverMessages: readonly Reply[]): void {
  const remaining = new Map(store.outbox.all().map((entry) => [entry.id, entry.status]));
  expect(state.outbox.map(({id, status}) => [id, status])).toEqual([...remaining]);
  // A message that is edited later keeps its first words.
  const count = (content: string) =>
    serverMessages.filter((message) => message.content.split(', ')[0] === content).length;
  const deliveries = entries.map(({id, content}) => ({
    content,
    times: count(content),
    status: remaining.get(id),
  }));
  const isHonest = ({times, status}: (typeof deliveries)[number]) =>
    times === 1 ? status === undefined : times === 0 && status !== undefined;
  expect(deliveries.filter((delivery) => !isHonest(delivery))).toEqual([]);
}

/**
 * Checks that every draft is on the server once; equality of the server's drafts and the state is checked
 * with the state.
 */
function expectDrafts(client: FaultClient): void {
  const drafts = client.store.drafts.all();
  const parting = new Set(drafts.filter((draft) => client.isDraftOfSentMessage(draft)).map(({serverId}) => serverId));
  const onServer = [...client.state.drafts.values()].filter(({id}) => !parting.has(id)).map(({content}) => content);
  const texts = [...client.written.values()];
  expect(onServer.filter((content) => texts.includes(content)).toSorted()).toEqual(texts.toSorted());
  const syncedTexts = drafts.filter((draft) => !client.isDraftOfSentMessage(draft)).map(({content}) => content);
  expect(syncedTexts.toSorted()).toEqual(onServer.toSorted());
}

function fromServer(wire: Reply | undefined, selfId: number): Message | undefined {
  if (wire === undefined) return undefined;
  const flags: string[] = wire.flags.filter((flag: string) => flag !== 'read');
  // The server's own tests check its responses against the contract.
  return withSortedFlags(messageFromWire(wire as Parameters<typeof messageFromWire>[0], flags, selfId));
}

function withSortedFlags(message: Message): Message {
  return {...message, flags: message.flags.toSorted()};
}
