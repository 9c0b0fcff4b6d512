import {expect} from 'vitest';
import type {ServerOptions} from '#server/server.ts';
import {fetchPage, messagesRequest} from '#state/fetches/fetch-page.ts';
import type {RefusedChange} from '#state/pending-changes/pending-change-sender.ts';
import {stateFromSnapshot} from '#state/snapshot/state-from-snapshot.ts';
import type {AccountState} from '#state/state.ts';
import {type Plain, plainState} from '#test/contract/plain-state.ts';
import {type ClientOptions, callTestHook, injectFault, TestClient} from '#test/state/test-client.ts';
import type {ApiClient} from '#test/support/api-client.ts';
import type {Person} from '#test/support/people.ts';
import {type TestServer, testServer} from '#test/support/server.ts';
import {registerArgs} from '#wire/register-args.ts';

export interface ActionsFixture {
  readonly server: TestServer;
  /** Whose client acts. */
  readonly meg: Person;
  readonly otto: Person;
  /** An administrator. */
  readonly ada: Person;
  readonly client: TestClient;
  readonly channelId: number;
  /** What Otto wrote: in the channel, mentioning Meg there, and to Meg alone. */
  readonly said: number;
  readonly mentioned: number;
  readonly direct: number;
  readonly refusals: RefusedChange[];
  /** Meg in another program, which Parley knows nothing of. */
  elsewhere(): ApiClient;
  say(content: string, topic?: string): Promise<number>;
  /** The next request of this kind is refused. */
  refuse(path: string, method?: string): Promise<void>;
  hook(name: string, body?: object): Promise<void>;
  /** Everything that can be done now is done and heard. */
  settle(): Promise<void>;
}

export interface ActionsFixtureOptions extends ServerOptions {
  readonly role?: 'member' | 'moderator' | 'admin' | 'owner';
  readonly client?: ClientOptions;
  /** Her client knows where messages are, and none of them. */
  readonly isBare?: boolean;
}

/** A server with faults on demand, two people in a channel, and the client of one of them, who has three messages unread. */
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
  const say = async (content: string, topic = 'talk') => {
    const args = {type: 'stream', to: channelId, topic, content};
    return (await server.as(otto).post('/messages', args)).id as number;
  };
  const said = await say('hello');
  const mentioned = await say(`@**Meg|${meg.id}** look`, 'other');
  const direct = (await server.as(otto).post('/messages', {type: 'private', to: [meg.id], content: 'psst'}))
    .id;
  const refusals: RefusedChange[] = [];
  const deeds = {onRefusal: (refusal: RefusedChange) => void refusals.push(refusal)};
  const client = await new TestClient(server, meg, {deeds, ...clientOptions}).register();
  if (isBare !== true) await loadMessages(client);
  return {
    server,
    meg,
    otto,
    ada,
    client,
    channelId,
    said,
    mentioned,
    direct,
    refusals,
    say,
    elsewhere: () => server.as(meg),
    refuse: (path, method) =>
      injectFault(server, {path, method, kind: 'status', status: 400, code: 'BAD_REQUEST'}),
    hook: (name, body) => callTestHook(server, name, body),
    settle: () => settleClient(client),
  };
}

/** Everything there is. */
export async function loadMessages(client: TestClient): Promise<void> {
  const range = {anchor: 'newest' as const, num_before: 1000, num_after: 0};
  await fetchPage(client.context, {send: messagesRequest(client.context, range)}, client.context.signal);
}

export async function settleClient(client: TestClient): Promise<void> {
  await client.pendingChanges.idle();
  await client.pollEvents();
}

/** What a new registration tells this person, without what two of them differ in by themselves. */
export async function freshState({server, meg}: Pick<ActionsFixture, 'server' | 'meg'>): Promise<Plain> {
  const answer = await server.as(meg).post('/register', {...registerArgs(server.world.level)});
  // Checked by the server's own tests: the answer is what the type says.
  return comparableState(stateFromSnapshot(answer as never, {url: server.url, now: 0}));
}

/** When something was last set is the server's to say, and changes with every setting. */
export function comparableState(state: AccountState): Plain {
  const {presences: _p, userTopics, mutedUsers, alertWords, ...rest} = plainState(state);
  const {serverTimestamp: _t, ...facts} = rest.server as Plain;
  return {
    ...rest,
    server: facts,
    // In no order.
    alertWords: (alertWords as string[]).toSorted(),
    userTopics: (userTopics as [string, Plain][]).map(([key, {lastUpdated: _, ...topic}]) => [key, topic]),
    mutedUsers: (mutedUsers as [number, Plain][]).map(([id]) => id),
  };
}

/** The client knows what a new registration would tell it, and says nothing of its own. */
export async function expectInSync(on: ActionsFixture): Promise<void> {
  expect(comparableState(on.client.state)).toEqual(await freshState(on));
}
