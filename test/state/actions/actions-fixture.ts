import {expect} from 'vitest';
import type {ServerOptions} from '#server/server.ts';
import {fetchPage, messagesRequest} from '#state/fetches/fetch-page.ts';
import type {RefusedChange} from '#state/pending-changes/pending-change-sender.ts';
import {registerArgs} from '#state/snapshot/register-args.ts';
import {stateFromSnapshot} from '#state/snapshot/state-from-snapshot.ts';
import type {AccountState} from '#state/state.ts';
import {type Plain, plainState} from '#test/contract/plain-state.ts';
import {type ClientOptions, callTestHook, injectFault, TestClient} from '#test/state/test-client.ts';
import type {ApiClient} from '#test/support/api-client.ts';
import type {Person} from '#test/support/people.ts';
import {type TestServer, testServer} from '#test/support/server.ts';

export interface ActionsFixture {
  readonly server: TestServer;
  /** The user whose client acts. */
  readonly meg: Person;
  readonly otto: Person;
  /** An administrator. */
  readonly ada: Person;
  readonly client: TestClient;
  readonly channelId: number;
  /** Otto's messages: in the channel, mentioning Meg there, and to Meg directly. */
  readonly messageId: number;
  readonly mentioned: number;
  readonly direct: number;
  readonly refusals: RefusedChange[];
  /** Returns another client of Meg's. */
  otherClient(): ApiClient;
  postMessage(content: string, topic?: string): Promise<number>;
  /** Makes the server refuse the next request of this kind. */
  refuse(path: string, method?: string): Promise<void>;
  hook(name: string, body?: object): Promise<void>;
  /** Sends everything possible and applies all events. */
  syncAll(): Promise<void>;
}

interface ActionsFixtureOptions extends ServerOptions {
  readonly role?: 'member' | 'moderator' | 'admin' | 'owner';
  readonly client?: ClientOptions;
  /** Her client knows the unread ids and conversations, but no messages. */
  readonly isBare?: boolean;
}

/**
 * Returns a server with fault injection, two users in a channel, and the client of one of them, who has three
 * unread messages.
 */
export async function actionsFixture({
  role = 'member',
  isBare,
  ...options
}: ActionsFixtureOptions = {}): Promise<ActionsFixture> {
  const {client: clientOptions, ...serverOptions} = options;
  const server = await testServer({testHooks: true, ...serverOptions});
  const meg = server.people[role]('Meg');
  const otto = server.people.member('Otto');
  const ada = server.people.admin();
  const channelId = server.people.channel('general', [meg, otto]);
  const postMessage = async (content: string, topic = 'talk') => {
    const args = {type: 'stream', to: channelId, topic, content};
    return (await server.as(otto).post('/messages', args)).id as number;
  };
  const messageId = await postMessage('hello');
  const mentioned = await postMessage(`@**Meg|${meg.id}** look`, 'other');
  const direct = (await server.as(otto).post('/messages', {type: 'private', to: [meg.id], content: 'psst'})).id;
  const refusals: RefusedChange[] = [];
  const changeOptions = {onRefusal: (refusal: RefusedChange) => void refusals.push(refusal)};
  const client = await new TestClient(server, meg, {
    pendingChanges: changeOptions,
    ...clientOptions,
  }).register();
  if (isBare !== true) await loadMessages(client);
  return {
    server,
    meg,
    otto,
    ada,
    client,
    channelId,
    messageId,
    mentioned,
    direct,
    refusals,
    postMessage,
    otherClient: () => server.as(meg),
    refuse: (path, method) => injectFault(server, {path, method, kind: 'status', status: 400, code: 'BAD_REQUEST'}),
    hook: (name, body) => callTestHook(server, name, body),
    syncAll: () => settleClient(client),
  };
}

/** Loads all messages. */
export async function loadMessages(client: TestClient): Promise<void> {
  const range = {anchor: 'newest' as const, num_before: 1000, num_after: 0};
  await fetchPage(client.context, {send: messagesRequest(client.context, range)}, client.context.signal);
}

export async function settleClient(client: TestClient): Promise<void> {
  await client.pendingChanges.idle();
  await client.pollEvents();
}

/** Returns the state of a new registration, without parts that differ between any two of them. */
export async function freshState({server, meg}: Pick<ActionsFixture, 'server' | 'meg'>): Promise<Plain> {
  const response = await server.as(meg).post('/register', {...registerArgs(server.context.level)});
  // The server's own tests check that the response has this type.
  return comparableState(stateFromSnapshot(response as never, {url: server.url, now: 0}));
}

/** Returns a state without the update times, which the server assigns. */
export function comparableState(state: AccountState): Plain {
  const {presences: _p, userTopics, mutedUsers, alertWords, ...rest} = plainState(state);
  const {serverTimestamp: _t, ...serverFields} = rest.server as Plain;
  return {
    ...rest,
    server: serverFields,
    // The order is undefined.
    alertWords: (alertWords as string[]).toSorted(),
    userTopics: (userTopics as [string, Plain][]).map(([key, {lastUpdated: _, ...topic}]) => [key, topic]),
    mutedUsers: (mutedUsers as [number, Plain][]).map(([id]) => id),
  };
}

/** Expects the client's state to equal that of a new registration, without pending changes. */
export async function expectInSync(fixture: ActionsFixture): Promise<void> {
  expect(comparableState(fixture.client.state)).toEqual(await freshState(fixture));
}
