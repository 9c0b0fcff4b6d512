import {expect, test} from 'vitest';
import {type SessionFixture, sessionFixture, waitForState} from '#test/state/session-fixture.ts';

async function withTopics(names: readonly string[]) {
  const fixture = await sessionFixture();
  for (const name of names) await fixture.postMessage('one', name);
  const session = fixture.session();
  session.start();
  await session.ready();
  await session.fetchTopics(fixture.channelId);
  return {fixture, session};
}

function deleteTopic({server, channelId}: SessionFixture, topic_name: string) {
  const owner = server.people.owner();
  return server.as(owner).post(`/streams/${channelId}/delete_topic`, {topic_name});
}

test.each(['old', 'new'])('topics: a deleted topic leaves the list (%s)', async (deleted) => {
  const {fixture, session} = await withTopics(['old', 'middle', 'new']);
  const names = () => [...(session.cache.state.topics.get(fixture.channelId)?.byKey.keys() ?? [])];
  expect(names()).toEqual(['middle', 'new', 'old']);
  await deleteTopic(fixture, deleted);
  await waitForState(session, () => !names().includes(deleted));
  expect(names()).toEqual(['middle', 'new', 'old'].filter((name) => name !== deleted));
  expect(session.cache.state.topics.get(fixture.channelId)?.complete).toBe(true);
});

test('topics: a topic that lost its newest message stays in the list with the next one', async () => {
  const {fixture, session} = await withTopics(['talk']);
  const {server, otto, channelId} = fixture;
  const first = session.cache.state.topics.get(channelId)?.byKey.get('talk')?.maxId;
  const second = await fixture.postMessage('two', 'talk');
  const maxId = () => session.cache.state.topics.get(channelId)?.byKey.get('talk')?.maxId;
  await waitForState(session, () => maxId() === second);
  await server.as(otto).delete(`/messages/${second}`);
  await waitForState(session, () => maxId() === first);
});

test('topics: a list that could not be fetched again is fetched a while later', async () => {
  const {fixture, session} = await withTopics(['old', 'new']);
  const names = () => [...(session.cache.state.topics.get(fixture.channelId)?.byKey.keys() ?? [])];
  await fixture.hook('fault', {method: 'GET', path: '/users/me/', kind: 'status', status: 503, times: 8});
  await deleteTopic(fixture, 'new');
  await waitForState(session, ({topics}) => topics.get(fixture.channelId)?.complete === false);
  await waitForState(session, ({topics}) => topics.get(fixture.channelId)?.complete === true);
  expect(names()).toEqual(['old']);
});
