import {basename} from 'node:path';
import {expect, inject, test} from 'vitest';
import type {ManualClock} from '#test/support/manual-clock.ts';
import type {Person} from '#test/support/people.ts';
import {type TestServer, testServer} from '#test/support/server.ts';
import {levels} from '#wire/levels.ts';
import {ConsistencyChecker} from './consistency-checker.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** One for all areas, or one for each. */
    level: number | Readonly<Record<string, number>>;
  }
}

/** The feature level that the laws are tried at: the configuration says it for a project, or for each file of one. */
export function levelUnderTest(): number {
  const level = inject('level');
  if (typeof level === 'number') return level;
  const area = basename(expect.getState().testPath ?? '', '.test.ts');
  const own = level[area];
  if (own === undefined) throw new Error(`No level is given for ${area}`);
  return own;
}

/** A test of something that servers have from this level on. */
export function since(level: number) {
  return test.skipIf(levelUnderTest() < level);
}

/** An owner, a member, a guest and a member who is in no channel; one public channel, one private with hidden history. */
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
  /** All four watch; something must happen for `first` (the member unless said otherwise). */
  expectConsistent(act: () => unknown, first?: Person, what?: string): Promise<void>;
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
  const watchers = new ConsistencyChecker(server);
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
    expectConsistent(act, first = meg, what = 'it') {
      const others = [owner, meg, guest, outsider].filter((person) => person !== first);
      return watchers.expectEventsMatchRegistration([first, ...others], act, what);
    },
  };
}
