import {basename} from 'node:path';
import {expect, inject, test} from 'vitest';
import type {ManualClock} from '#test/support/manual-clock.ts';
import type {Person} from '#test/support/people.ts';
import {type TestServer, testServer} from '#test/support/server.ts';
import {levels} from '#wire/levels.ts';
import {ConsistencyChecker} from './consistency-checker.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** One feature level for all test files, or one for each by name. */
    level: number | Readonly<Record<string, number>>;
  }
}

/** Returns the feature level under test, which the configuration sets for a project or for each of its files. */
export function levelUnderTest(): number {
  const level = inject('level');
  if (typeof level === 'number') return level;
  const area = basename(expect.getState().testPath ?? '', '.test.ts');
  const fileLevel = level[area];
  if (fileLevel === undefined) throw new Error(`No level is configured for ${area}`);
  return fileLevel;
}

/** Returns a `test` that is skipped below a feature level. */
export function since(level: number) {
  return test.skipIf(levelUnderTest() < level);
}

/** A server with four users (the outsider is in no channel), a public channel and a private one with hidden history. */
export interface ContractFixture {
  readonly server: TestServer;
  readonly owner: Person;
  readonly meg: Person;
  readonly guest: Person;
  readonly outsider: Person;
  readonly general: number;
  readonly secret: number;
  send(person: Person, content: string, topic?: string, to?: number): Promise<number>;
  sendDirect(person: Person, to: readonly Person[], content: string): Promise<number>;
  /** Checks the events of an action for all four users; `first` (by default the member) must receive one. */
  expectConsistent(action: () => unknown, first?: Person, name?: string): Promise<void>;
}

export async function contractFixture(options: {clock?: ManualClock} = {}): Promise<ContractFixture> {
  const level = levelUnderTest();
  const server = await testServer({level, ...options});
  const {people} = server;
  const [owner, meg, guest, outsider] = [
    people.owner(),
    people.member(),
    people.guest(),
    people.member('Odd Outsider'),
  ];
  const general = people.channel('general', [owner, meg, guest]);
  const secret = people.channel('secret', [owner, meg], {invite_only: 1, history_public_to_subscribers: 0});
  const checker = new ConsistencyChecker(server);
  const direct = level >= levels.typeDirect ? 'direct' : 'private';
  return {
    server,
    owner,
    meg,
    guest,
    outsider,
    general,
    secret,
    async send(person, content, topic = 'talk', to = general) {
      return (await server.as(person).post('/messages', {type: 'stream', to, topic, content})).id;
    },
    async sendDirect(person, to, content) {
      const ids = to.map(({id}) => id);
      return (await server.as(person).post('/messages', {type: direct, to: ids, content})).id;
    },
    expectConsistent(action, first = meg, name = 'the action') {
      const others = [owner, meg, guest, outsider].filter((person) => person !== first);
      return checker.expectEventsMatchRegistration([first, ...others], action, name);
    },
  };
}

/** A PNG image of one pixel. */
export const png = new Uint8Array(
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
    'base64',
  ),
);
