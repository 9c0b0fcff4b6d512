import {expect, onTestFinished, test} from 'vitest';
import {findConversations} from '#app/search/find-conversations.ts';
import {scratchFile} from '#test/storage/storage-fixture.ts';
import {type CountedApp, startCountingServer} from '#test/support/request-counter.ts';

const channelCount = 30;

/** A server with channels whose topics are all older than the messages that a start loads. */
async function oldTopics() {
  const counting = await startCountingServer({path: scratchFile()});
  onTestFinished(() => counting.close());
  const {people, writer, meg, otto} = counting;
  const ids = Array.from({length: channelCount}, (_, at) => people.channel(`channel ${at}`, [meg, otto]));
  for (const [at, id] of ids.entries()) writer.toChannel(meg, id, `plants ${at}`, {content: 'old'});
  const busy = people.channel('busy', [meg, otto]);
  for (let at = 0; at < 400; at++) writer.toChannel(otto, busy, 'chatter', {content: String(at)});
  const topicRequests = () => counting.take().filter(({name}) => name.endsWith('/topics')).length;
  return {counting, topicRequests};
}

function plants({session}: CountedApp): number {
  return findConversations(session.cache.state, {query: 'plants', limit: 50}).length;
}

test('topics: those of all subscribed channels are fetched after the start, and saved for the next one', async () => {
  const {counting, topicRequests} = await oldTopics();
  const app = counting.open();
  await app.settle();
  await app.pass(5000);
  expect([plants(app), topicRequests()]).toEqual([0, 0]);
  await app.pass(6000);
  // Many channels are not fetched at once.
  expect(topicRequests()).toBeLessThan(channelCount);
  await app.pass(30_000);
  expect(plants(app)).toBe(channelCount);
  topicRequests();
  await app.pass(60_000);
  expect(topicRequests()).toBe(0);
  await app.stop();

  const next = counting.open();
  onTestFinished(() => next.stop());
  expect(plants(next)).toBe(channelCount);
  await next.settle();
  expect(plants(next)).toBe(channelCount);
});

test('topics: are fetched at once when the user goes to something by name, but not while keys are pressed', async () => {
  const {counting, topicRequests} = await oldTopics();
  const app = counting.open();
  onTestFinished(() => app.stop());
  await app.settle();
  topicRequests();
  app.press('Ctrl-G');
  for (const letter of 'plants') {
    app.session.noteActivity('key');
    app.type(letter);
    await app.pass(200);
  }
  expect(topicRequests()).toBe(0);
  await app.pass(2000);
  expect(topicRequests()).toBeGreaterThan(5);
});
