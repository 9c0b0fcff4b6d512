import {clientOf} from '#test/api/client.ts';
import type {Person} from '#test/support/people.ts';
import {type TestServer, testServer} from '#test/support/server.ts';

/** Starts a server of this level with three users and one channel. */
export async function levelFixture(level: number) {
  const server = await testServer({level, testHooks: true});
  const {people} = server;
  const [owner, meg, otto] = [people.owner(), people.member(), people.member('Otto')];
  const channel = people.channel('general', [owner, meg, otto]);
  const say = async (content: string, topic = 'talk', by: Person = otto): Promise<number> =>
    (await server.as(by).post('/messages', {type: 'stream', to: channel, topic, content})).id;
  return {server, owner, meg, otto, channel, say, api: clientOf(server, meg)};
}

export async function unreadIds(server: TestServer, person: Person): Promise<number[]> {
  const narrow = [['is', 'unread']];
  const page = await server.as(person).get('/messages', {anchor: 'oldest', num_after: 5000, num_before: 0, narrow});
  return page.messages.map(({id}: {id: number}) => id);
}
