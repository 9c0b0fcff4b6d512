import {setImmediate as nextImmediate, setTimeout as sleep} from 'node:timers/promises';
import {type BenchAccount, BenchApiClient, type BenchServer} from '#test/bench/bench-server.ts';
import {summary} from '#test/bench/table.ts';

const senders = 50;
export const warmUpMs = 2000;

/** One row of the sending table: how many clients poll, how many of them get each message, how many messages a second. */
export interface Load {
  readonly pollers: number;
  readonly fanOut: number;
  /** Messages are sent at this rate however long responses take; without it, 50 senders wait for each response. */
  readonly perSecond?: number;
}

interface Delivery {
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
  readonly delivered: number;
  readonly expected: number;
  /** The responses to polls that brought the events. */
  readonly responses: number;
}

async function subscribeGroups(
  clients: readonly BenchApiClient[],
  {pollers, fanOut, perSecond}: Load,
): Promise<string[]> {
  const names = Array.from(
    {length: pollers / fanOut},
    (_, index) => `bench ${pollers}-${fanOut}-${perSecond}-${index}`,
  );
  for (const [index, name] of names.entries()) {
    const members = clients.slice(index * fanOut, (index + 1) * fanOut).map(({account}) => account.user_id);
    await clients[0]?.call('POST', '/users/me/subscriptions', {
      subscriptions: [{name}],
      principals: members,
      send_new_subscription_messages: false,
    });
  }
  return names;
}

/** Lets clients long-poll and messages be sent to their channels; measures from when a message is due until it arrives. */
export async function measureDelivery(
  server: BenchServer,
  accounts: readonly BenchAccount[],
  load: Load,
  seconds: number,
): Promise<Delivery> {
  const {pollers, fanOut, perSecond} = load;
  const clients = accounts.slice(0, pollers).map((account) => new BenchApiClient(server, account));
  const channels = await subscribeGroups(clients, load);
  const delays: number[] = [];
  let delivered = 0;
  let responses = 0;
  // During the warm-up both processes compile their code: its messages are sent but not counted.
  let warmAt = Number.POSITIVE_INFINITY;
  let isRunning = true;
  const poll = async (client: BenchApiClient, queue: {queue_id: string; last_event_id: number}) => {
    let {queue_id, last_event_id} = queue;
    while (isRunning) {
      const {events} = await client.call('GET', '/events', {queue_id, last_event_id});
      const now = performance.now();
      responses++;
      for (const event of events) {
        last_event_id = event.id;
        if (event.type !== 'message') continue;
        delivered++;
        const sentAt = Number(event.message.content.split(' ')[1]);
        if (sentAt >= warmAt) delays.push(now - sentAt);
      }
    }
    // An unread queue would fill up and slow down the next round.
    await client.call('DELETE', '/events', {queue_id});
  };
  const registration = {event_types: ['message'], fetch_event_types: []};
  const queues = await Promise.all(clients.map((client) => client.call('POST', '/register', registration)));
  const polls = clients.map((client, index) => poll(client, queues[index]));
  const send = (serial: number, due: number) => {
    const channel = serial % channels.length;
    const sender = clients[channel * fanOut + (Math.floor(serial / channels.length) % fanOut)];
    return sender?.call('POST', '/messages', {
      type: 'stream',
      to: channels[channel] ?? '',
      topic: 'load',
      content: `at ${due}`,
    });
  };
  let sent = 0;
  const start = performance.now();
  warmAt = start + warmUpMs;
  const end = warmAt + seconds * 1000;
  const requests: unknown[] = [];
  if (perSecond === undefined) {
    const sender = async () => {
      while (performance.now() < end) await send(sent++, performance.now());
    };
    requests.push(...Array.from({length: senders}, sender));
  } else {
    for (let due = start; due < end; due += 1000 / perSecond) {
      // A timer takes at least a millisecond, so one for each message would be the limit of the rate.
      const early = due - performance.now();
      await (early > 0 ? sleep(early) : nextImmediate());
      requests.push(send(sent++, due));
    }
  }
  await Promise.all(requests);
  const rate = (sent * 1000) / (performance.now() - start);
  const expected = sent * fanOut;
  for (let wait = 0; wait < 100 && delivered < expected; wait++) await sleep(20);
  isRunning = false;
  for (const serial of channels.keys()) await send(serial, 0);
  await Promise.all(polls);
  return {rate, ...summary(delays), delivered: Math.min(delivered, expected), expected, responses};
}
