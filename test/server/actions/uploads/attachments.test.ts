import {expect, test} from 'vitest';
import {sendMessage} from '#server/actions/messages/send-message.ts';
import {findUser} from '#server/db/users.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {testServer} from '#test/support/server.ts';

async function setup() {
  const clock = new ManualClock();
  const server = await testServer({clock});
  const meg = server.people.member();
  const otto = server.people.member('Otto Other');
  const client = server.as(meg);
  const upload = async (name: string, text: string) => {
    const {body} = await client.upload('/user_uploads', name, new Uint8Array(new TextEncoder().encode(text)));
    return String(body.url);
  };
  const share = (url: string) =>
    server.context.runAction((act) => {
      const sender = findUser(act.db, meg.id);
      if (sender === undefined) throw new Error('no such person');
      const destination = {kind: 'direct', userIds: [otto.id]} as const;
      return sendMessage(act, sender, {destination, content: `[file](${url})`, client: 'test'}).row.id;
    });
  return {clock, server, client, other: server.as(otto), upload, share};
}

test('attachments: the user’s files are listed with the messages that link to them', async () => {
  const {clock, client, other, upload, share} = await setup();
  const url = await upload('a.txt', 'four');
  await upload('b.txt', 'fifteen letters');
  const messageId = share(url);
  const {attachments, upload_space_used} = await client.get('/attachments');
  expect(upload_space_used).toBe(19);
  expect(attachments).toEqual([
    {
      id: expect.any(Number),
      name: 'a.txt',
      path_id: url.replace('/user_uploads/', ''),
      size: 4,
      create_time: clock.seconds(),
      message_ids: [messageId],
    },
    expect.objectContaining({name: 'b.txt', message_ids: []}),
  ]);
  expect((await other.get('/attachments')).attachments).toEqual([]);
});

test('attachments: events go only to the owner’s sessions', async () => {
  const {client, other, upload, share} = await setup();
  const own = await client.listen({event_types: ['attachment']});
  const theirs = await other.listen({event_types: ['attachment']});
  const url = await upload('a.txt', 'four');
  const messageId = share(url);
  const [attachment] = (await client.get('/attachments')).attachments;
  await client.delete(`/attachments/${attachment.id}`);
  const type = 'attachment';
  expect(await own.events()).toEqual([
    {id: 0, type, op: 'add', attachment: {...attachment, message_ids: []}, upload_space_used: 4},
    {id: 1, type, op: 'update', attachment: {...attachment, message_ids: [messageId]}, upload_space_used: 4},
    {id: 2, type, op: 'remove', attachment: {id: attachment.id}, upload_space_used: 0},
  ]);
  expect(await theirs.events()).toEqual([]);
});

test('attachments: a deleted file is not found by any user', async () => {
  const {server, client, other, upload, share} = await setup();
  const url = await upload('a.txt', 'four');
  share(url);
  expect((await other.web(url)).status).toBe(200);
  const [{id}] = (await client.get('/attachments')).attachments;
  await client.delete(`/attachments/${id}`);
  expect([(await client.web(url)).status, (await other.web(url)).status]).toEqual([404, 404]);
  expect(await server.context.files.open(url.replace('/user_uploads/', ''))).toBeUndefined();
});

test('attachments: an unknown file or another user’s cannot be deleted', async () => {
  const {client, other, upload, share} = await setup();
  share(await upload('a.txt', 'four'));
  const [{id}] = (await client.get('/attachments')).attachments;
  await other.refused('DELETE', `/attachments/${id}`, {}, {code: 'BAD_REQUEST'});
  await client.refused('DELETE', '/attachments/999', {}, {code: 'BAD_REQUEST'});
  expect((await client.get('/attachments')).attachments).toHaveLength(1);
});
