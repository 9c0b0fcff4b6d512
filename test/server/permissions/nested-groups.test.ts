import {expect, test} from 'vitest';
import {type TestServer, testServer} from '#test/support/server.ts';

/** Creates groups that contain each other, the first one all others, and returns their ids. */
async function nestGroups(
  server: TestServer,
  names: readonly string[],
  innermost: readonly number[],
): Promise<number[]> {
  const owner = server.as(server.people.owner('Oona First'));
  const ids: number[] = [];
  for (const name of names.toReversed()) {
    const isInnermost = ids.length === 0;
    const {group_id} = await owner.post('/user_groups/create', {
      name,
      description: '',
      members: isInnermost ? innermost : [],
      subgroups: isInnermost ? [] : [ids[0]],
    });
    ids.unshift(group_id);
  }
  return ids;
}

test('nested groups: members of a group three levels down have the permission, until one link is removed', async () => {
  const server = await testServer();
  const [meg, otto] = [server.people.member(), server.people.member('Otto')];
  const owner = server.people.owner();
  const [outer = 0, middle = 0, inner = 0] = await nestGroups(server, ['outer', 'middle', 'inner'], [meg.id]);
  const channel = server.people.channel('plans', [owner], {invite_only: 1, permissions: {can_subscribe_group: outer}});
  const {id} = await server.as(owner).post('/messages', {type: 'stream', to: channel, topic: 't', content: 'hi'});
  const reads = async (person: typeof meg) => (await server.as(person).raw('GET', `/messages/${id}`)).status === 200;
  expect([await reads(meg), await reads(otto)]).toEqual([true, false]);
  const listener = await server.as(meg).listen({event_types: ['stream']});
  await server.as(owner).post(`/user_groups/${middle}/subgroups`, {delete: [inner]});
  expect(await reads(meg)).toBe(false);
  await server.as(owner).post(`/user_groups/${middle}/subgroups`, {add: [inner]});
  expect(await reads(meg)).toBe(true);
  expect((await listener.events()).map(({op}) => op)).toEqual(['delete', 'create']);
});

test('nested groups: a permission of the organization, a mention and a setting of members reach the innermost group', async () => {
  const server = await testServer();
  const [meg, otto] = [server.people.member(), server.people.member('Otto')];
  const [outer = 0] = await nestGroups(server, ['outer', 'middle', 'inner'], [meg.id]);
  server.people.setting('can_delete_any_message_group', {direct_members: [], direct_subgroups: [outer]});
  const channel = server.people.channel('general', [meg, otto]);
  const send = async (content: string) =>
    (await server.as(otto).post('/messages', {type: 'stream', to: channel, topic: 't', content})).id;
  const listener = await server.as(meg).listen({event_types: ['message']});
  const ids = [await send('@*outer* hello'), await send('hello')];
  expect((await listener.events()).map(({flags}) => flags.includes('mentioned'))).toEqual([true, false]);
  for (const id of ids) await server.as(meg).delete(`/messages/${id}`);
});
