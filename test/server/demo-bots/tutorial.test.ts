import {expect, onTestFinished, test} from 'vitest';
import {findUser} from '#server/db/users.ts';
import {readTutorial} from '#server/demo-bots/tutorial-script.ts';
import {seedDemoWorld} from '#server/seed/demo-world.ts';
import {startServer} from '#server/server.ts';
import {Random} from '#std/random.ts';
import {ApiClient} from '#test/support/api-client.ts';
import {ManualClock} from '#test/support/manual-clock.ts';

const steps = readTutorial();
const saying = (step: number) => steps[step]?.say.replaceAll('{{name}}', 'Robin') ?? '';

async function firstVisit() {
  const clock = new ManualClock(new Date(2026, 10, 11, 14, 0).getTime());
  const random = new Random(7);
  const server = await startServer({clock, random: () => random.next(), prepare: seedDemoWorld, bots: 'on'});
  onTestFinished(() => server.close());
  const {db} = server.world;
  const cast = JSON.parse(db.value<string>(`SELECT value FROM meta WHERE key = 'cast'`) ?? '{}');
  const robin = findUser(db, cast.you);
  if (robin === undefined) throw new Error('nobody to teach');
  const you = new ApiClient(server.url, {
    id: robin.id,
    email: robin.delivery_email,
    fullName: robin.full_name,
    apiKey: server.world.secrets.apiKey(robin),
  });
  const first = db.value<number>('SELECT MAX(id) FROM message') ?? 0;
  const said = () =>
    db.pluck<string>(
      'SELECT content FROM message WHERE id > ? AND sender_id = ? AND dm_id IS NOT NULL ORDER BY id',
      first,
      cast.pilot,
    );
  /** A few seconds, in which the guide looks and speaks. */
  const pass = () => {
    for (let second = 0; second < 5; second++) clock.advance(1000);
  };
  const unread = () =>
    db.value<number>(
      `SELECT um.message_id FROM user_message AS um JOIN message AS m ON m.id = um.message_id
       WHERE um.user_id = ? AND um.flags & 1 AND m.channel_id IS NOT NULL`,
      robin.id,
    ) ?? 0;
  return {you, said, pass, pilot: cast.pilot as number, unread};
}

test('the guide begins when somebody stays, and goes on with each thing that was done', async () => {
  const {you, said, pass, pilot, unread} = await firstVisit();
  pass();
  expect(said()).toEqual([]);
  await you.listen();
  pass();
  expect(said()).toEqual([saying(0)]);
  pass();
  expect(said()).toHaveLength(1);

  await you.post('/messages', {type: 'direct', to: [pilot], content: 'anything'});
  pass();
  expect(said()).toEqual([saying(0), saying(1)]);

  const messages = [unread()];
  await you.post('/messages/flags', {messages, op: 'add', flag: 'read'});
  pass();
  expect(said().at(-1)).toBe(saying(2));
  pass();
  expect(said()).toHaveLength(3);

  await you.post('/messages/flags', {messages, op: 'remove', flag: 'read'});
  pass();
  expect(said().at(-1)).toBe(saying(3));

  await you.post(`/messages/${messages[0]}/reactions`, {emoji_name: 'thumbs_up'});
  pass();
  expect(said().at(-1)).toBe(saying(4));

  await you.post('/messages', {type: 'stream', to: 'galley', topic: 'soup', content: 'more salt'});
  pass();
  expect(said().at(-1)).toBe(saying(5));
  pass();
  expect(said()).toHaveLength(steps.length);
});

test('what else is asked of the guide is answered as ever', async () => {
  const {you, said, pass, pilot} = await firstVisit();
  await you.listen();
  pass();
  await you.post('/messages', {type: 'direct', to: [pilot], content: 'hello'});
  pass();
  await you.post('/messages', {type: 'direct', to: [pilot], content: 'drafts'});
  pass();
  expect(said()).toHaveLength(3);
  expect(said()[2]).toMatch(/draft/i);
});
