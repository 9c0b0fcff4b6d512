import {slowTest} from '#test/support/tier.ts';
import {tides, twoUserFixture, usualSize} from './two-user-fixture.ts';

slowTest('renames: messages from before show today’s names, live and after a start', async () => {
  const chat = await twoUserFixture();
  const {server, otto, meg} = chat;
  const owner = server.as(server.people.owner());
  const group = await owner.post('/user_groups/create', {name: 'crew', description: '', members: [otto.id]});
  await chat.sendToTopic(otto, 'tides', '@**Meg Member** @*crew* look at #**harbour>ropes**');
  const terminal = chat.open(meg, {size: usualSize, args: [tides]});
  await terminal.waitFor('@Meg Member @crew look at #harbour › ropes');
  const {streams} = await owner.get('/streams');
  const harbour = streams.find(({name}: {name: string}) => name === 'harbour').stream_id;
  await owner.patch(`/users/${meg.id}`, {full_name: 'Meg of the Sea'});
  await owner.patch(`/user_groups/${group.group_id}`, {name: 'sailors'});
  await owner.patch(`/streams/${harbour}`, {new_name: 'port'});
  await terminal.waitFor('@Meg of the Sea @sailors look at #port › ropes');
  // Another machine, which has never seen the names of before.
  const other = chat.open(meg, {size: usualSize, args: ['#port>tides']});
  await other.waitFor('@Meg of the Sea @sailors look at #port › ropes');
});
