import {expect, test} from 'vitest';
import {SystemGroup} from '#server/organization/permission-rules.ts';
import {testServer} from '#test/support/server.ts';

/** A private channel with Meg, a moderator, and bots of Meg and of Otto, who is not in it. */
async function setup(permissions: object = {}) {
  const server = await testServer();
  const {people} = server;
  const [meg, otto] = [people.moderator('Meg'), people.member('Otto')];
  const channel = people.channel('secret', [meg], {invite_only: 1, permissions});
  const message = {type: 'channel', to: channel, topic: 't', content: 'Hi'};
  const [megsBot, ottosBot] = [server.as(people.bot('Ada', meg)), server.as(people.bot('Bob', otto))];
  return {server, megsBot, ottosBot, message, channel, otto};
}

test('send as bot: a bot may send where its owner may, and not elsewhere', async () => {
  const {megsBot, ottosBot, message} = await setup();
  await megsBot.post('/messages', message);
  const {body} = await ottosBot.raw('POST', '/messages', message);
  expect(body).toMatchObject({result: 'error'});
});

test.each(['can_send_message_group', 'can_create_topic_group'])(
  'send as bot: %s of the owner counts for the bot',
  async (name) => {
    const {server, megsBot, ottosBot, message, channel, otto} = await setup({[name]: SystemGroup.moderators});
    server.people.subscribe(otto, channel);
    await megsBot.post('/messages', message);
    const {body} = await ottosBot.raw('POST', '/messages', {...message, topic: 'new'});
    expect(body).toMatchObject({result: 'error', code: 'BAD_REQUEST'});
  },
);
