import {testServer} from '#test/support/server.ts';
import {verbFixture} from './verb-fixture.ts';

/** Creates an organization with a member Meg, who runs the verbs, a member Otto, and an owner. */
export async function verbScene(options: Parameters<typeof testServer>[0] = {}) {
  const server = await testServer({testHooks: true, ...options});
  const [meg, otto, owner] = [server.people.member(), server.people.member('Otto Other'), server.people.owner()];
  const people = [meg, otto, owner];
  const channelId = server.people.channel('general', people);
  const fault = (body: object) =>
    fetch(`${server.url}/test-hooks/fault`, {
      method: 'POST',
      headers: {'content-type': 'application/json'},
      body: JSON.stringify(body),
    });
  return {
    server,
    meg,
    otto,
    owner,
    people,
    channelId,
    fault,
    ...verbFixture(server, meg),
    asOwner: verbFixture(server, owner),
  };
}

/** The same, with functions that send and fetch messages in the topic “t” of #general. */
export async function messageScene() {
  const scene = await verbScene();
  const {server, meg, otto} = scene;
  const sayAs = (person: typeof meg) => async (content: string) => {
    const {id} = await server.as(person).post('/messages', {type: 'stream', to: 'general', topic: 't', content});
    return Number(id);
  };
  const message = async (id: number) => (await server.as(meg).get(`/messages/${id}`, {apply_markdown: false})).message;
  return {...scene, say: sayAs(meg), sayAsOtto: sayAs(otto), message};
}
