import type {Person} from '#test/support/people.ts';
import {type TestServer, testServer} from '#test/support/server.ts';
import {expectEventsToMatchState} from './harness.ts';

/** An owner, a member, a guest and a member who is in no channel; one public channel, one private with hidden history. */
export interface Scene {
  readonly server: TestServer;
  readonly owner: Person;
  readonly meg: Person;
  readonly guest: Person;
  readonly outsider: Person;
  readonly general: number;
  readonly secret: number;
  say(person: Person, content: string, topic?: string, to?: number): Promise<number>;
  tell(person: Person, to: readonly Person[], content: string): Promise<number>;
  /** All four watch; something must happen for `first` (the member unless said otherwise). */
  watch(act: () => Promise<unknown>, first?: Person): Promise<void>;
}

export async function scene(): Promise<Scene> {
  const server = await testServer();
  const {people} = server;
  const [owner, meg, guest, outsider] = [
    people.owner(),
    people.member(),
    people.guest(),
    people.member('Odd Outsider'),
  ];
  const general = people.channel('general', [owner, meg, guest]);
  const secret = people.channel('secret', [owner, meg], {invite_only: 1, history_public_to_subscribers: 0});
  return {
    server,
    owner,
    meg,
    guest,
    outsider,
    general,
    secret,
    async say(person, content, topic = 'talk', to = general) {
      return (await server.as(person).post('/messages', {type: 'stream', to, topic, content})).id;
    },
    async tell(person, to, content) {
      return (await server.as(person).post('/messages', {type: 'direct', to: to.map(({id}) => id), content}))
        .id;
    },
    watch(act, first = meg) {
      const others = [owner, meg, guest, outsider].filter((person) => person !== first);
      return expectEventsToMatchState(server, [first, ...others], act);
    },
  };
}
