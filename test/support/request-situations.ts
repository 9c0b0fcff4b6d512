import {openConversation} from '#app/navigation/navigation.ts';
import {type CountedApp, type CountedRequest, type CountingServer, startCountingServer} from './request-counter.ts';

/** How many requests the program sends in a situation, besides the long poll. */
interface RequestSituation {
  readonly name: string;
  /** The number of requests allowed for each unit: a start, a minute, a conversation. */
  readonly budget: number;
  /** Returns the number of units and the requests for them. */
  measure(): Promise<MeasuredRequests>;
}

interface MeasuredRequests {
  readonly units: number;
  readonly requests: readonly CountedRequest[];
}

const usualChannels = 6;
const manyChannels = 80;
const unreadTopics = 60;
const unreadMessages = 300;
const openedTopics = 20;
const triagedConversations = 40;

/** Every situation has a budget for the real server's limit of 200 requests a minute. */
export const requestSituations: readonly RequestSituation[] = [
  {
    name: 'start without saved data',
    budget: 6,
    measure: () =>
      withServer(async (counting) => {
        const app = await started(counting);
        return ended(counting, app, 1);
      }),
  },
  {
    name: 'start with saved data',
    budget: 5,
    measure: () =>
      withServer(async (counting) => {
        const first = await started(counting);
        await first.stop();
        counting.take();
        return ended(counting, await started(counting), 1);
      }),
  },
  {
    name: 'start in many channels, without saved data',
    budget: 6,
    measure: () => withServer(async (counting) => ended(counting, await started(counting), 1), manyChannels),
  },
  {
    name: 'start in many channels, with saved data',
    budget: 5,
    measure: () =>
      withServer(async (counting) => {
        await (await started(counting)).stop();
        counting.take();
        return ended(counting, await started(counting), 1);
      }, manyChannels),
  },
  {
    // The report of the user's presence.
    name: 'an idle minute in many channels',
    budget: 1,
    measure: () =>
      withServer(async (counting) => {
        const app = await started(counting);
        counting.take();
        await app.pass(5 * 60_000);
        return ended(counting, app, 5);
      }, manyChannels),
  },
  {
    name: 'the topics of a channel, while the user looks for one by name',
    budget: 1,
    measure: () =>
      withServer(async (counting) => {
        const app = await started(counting);
        counting.take();
        app.press('Ctrl-G');
        await app.pass(10_000);
        return ended(counting, app, usualChannels);
      }),
  },
  {name: 'a topic opened and read', budget: 2, measure: () => withServer((counting) => openTopics(counting, '80x24'))},
  {
    name: 'a topic opened and read beside the list of topics',
    budget: 2.5,
    measure: () => withServer((counting) => openTopics(counting, '120x40')),
  },
  {name: 'a conversation triaged', budget: 1.5, measure: () => withServer(triage)},
  {name: 'a conversation of one busy channel triaged', budget: 1.5, measure: () => withServer(triage, 1)},
  {
    name: 'a lost event queue after triage',
    budget: 15,
    measure: () =>
      withServer(async (counting) => {
        const app = await triageAll(counting);
        counting.take();
        const {queues} = counting.server.context;
        for (const queue of [...queues.all()]) queues.delete(queue);
        await app.pass(10_000);
        return ended(counting, app, 1);
      }),
  },
  {
    name: 'a minute of typing',
    budget: 10,
    measure: () =>
      withServer(async (counting) => {
        const app = await started(counting);
        openConversation(app.app, {kind: 'topic', ...topicAt(counting, 0)});
        app.press('r');
        await app.settle();
        counting.take();
        for (let at = 0; at < 600; at++) {
          app.type(at % 6 === 5 ? ' ' : 'a');
          await app.pass(100);
        }
        return ended(counting, app, 1);
      }),
  },
];

async function openTopics(counting: CountingServer, size: string): Promise<MeasuredRequests> {
  const app = await started(counting, size);
  counting.take();
  for (let at = 0; at < openedTopics; at++) {
    openConversation(app.app, {kind: 'topic', ...topicAt(counting, at)});
    await app.pass(2000);
  }
  return ended(counting, app, openedTopics);
}

async function triage(counting: CountingServer): Promise<MeasuredRequests> {
  return ended(counting, await triageAll(counting), triagedConversations);
}

async function triageAll(counting: CountingServer): Promise<CountedApp> {
  const app = await started(counting);
  counting.take();
  for (let at = 0; at < triagedConversations; at++) {
    app.press('e');
    await app.pass(500);
  }
  return app;
}

/** Runs with a server whose inbox has more unread messages than the first request for messages returns. */
async function withServer(
  run: (counting: CountingServer) => Promise<MeasuredRequests>,
  channelCount = usualChannels,
): Promise<MeasuredRequests> {
  const counting = await startCountingServer();
  try {
    const {people, writer, meg, otto} = counting;
    const channels = Array.from({length: channelCount}, (_, at) => people.channel(`channel ${at}`, [meg, otto]));
    for (let at = 0; at < unreadMessages; at++) {
      const topic = at % unreadTopics;
      const channelId = channels[topic % channelCount] ?? 0;
      writer.toChannel(otto, channelId, `topic ${topic}`, {content: `message ${at}`});
    }
    for (let at = 0; at < 5; at++) writer.toPeople(people.member(`Person ${at}`), [meg]);
    // The page of the newest direct messages does not reach the unread ones.
    for (let at = 0; at < 150; at++) writer.toPeople(meg, [otto]);
    return await run(counting);
  } finally {
    await counting.close();
  }
}

function topicAt(counting: CountingServer, at: number): {channelId: number; topic: string} {
  const {db} = counting.server.context;
  const channelId = db.value('SELECT channel_id FROM message WHERE topic = ? LIMIT 1', `topic ${at}`) ?? 0;
  return {channelId, topic: `topic ${at}`};
}

/** Starts the program and waits until everything of the start is done. */
async function started(counting: CountingServer, size?: string): Promise<CountedApp> {
  const app = counting.open(size);
  await app.settle();
  await app.pass(5000);
  return app;
}

async function ended(counting: CountingServer, app: CountedApp, units: number): Promise<MeasuredRequests> {
  const requests = counting.take().filter(({name}) => name !== 'GET /events');
  await app.stop();
  return {units, requests};
}
