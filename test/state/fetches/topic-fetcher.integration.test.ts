import {expect, onTestFinished, test} from 'vitest';
import type {SessionOptions} from '#state/session.ts';
import {scratchFile} from '#test/storage/storage-fixture.ts';
import {type CountedApp, startCountingServer} from '#test/support/request-counter.ts';
import {fewOf} from '#test/support/tier.ts';
import {findConversations} from '#ui/search/find-conversations.ts';

const channelCount = 60;

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
  const start = async (options?: Partial<SessionOptions>) => {
    const app = counting.open('80x24', options);
    let stopped: Promise<void> | undefined;
    const stop = () => {
      stopped ??= app.stop();
      return stopped;
    };
    onTestFinished(stop);
    await app.settle();
    return {...app, stop};
  };
  return {counting, ids, topicRequests, start};
}

/** Lets the time pass in which all lists are fetched, in the small steps of a short time. */
async function passEnough(app: Pick<CountedApp, 'pass'>): Promise<void> {
  for (let count = 0; count < 4; count++) await app.pass(10_000);
}

function plants({session}: Pick<CountedApp, 'session'>): number {
  return findConversations(session.cache.state, {query: 'plants', limit: 100}).length;
}

test('topics: an idle program fetches none', async () => {
  const {topicRequests, start} = await oldTopics();
  const app = await start();
  await app.pass(60_000);
  expect(topicRequests()).toBe(0);
});

test.each(
  fewOf([
    ['Ctrl-G', 'the switcher'],
    ['q', 'the filter of the sidebar'],
    ['/', 'the search'],
    ['t', 'the list of recent conversations'],
  ]),
)('topics: %s, those of all subscribed channels are fetched while %s is used', async (key, _where) => {
  const {topicRequests, start} = await oldTopics();
  const app = await start();
  expect(plants(app)).toBe(0);
  app.press(key);
  await app.pass(2000);
  // Many channels are not fetched at once.
  const first = topicRequests();
  expect(first).toBeGreaterThan(5);
  expect(first).toBeLessThan(20);
  app.press('Esc', 'Esc', 'I');
  await app.pass(10_000);
  expect(topicRequests()).toBeLessThanOrEqual(1);
  app.press(key);
  await passEnough(app);
  expect(plants(app)).toBe(channelCount);
  topicRequests();
  await app.pass(60_000);
  expect(topicRequests()).toBe(0);
});

test('topics: a list that was complete less than an hour before the start is not fetched again', async () => {
  const {topicRequests, start} = await oldTopics();
  const first = await start();
  first.press('Ctrl-G');
  await passEnough(first);
  await first.stop();

  const soon = await start();
  expect(plants(soon)).toBe(channelCount);
  topicRequests();
  soon.press('Ctrl-G');
  await soon.pass(10_000);
  expect(topicRequests()).toBe(0);
  await soon.stop();

  const {clock} = soon.app;
  const later = await start({clock: {...clock, now: () => clock.now() + 3_600_000}});
  later.press('Ctrl-G');
  await passEnough(later);
  expect(topicRequests()).toBe(channelCount + 1);
});

test('topics: after a lost event queue, lists that were complete before are not fetched again', async () => {
  const {counting, ids, topicRequests, start} = await oldTopics();
  const app = await start();
  app.press('Ctrl-G');
  await passEnough(app);
  app.press('Esc');
  const {queues} = counting.server.context;
  for (const queue of [...queues.all()]) queues.delete(queue);
  counting.writer.toChannel(counting.otto, ids[7] ?? 0, 'new plants', {content: 'meanwhile'});
  await app.pass(70_000);
  topicRequests();
  app.press('Ctrl-G');
  await app.pass(10_000);
  expect([plants(app), topicRequests()]).toEqual([channelCount + 1, 0]);
});

test('topics: are fetched when the user goes to something by name, but not while keys are pressed', async () => {
  const {topicRequests, start} = await oldTopics();
  const app = await start();
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

test.each([
  ['Ctrl-G', '#channel 50>'],
  ['/', 'channel:"channel 50" topic:'],
  ['c', '#**channel 50>'],
])('topics: %s, those of a channel that is named are fetched before others', async (key, text) => {
  const {ids, start} = await oldTopics();
  const app = await start();
  app.press(key);
  if (key === 'c') app.press('Tab', 'Tab');
  for (const letter of text) app.type(letter);
  await app.settle();
  if (key === 'c') {
    const options = app.app.screen.composer.menu?.completion.options.map(({label}) => label);
    expect(options).toEqual(['#channel 50', 'plants 50']);
  }
  const {topics} = app.session.cache.state;
  expect([...topics].filter(([, {complete}]) => complete).map(([id]) => id)).toEqual([ids[50]]);
});
