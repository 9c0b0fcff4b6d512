import {expect, onTestFinished, test} from 'vitest';
import {findUser} from '#server/db/users.ts';
import {readTutorial} from '#server/demo-bots/tutorial-script.ts';
import {seedDemoWorld} from '#server/seed/demo-world.ts';
import {startServer} from '#server/server.ts';
import {Random} from '#std/random.ts';
import {ApiClient} from '#test/support/api-client.ts';
import {ManualClock} from '#test/support/manual-clock.ts';

const steps = readTutorial();
const textOfStep = (step: number) => steps[step]?.say.replaceAll('{{name}}', 'Robin') ?? '';

class CountingClock extends ManualClock {
  timers = 0;

  override after(ms: number, task: () => void): () => void {
    this.timers++;
    return super.after(ms, task);
  }
}

async function startTutorial() {
  const clock = new CountingClock(new Date(2026, 10, 11, 14, 0).getTime());
  const random = new Random(7);
  const server = await startServer({clock, random: () => random.next(), prepare: seedDemoWorld, bots: 'on'});
  onTestFinished(() => server.close());
  const {db} = server.context;
  const userIds = JSON.parse(db.value<string>(`SELECT value FROM meta WHERE key = 'cast'`) ?? '{}');
  const robin = findUser(db, userIds.you);
  if (robin === undefined) throw new Error('The demo has no learner');
  const you = new ApiClient(server.url, {
    id: robin.id,
    email: robin.delivery_email,
    fullName: robin.full_name,
    apiKey: server.context.secrets.apiKey(robin),
  });
  const first = db.value<number>('SELECT MAX(id) FROM message') ?? 0;
  const guideMessages = () =>
    db.pluck<string>(
      'SELECT content FROM message WHERE id > ? AND sender_id = ? AND dm_id IS NOT NULL ORDER BY id',
      first,
      userIds.pilot,
    );
  /** Advances the clock by five seconds, in which the tutorial checks and sends. */
  const advance = () => {
    for (let second = 0; second < 5; second++) clock.advance(1000);
  };
  const unread = () =>
    db.value<number>(
      `SELECT um.message_id FROM user_message AS um JOIN message AS m ON m.id = um.message_id
       WHERE um.user_id = ? AND um.flags & 1 AND m.channel_id IS NOT NULL`,
      robin.id,
    ) ?? 0;
  return {you, guideMessages, advance, pilot: userIds.pilot as number, unread, clock};
}

test('tutorial: the guide starts when the learner stays connected, and sends the next step after each task', async () => {
  const {you, guideMessages, advance, pilot, unread} = await startTutorial();
  advance();
  expect(guideMessages()).toEqual([]);
  await you.listen();
  advance();
  expect(guideMessages()).toEqual([textOfStep(0)]);
  advance();
  expect(guideMessages()).toHaveLength(1);

  await you.post('/messages', {type: 'direct', to: [pilot], content: 'anything'});
  advance();
  expect(guideMessages()).toEqual([textOfStep(0), textOfStep(1)]);

  const messages = [unread()];
  await you.post('/messages/flags', {messages, op: 'add', flag: 'read'});
  advance();
  expect(guideMessages().at(-1)).toBe(textOfStep(2));
  advance();
  expect(guideMessages()).toHaveLength(3);

  await you.post('/messages/flags', {messages, op: 'remove', flag: 'read'});
  advance();
  expect(guideMessages().at(-1)).toBe(textOfStep(3));

  await you.post(`/messages/${messages[0]}/reactions`, {emoji_name: 'thumbs_up'});
  advance();
  expect(guideMessages().at(-1)).toBe(textOfStep(4));

  await you.post('/messages', {type: 'stream', to: 'galley', topic: 'soup', content: 'more salt'});
  advance();
  expect(guideMessages().at(-1)).toBe(textOfStep(5));
  advance();
  expect(guideMessages()).toHaveLength(steps.length);
});

test('tutorial: the guide answers other questions by its rules', async () => {
  const {you, guideMessages, advance, pilot} = await startTutorial();
  await you.listen();
  advance();
  await you.post('/messages', {type: 'direct', to: [pilot], content: 'hello'});
  advance();
  await you.post('/messages', {type: 'direct', to: [pilot], content: 'drafts'});
  advance();
  expect(guideMessages()).toHaveLength(3);
  expect(guideMessages()[2]).toMatch(/draft/i);
});

test('tutorial: while the learner does nothing, no timer runs for it', async () => {
  const {you, guideMessages, advance, clock} = await startTutorial();
  await you.listen();
  advance();
  advance();
  expect(guideMessages()).toHaveLength(1);
  const before = clock.timers;
  advance();
  expect(clock.timers).toBe(before);
});
