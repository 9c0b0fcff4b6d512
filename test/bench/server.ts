/**
 * npm run bench:server [-- --quick]
 *
 * What the embedded server holds on this machine. Figures are of a noisy machine: look at the ratios, and at the floor,
 * which is the same round trip with an answer that needs no work.
 */
import {setTimeout as sleep} from 'node:timers/promises';
import {
  type BenchAccount,
  BenchApiClient,
  type BenchServer,
  startBenchServer,
  worldDirectory,
} from './bench-server.ts';
import {ms, printTable, summary} from './table.ts';

const percent = (share: number): string => `${(100 * share).toFixed(0)} %`;
const quick = process.argv.includes('--quick');
const pollers = 200;
const senders = 50;
const warmUpMs = 2000;

async function floor(caller: BenchApiClient, rounds = 300): Promise<{p50: number; p99: number}> {
  const samples: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    await caller.text('GET', '/server_settings');
    samples.push(performance.now() - start);
  }
  return summary(samples);
}

interface Load {
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
  readonly delivered: number;
  readonly expected: number;
}

/** 200 clients wait on long polls; 50 senders post at `perSecond` between them, or as fast as answers come (Infinity). */
async function deliver(
  served: BenchServer,
  people: readonly BenchAccount[],
  fanOut: number,
  perSecond: number,
  seconds: number,
): Promise<Load> {
  const callers = people.slice(0, pollers).map((account) => new BenchApiClient(served, account));
  const [first] = callers;
  if (first === undefined) throw new Error('nobody to send');
  const rooms = Array.from(
    {length: Math.floor(pollers / fanOut)},
    (_, index) => `bench ${fanOut}-${perSecond}-${index}`,
  );
  for (const [index, name] of rooms.entries()) {
    const members = callers.slice(index * fanOut, (index + 1) * fanOut).map(({account}) => account.user_id);
    await first.call('POST', '/users/me/subscriptions', {
      subscriptions: [{name}],
      principals: members,
      send_new_subscription_messages: false,
    });
  }
  let delivered = 0;
  const delays: number[] = [];
  // The first moments are the compiler's, on both sides; they are sent but not counted.
  let warmAt = Number.POSITIVE_INFINITY;
  let open = true;
  const poll = async (caller: BenchApiClient) => {
    let {queue_id, last_event_id} = await caller.call('POST', '/register', {
      event_types: ['message'],
      fetch_event_types: [],
    });
    registered();
    while (open) {
      const {events} = await caller.call('GET', '/events', {queue_id, last_event_id});
      const now = performance.now();
      for (const event of events) {
        last_event_id = event.id;
        if (event.type !== 'message') continue;
        delivered++;
        const sentAt = Number(event.message.content.split(' ')[1]);
        if (sentAt >= warmAt) delays.push(now - sentAt);
      }
    }
    // A queue that nobody reads would go on filling up and slow the next round down.
    await caller.call('DELETE', '/events', {queue_id});
  };
  let waiting = callers.length;
  let registered = () => {};
  const allRegistered = new Promise<void>((resolve) => {
    registered = () => {
      waiting--;
      if (waiting === 0) resolve();
    };
  });
  const polls = callers.map((caller) => poll(caller).catch(() => {}));
  await allRegistered;
  let sent = 0;
  const start = performance.now();
  warmAt = start + warmUpMs;
  const end = warmAt + seconds * 1000;
  const send = async (index: number) => {
    const room = index % rooms.length;
    const sender = callers[room * fanOut + (Math.floor(index / rooms.length) % fanOut)] ?? first;
    const gap = (senders / perSecond) * 1000;
    for (let serial = 0; performance.now() < end; serial++) {
      // Senders start apart and keep their own beat, so that a slow answer does not thin the load.
      const due = start + (index / senders) * gap + serial * gap;
      if (Number.isFinite(perSecond) && due > performance.now()) await sleep(due - performance.now());
      if (performance.now() >= end) return;
      await sender.call('POST', '/messages', {
        type: 'stream',
        to: rooms[room] ?? '',
        topic: 'load',
        content: `at ${performance.now()}`,
      });
      sent++;
    }
  };
  await Promise.all(Array.from({length: senders}, (_, index) => send(index)));
  const took = (performance.now() - start) / 1000;
  const expected = sent * fanOut;
  for (let wait = 0; wait < 100 && delivered < expected; wait++) await sleep(20);
  open = false;
  await first.call('POST', '/messages', {
    type: 'stream',
    to: rooms[0] ?? '',
    topic: 'load',
    content: `at ${performance.now()}`,
  });
  for (const [index, name] of rooms.entries()) {
    if (index > 0)
      await (callers[index * fanOut] ?? first).call('POST', '/messages', {
        type: 'stream',
        to: name,
        topic: 'load',
        content: `at ${performance.now()}`,
      });
  }
  await Promise.all(polls);
  return {
    rate: sent / took,
    ...summary(delays),
    delivered: Math.min(delivered, expected),
    expected,
  };
}

async function benchSending(): Promise<void> {
  const served = await startBenchServer(
    '--data',
    worldDirectory('sending'),
    '--world',
    'demo',
    '--size',
    'large',
  );
  const people = await keys(served, pollers);
  const [you] = served.accounts;
  if (you === undefined) throw new Error('no account');
  const base = await floor(new BenchApiClient(served, you));
  const rows: string[][] = [];
  const seconds = quick ? 3 : 10;
  for (const [fanOut, perSecond] of [
    [2, 1000],
    [5, 1000],
    [10, 500],
    [10, 1000],
    [10, Number.POSITIVE_INFINITY],
    [50, 1000],
    [200, 300],
  ] as const) {
    const [server, self] = [served.cpuMs(), process.cpuUsage()];
    const load = await deliver(served, people, fanOut, perSecond, seconds);
    const wallMs = seconds * 1000 + warmUpMs;
    const own = process.cpuUsage(self);
    rows.push([
      `${fanOut} readers a message, ${Number.isFinite(perSecond) ? `${perSecond}/s asked` : 'as fast as it goes'}`,
      `${load.rate.toFixed(0)}/s`,
      ms(load.p50),
      ms(load.p99),
      `${((100 * load.delivered) / load.expected).toFixed(1)} %`,
      `${(load.p50 / base.p50).toFixed(1)}×`,
      percent((served.cpuMs() - server) / wallMs),
      percent((own.user + own.system) / 1000 / wallMs),
    ]);
  }
  printTable(
    `Sending: ${pollers} long polls, ${senders} senders (floor: an open GET ${ms(base.p50)} p50, ${ms(base.p99)} p99)`,
    ['load', 'held', 'send → delivered p50', 'p99', 'arrived', 'p50 ÷ floor', 'server CPU', 'clients CPU'],
    rows,
  );
  console.log(`resident: ${served.residentMiB()} MiB`);
  await served.stop();
}

/** Keys of that many people, fetched as the demo allows. */
async function keys(served: BenchServer, count: number): Promise<BenchAccount[]> {
  const [you] = served.accounts;
  if (you === undefined) throw new Error('no account');
  const caller = new BenchApiClient(served, you);
  const {members} = await caller.call('GET', '/users');
  const chosen: {delivery_email: string}[] = members
    .filter((user: {is_bot: boolean; is_guest: boolean}) => !user.is_bot && !user.is_guest)
    .slice(0, count);
  return Promise.all(
    chosen.map(async ({delivery_email}) => {
      const {api_key, email, user_id} = await caller.call('POST', '/dev_fetch_api_key', {
        username: delivery_email,
      });
      return {api_key, email, user_id};
    }),
  );
}

async function benchReading(size: 'large' | 'huge'): Promise<void> {
  const served = await startBenchServer('--data', worldDirectory(size), '--world', 'demo', '--size', size);
  const [you] = served.accounts;
  if (you === undefined) throw new Error('no account');
  const caller = new BenchApiClient(served, you);
  const base = await floor(caller);
  const newest = (
    await caller.call('GET', '/messages', {anchor: 'newest', num_before: 1, num_after: 0})
  ).messages.at(-1);
  const channel = (await caller.call('GET', '/users/me/subscriptions')).subscriptions[3];
  const {topics} = await caller.call('GET', `/users/me/${channel.stream_id}/topics`);
  const page = {num_before: 50, num_after: 50, apply_markdown: false, client_gravatar: true};
  const term = (operator: string, operand: unknown) => ({operator, operand});
  const cases: [string, Record<string, unknown>][] = [
    ['first page (newest)', {...page, anchor: 'newest', num_before: 100, num_after: 0}],
    ['middle of the history', {...page, anchor: String(Math.floor(newest.id / 2))}],
    ['first unread', {...page, anchor: 'first_unread'}],
    ['channel', {...page, anchor: 'newest', narrow: [term('channel', channel.stream_id)]}],
    [
      'topic',
      {
        ...page,
        anchor: 'newest',
        narrow: [term('channel', channel.stream_id), term('topic', topics.at(-1).name)],
      },
    ],
    ['is:unread', {...page, anchor: 'first_unread', narrow: [term('is', 'unread')]}],
    ['is:dm', {...page, anchor: 'newest', narrow: [term('is', 'dm')]}],
    ['search, common word', {...page, anchor: 'newest', narrow: [term('search', 'queue')]}],
    ['search, two words', {...page, anchor: 'newest', narrow: [term('search', 'flaky gateway')]}],
    ['search, rare word', {...page, anchor: 'newest', narrow: [term('search', 'petrichor')]}],
    [
      'search in a channel',
      {...page, anchor: 'newest', narrow: [term('channel', channel.stream_id), term('search', 'queue')]},
    ],
    ['HTML instead of Markdown', {...page, anchor: 'newest', apply_markdown: true}],
  ];
  const rows: string[][] = [];
  for (const [name, params] of cases) {
    const samples: number[] = [];
    let count = 0;
    for (let round = 0; round < (quick ? 40 : 200); round++) {
      const start = performance.now();
      const text = await caller.text('GET', '/messages', params);
      samples.push(performance.now() - start);
      if (round === 0) count = JSON.parse(text).messages.length;
    }
    const {p50, p99, worst} = summary(samples);
    rows.push([name, String(count), ms(p50), ms(p99), ms(worst), `${(p50 / base.p50).toFixed(1)}×`]);
  }
  printTable(
    `GET /messages on ${size} (floor ${ms(base.p50)} p50)`,
    ['page', 'messages', 'p50', 'p99', 'worst', 'p50 ÷ floor'],
    rows,
  );
  await benchRegister(served, caller, size);
  await served.stop();
}

async function benchRegister(served: BenchServer, caller: BenchApiClient, size: string): Promise<void> {
  const capabilities = {
    notification_settings_null: true,
    bulk_message_deletion: true,
    user_avatar_url_field_optional: true,
    linkifier_url_template: true,
    user_list_incomplete: true,
    archived_channels: true,
    empty_topic_name: true,
    simplified_presence_events: true,
  };
  const rows: string[][] = [];
  for (const subscribers of ['false', 'partial', 'true']) {
    for (const gzip of [false, true]) {
      const params = {
        client_capabilities: capabilities,
        include_subscribers: subscribers,
        slim_presence: true,
      };
      const samples: number[] = [];
      let bytes = 0;
      for (let round = 0; round < 5; round++) {
        const start = performance.now();
        bytes = await caller.bytes('POST', '/register', params, gzip);
        samples.push(performance.now() - start);
      }
      const {p50, worst} = summary(samples);
      rows.push([
        `subscribers ${subscribers}${gzip ? ', gzip' : ''}`,
        ms(p50),
        ms(worst),
        `${(bytes / 1024 / 1024).toFixed(2)} MiB`,
      ]);
    }
  }
  printTable(`POST /register, everything, on ${size}`, ['asked', 'median of 5', 'worst', 'bytes'], rows);
  console.log(
    `start to ready: ${ms(served.readyMs)} (the first time makes the world); resident: ${served.residentMiB()} MiB`,
  );
}

await benchSending();
await benchReading('large');
await benchReading('huge');
