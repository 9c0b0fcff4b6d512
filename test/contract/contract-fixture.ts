import {AsyncLocalStorage} from 'node:async_hooks';
import {randomUUID} from 'node:crypto';
import {basename} from 'node:path';
import {expect, inject, onTestFinished, test as vitestTest} from 'vitest';
import {archiveChannels, personalState, removeAdded} from '#test/given-server/clean-up.ts';
import {type GivenAccounts, givenAccounts, givenServer, skipTest} from '#test/given-server/given-server.ts';
import type {ManualClock} from '#test/support/manual-clock.ts';
import type {Person} from '#test/support/people.ts';
import {type TestServer, testServer} from '#test/support/server.ts';
import {levels} from '#wire/levels.ts';
import {ConsistencyChecker} from './consistency-checker.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The feature levels of the servers; a record has one for some of the test files. */
    levels: readonly (number | Readonly<Record<string, number>>)[];
  }
}

const levelOfTest = new AsyncLocalStorage<number>();

/** Returns the feature level of the running test. */
export function levelUnderTest(): number {
  const level = levelOfTest.getStore();
  if (level === undefined) throw new Error('Not in a contract test');
  return level;
}

/** Returns the feature levels that the configuration has for this file, or that of the given server. */
function levelsOfFile(): readonly number[] {
  const given = givenAccounts();
  if (given !== undefined) return [given.level];
  const area = basename(expect.getState().testPath ?? '', '.test.ts');
  return inject('levels').flatMap((level) => (typeof level === 'number' ? level : (level[area] ?? [])));
}

/** Returns a function that defines a test at each feature level; where `isKnown` is false it is skipped. */
export function testWhere(isKnown: (level: number) => boolean) {
  return (name: string, run: () => Promise<void>): void => {
    const levels = levelsOfFile();
    for (const level of levels) {
      const label = levels.length > 1 ? `${name} (level ${level})` : name;
      vitestTest.skipIf(!isKnown(level))(label, () => levelOfTest.run(level, run));
    }
  };
}

/** Defines a test at each feature level. */
export const test = testWhere(() => true);

/** Returns a `test` that is skipped below a feature level. */
export function since(oldest: number) {
  return testWhere((level) => level >= oldest);
}

/** A server with four users (the outsider is in no channel), a public channel and a private one with hidden history. */
export interface ContractFixture {
  readonly server: TestServer;
  /** Creates the channels; on a given server without an owner's account only a member. */
  readonly owner: Person;
  readonly meg: Person;
  readonly guest: Person;
  readonly outsider: Person;
  readonly general: number;
  readonly secret: number;
  /** An account that may change the organization. */
  readonly admin: Person;
  /** Returns a name that nothing else on the server has: on the test's own server the name itself. */
  nameOf(name: string): string;
  /** Creates a public channel with these subscribers; the first one creates it. */
  channel(name: string, subscribers: readonly [Person, ...Person[]]): Promise<number>;
  /** Returns the id of a system group. */
  systemGroup(name: string): Promise<number>;
  send(person: Person, content: string, topic?: string, to?: number): Promise<number>;
  sendDirect(person: Person, to: readonly Person[], content: string): Promise<number>;
  /** Checks the events of an action for all users; `first` (by default the member) must receive one. */
  expectConsistent(action: () => unknown, first?: Person, name?: string): Promise<void>;
}

/** The users of a fixture: on a given server some are missing, and their properties skip the test. */
type FixturePeople = Pick<ContractFixture, 'owner' | 'meg' | 'guest' | 'outsider' | 'admin'>;

/** Returns the fixture on a server of its own or, in `npm run test:server`, on the given one. */
export async function contractFixture(options: {clock?: ManualClock; level?: number} = {}): Promise<ContractFixture> {
  const accounts = givenAccounts();
  if (accounts !== undefined) {
    if (options.clock !== undefined) skipTest('needs control of the clock');
    return fixtureOnGivenServer(accounts);
  }
  const server = await testServer({...options, level: options.level ?? levelUnderTest()});
  const {people} = server;
  const [owner, meg, guest, outsider] = [
    people.owner(),
    people.member(),
    people.guest(),
    people.member('Odd Outsider'),
  ];
  const general = people.channel('general', [owner, meg, guest]);
  const secret = people.channel('secret', [owner, meg], {invite_only: 1, history_public_to_subscribers: 0});
  return completeFixture(server, {owner, meg, guest, outsider, admin: owner}, [owner, meg, guest, outsider], {
    general,
    secret,
    nameOf: (name) => name,
    channel: async (name, subscribers) => people.channel(name, subscribers),
  });
}

async function fixtureOnGivenServer(accounts: GivenAccounts): Promise<ContractFixture> {
  const server = givenServer(accounts);
  const [meg, second] = accounts.members;
  if (meg === undefined || second === undefined) throw new Error('Two accounts are needed.');
  const owner = accounts.owner ?? second;
  const people: FixturePeople = {
    meg,
    owner,
    get guest() {
      return accounts.guest ?? skipTest('needs --guest');
    },
    get outsider() {
      return accounts.owner === undefined ? skipTest('needs --owner') : second;
    },
    get admin() {
      return accounts.owner ?? skipTest('needs --owner');
    },
  };
  const guests = accounts.guest === undefined ? [] : [accounts.guest];
  const everybody = [...new Set([owner, meg, second, ...guests])];
  for (const person of everybody) {
    const before = await personalState(server.as(person));
    onTestFinished(() => removeAdded(server.as(person), before));
  }
  const suffix = randomUUID().slice(0, 8);
  const nameOf = (name: string) => `parley-test-${suffix}-${name}`;
  const channel = async (name: string, subscribers: readonly Person[], params: object = {}) => {
    const [creator = owner] = subscribers;
    const client = server.as(creator);
    const principals = subscribers.map(({id}) => id);
    const subscriptions = [{name: nameOf(name)}];
    await client.post('/users/me/subscriptions', {subscriptions, principals, ...params});
    return (await client.get('/get_stream_id', {stream: nameOf(name)})).stream_id;
  };
  onTestFinished(() => archiveChannels(server.as(owner), nameOf('')));
  const hidden = {invite_only: true, history_public_to_subscribers: false};
  return completeFixture(server, people, everybody, {
    general: await channel('general', [owner, meg, ...guests]),
    secret: await channel('secret', [owner, meg], hidden),
    nameOf,
    channel,
  });
}

/** Adds what is the same on every server. */
async function completeFixture(
  server: TestServer,
  people: FixturePeople,
  everybody: readonly Person[],
  channels: Pick<ContractFixture, 'general' | 'secret' | 'nameOf' | 'channel'>,
): Promise<ContractFixture> {
  const {level} = server.context;
  const checker = new ConsistencyChecker(server);
  const direct = level >= levels.typeDirect ? 'direct' : 'private';
  const rest = {
    server,
    ...channels,
    async systemGroup(name: string) {
      const {user_groups} = await server.as(people.owner).get('/user_groups');
      return user_groups.find((group: {name: string}) => group.name === name).id;
    },
    async send(person: Person, content: string, topic = 'talk', to = channels.general) {
      return (await server.as(person).post('/messages', {type: 'stream', to, topic, content})).id;
    },
    async sendDirect(person: Person, to: readonly Person[], content: string) {
      const ids = to.map(({id}) => id);
      const {id} = await server.as(person).post('/messages', {type: direct, to: ids, content});
      if (givenAccounts() !== undefined) {
        onTestFinished(async () => void (await server.as(person).raw('DELETE', `/messages/${id}`)));
      }
      return id;
    },
    expectConsistent(action: () => unknown, first = people.meg, name = 'the action') {
      const others = everybody.filter((person) => person !== first);
      return checker.expectEventsMatchRegistration([first, ...others], action, name);
    },
  };
  // Not a spread: it would read the properties that skip the test.
  const descriptors = {...Object.getOwnPropertyDescriptors(people), ...Object.getOwnPropertyDescriptors(rest)};
  return Object.defineProperties({}, descriptors) as ContractFixture;
}

/** A PNG image of one pixel. */
export const png = new Uint8Array(
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
    'base64',
  ),
);
