import {expect, test} from 'vitest';
import {deleteUnusedUploads} from '#server/actions/uploads/unused-uploads.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {testServer} from '#test/support/server.ts';

const week = 7 * 86_400_000;

async function startFixture() {
  const clock = new ManualClock();
  const server = await testServer({clock});
  const ann = server.people.member('Ann');
  const channel = server.people.channel('general', [ann]);
  const client = server.as(ann);
  const upload = async (name: string) =>
    String((await client.upload('/user_uploads', name, new TextEncoder().encode('x'), 'text/plain')).body.url);
  const names = async () => (await client.get('/attachments')).attachments.map(({name}: {name: string}) => name).sort();
  const send = (content: string) => client.post('/messages', {type: 'stream', to: 'general', topic: 't', content});
  const run = () => server.context.runAction(deleteUnusedUploads);
  return {clock, server, channel, client, upload, names, send, run};
}

test('unused uploads: five weeks after the last link to it an upload is deleted; drafts, descriptions and messages keep theirs', async () => {
  const {clock, server, channel, client, upload, names, send, run} = await startFixture();
  await upload('forgotten.txt');
  const drafted = await upload('drafted.txt');
  const {ids} = await client.post('/drafts', {
    drafts: [{type: 'private', to: [], topic: '', content: `[x](${drafted})`, timestamp: 1}],
  });
  const description = `[x](${await upload('described.txt')})`;
  await server.as(server.people.owner()).patch(`/streams/${channel}`, {description});
  await send(`[x](${await upload('sent.txt')})`);
  run();
  clock.setAhead(5 * week);
  run();
  expect(await names()).toEqual(['described.txt', 'drafted.txt', 'forgotten.txt', 'sent.txt']);
  clock.advance(2000);
  run();
  expect(await names()).toEqual(['described.txt', 'drafted.txt', 'sent.txt']);
  // The five weeks of what was named then begin anew.
  expect(run()).toBe(0);
  await client.delete(`/drafts/${ids[0]}`);
  run();
  expect(await names()).toContain('drafted.txt');
  clock.setAhead(5 * week + 1000);
  run();
  expect(await names()).toEqual(['described.txt', 'sent.txt']);
});

test('unused uploads: a link that is removed and put back begins the time anew', async () => {
  const {clock, client, upload, names, send, run} = await startFixture();
  const link = `[x](${await upload('tides.txt')})`;
  const {id} = await send(link);
  const edit = (content: string) => client.patch(`/messages/${id}`, {content});
  await edit('no link');
  run();
  clock.setAhead(4 * week);
  run();
  expect(await names()).toEqual(['tides.txt']);
  await send(link);
  run();
  clock.setAhead(4 * week);
  run();
  expect(await names()).toEqual(['tides.txt']);
});
