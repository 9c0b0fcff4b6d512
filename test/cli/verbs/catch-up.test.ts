import {expect, test} from 'vitest';
import {testServer} from '#test/support/server.ts';
import {verbFixture} from './verb-fixture.ts';

async function scene() {
  const server = await testServer();
  const [meg, otto] = [server.people.member(), server.people.member('Otto Other')];
  server.people.channel('ops', [meg, otto]);
  const say = async (topic: string, content: string): Promise<number> =>
    (await server.as(otto).post('/messages', {type: 'stream', to: 'ops', topic, content})).id;
  const fixture = verbFixture(server, meg);
  return {...fixture, server, meg, otto, say};
}

test('catch-up prints what matters first, as text and JSON, and marks nothing as read', async () => {
  const {run, say, server, meg, otto} = await scene();
  const old = await say('ancient', 'long ago');
  const month = Math.floor(Date.now() / 1000) - 30 * 86_400;
  server.context.db.run('UPDATE message SET sent_at = ? WHERE id = ?', month, old);
  for (const text of ['one', 'two', 'three', 'four']) await say('chatter', text);
  await say('disk', `@**${meg.fullName}** can you look?`);
  await server.as(otto).post('/messages', {type: 'private', to: [meg.id], content: 'Lunch?'});
  const {code, out, err} = await run('catch-up', []);
  expect([code, err]).toEqual([0, '']);
  expect(out).toBe(
    `${[
      '@1  #ops › disk (mentions you, asks you)',
      `  Otto Other: @${meg.fullName} can you look?`,
      '',
      '1  Otto Other (asks you)',
      '  Otto Other: Lunch?',
      '',
      '4  #ops › chatter (4 messages)',
      '  Otto Other: two',
      '  Otto Other: three',
      '  Otto Other: four',
      '  and 1 more unread message',
    ].join('\n')}\n`,
  );
  const json = JSON.parse((await run('catch-up', ['--since', '10w', '--json'])).out);
  expect(json).toMatchObject({
    isComplete: true,
    conversations: [
      {reasons: ['mention', 'question', 'followed'], count: 1, mentions: 1},
      {reasons: ['question', 'direct'], messages: [{content: 'Lunch?', sender: 'Otto Other'}]},
      {reasons: ['other'], count: 4},
      {conversation: {topic: 'ancient'}},
    ],
  });
  expect(JSON.parse((await run('unread', ['--json'])).out).all).toBe(7);
});

test('catch-up says that there is nothing, and what is wrong with a time', async () => {
  const {run} = await scene();
  expect(await run('catch-up', ['--since', '1h'])).toMatchObject({code: 0, out: 'Nothing to catch up on.\n', err: ''});
  const wrong = await run('catch-up', ['--since', 'never']);
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('“never” is not a time.')]);
});
