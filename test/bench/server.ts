/**
 * npm run bench:server [-- --quick]
 *
 * Measures how much load the embedded server handles. The machine may be busy with other work: compare the ratios, and
 * the baseline, which is the same round trip with a response that needs no work.
 */
import {statSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {type BenchAccount, BenchApiClient, type BenchServer, startBenchServer, worldDirectory} from './bench-server.ts';
import {ms, printTable, summary} from './table.ts';

const percent = (share: number): string => `${(100 * share).toFixed(0)} %`;
const quick = process.argv.includes('--quick');
const pollers = 200;
const senders = 50;
const warmUpMs = 2000;

async function measureBaseline(client: BenchApiClient, rounds = 300): Promise<{p50: number; p99: number}> {
  const samples: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    await client.text('GET', '/server_settings');
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

/** Lets 200 clients long-poll and 50 senders post `perSecond` messages together (Infinity: as fast as possible). */
async function measureDelivery(
  server: BenchServer,
  accounts: readonly BenchAccount[],
  fanOut: number,
  perSecond: number,
  seconds: number,
): Promise<Load> {
  const clients = accounts.slice(0, pollers).map((account) => new BenchApiClient(server, account));
  const [first] = clients;
  if (first === undefined) throw new Error('The server has no accounts');
  const channels = Array.from(
    {length: Math.floor(pollers / fanOut)},
    (_, index) => `bench ${fanOut}-${perSecond}-${index}`,
  );
  for (const [index, name] of channels.entries()) {
    const members = clients.slice(index * fanOut, (index + 1) * fanOut).map(({account}) => account.user_id);
    await first.call('POST', '/users/me/subscriptions', {
      subscriptions: [{name}],
      principals: members,
      send_new_subscription_messages: false,
    });
  }
  let delivered = 0;
  const delays: number[] = [];
  // During the warm-up both processes compile their code: its messages are sent but not counted.
  let warmAt = Number.POSITIVE_INFINITY;
  let isRunning = true;
  const poll = async (client: BenchApiClient) => {
    let {queue_id, last_event_id} = await client.call('POST', '/register', {
      event_types: ['message'],
      fetch_event_types: [],
    });
    registered();
    while (isRunning) {
      const {events} = await client.call('GET', '/events', {queue_id, last_event_id});
      const now = performance.now();
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
  let waiting = clients.length;
  let registered = () => {};
  const allRegistered = new Promise<void>((resolve) => {
    registered = () => {
      waiting--;
      if (waiting === 0) resolve();
    };
  });
  const polls = clients.map((client) => poll(client).catch(() => {}));
  await allRegistered;
  let sent = 0;
  const start = performance.now();
  warmAt = start + warmUpMs;
  const end = warmAt + seconds * 1000;
  const send = async (index: number) => {
    const channel = index % channels.length;
    const sender = clients[channel * fanOut + (Math.floor(index / channels.length) % fanOut)] ?? first;
    const gap = (senders / perSecond) * 1000;
    for (let serial = 0; performance.now() < end; serial++) {
      // Senders start at different times and have a fixed interval, so that a slow response does not reduce the load.
      const due = start + (index / senders) * gap + serial * gap;
      if (Number.isFinite(perSecond) && due > performance.now()) await sleep(due - performance.now());
      if (performance.now() >= end) return;
      await sender.call('POST', '/messages', {
        type: 'stream',
        to: channels[channel] ?? '',
        topic: 'load',
        content: `at ${performance.now()}`,
      });
      sent++;
    }
  };
  await Promise.all(Array.from({length: senders}, (_, index) => send(index)));
  const durationSeconds = (performance.now() - start) / 1000;
  const expected = sent * fanOut;
  for (let wait = 0; wait < 100 && delivered < expected; wait++) await sleep(20);
  isRunning = false;
  await first.call('POST', '/messages', {
    type: 'stream',
    to: channels[0] ?? '',
    topic: 'load',
    content: `at ${performance.now()}`,
  });
  for (const [index, name] of channels.entries()) {
    if (index > 0)
      await (clients[index * fanOut] ?? first).call('POST', '/messages', {
        type: 'stream',
        to: name,
        topic: 'load',
        content: `at ${performance.now()}`,
      });
  }
  await Promise.all(polls);
  return {
    rate: sent / durationSeconds,
    ...summary(delays),
    delivered: Math.min(delivered, expected),
    expected,
  };
}

async function benchSending(): Promise<void> {
  const server = await startBenchServer('--data', worldDirectory('sending'), '--world', 'demo', '--size', 'large');
  const accounts = await fetchAccounts(server, pollers);
  const [you] = server.accounts;
  if (you === undefined) throw new Error('no account');
  const baseline = await measureBaseline(new BenchApiClient(server, you));
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
    const [serverCpuMs, clientCpu] = [server.cpuMs(), process.cpuUsage()];
    const load = await measureDelivery(server, accounts, fanOut, perSecond, seconds);
    const wallMs = seconds * 1000 + warmUpMs;
    const own = process.cpuUsage(clientCpu);
    rows.push([
      `${fanOut} readers per message, ${Number.isFinite(perSecond) ? `${perSecond}/s requested` : 'as fast as possible'}`,
      `${load.rate.toFixed(0)}/s`,
      ms(load.p50),
      ms(load.p99),
      `${((100 * load.delivered) / load.expected).toFixed(1)} %`,
      `${(load.p50 / baseline.p50).toFixed(1)}×`,
      percent((server.cpuMs() - serverCpuMs) / wallMs),
      percent((own.user + own.system) / 1000 / wallMs),
    ]);
  }
  printTable(
    `Sending: ${pollers} long polls, ${senders} senders (baseline: a GET without login ${ms(baseline.p50)} p50, ${ms(baseline.p99)} p99)`,
    ['load', 'sent', 'send → delivered p50', 'p99', 'arrived', 'p50 ÷ baseline', 'server CPU', 'clients CPU'],
    rows,
  );
  console.log(`resident: ${server.residentMiB()} MiB`);
  await server.stop();
}

/** Sends to the channel of all 20,000 people, and lets one of them register and mark everything read. */
async function benchEverybodyChannel(): Promise<void> {
  const directory = worldDirectory('everybody');
  const start = () => startBenchServer('--data', directory, '--world', 'demo', '--size', 'large');
  // The size of the file is only exact after a server has stopped.
  const bytes = () => statSync(join(directory, 'parley.db')).size;
  await (await start()).stop();
  const bytesBefore = bytes();
  const server = await start();
  const [you, other] = server.accounts.map((account) => new BenchApiClient(server, account));
  if (you === undefined || other === undefined) throw new Error('no accounts');
  const count = quick ? 500 : 3000;
  const rows: string[][] = [];
  const measure = async (name: string, times: number, task: (serial: number) => Promise<unknown>) => {
    const [cpu, started] = [server.cpuMs(), performance.now()];
    for (let serial = 0; serial < times; serial++) await task(serial);
    const wall = performance.now() - started;
    rows.push([name, ms(wall / times), ms((server.cpuMs() - cpu) / times)]);
  };
  const message = {type: 'stream', to: 'general', topic: 'load'};
  await measure(`send, ${count} times`, count, (serial) =>
    other.call('POST', '/messages', {...message, content: `number ${serial}`}),
  );
  const unreads = {event_types: ['message'], fetch_event_types: ['message', 'update_message_flags']};
  await measure('register for the unread messages', 5, () => you.call('POST', '/register', unreads));
  await measure('mark all read', 1, () => you.call('POST', '/mark_all_as_read'));
  await measure('register after that', 5, () => you.call('POST', '/register', unreads));
  await server.stop();
  printTable('A channel of 20,000 subscribers', ['request', 'time each', 'server CPU each'], rows);
  console.log(`on disk: ${Math.round((bytes() - bytesBefore) / count)} bytes per message`);
}

/** Fetches the API keys of `count` accounts, which the demo allows. */
async function fetchAccounts(server: BenchServer, count: number): Promise<BenchAccount[]> {
  const [you] = server.accounts;
  if (you === undefined) throw new Error('no account');
  const client = new BenchApiClient(server, you);
  const {members} = await client.call('GET', '/users');
  const chosen: {delivery_email: string}[] = members
    .filter((user: {is_bot: boolean; is_guest: boolean}) => !user.is_bot && !user.is_guest)
    .slice(0, count);
  return Promise.all(
    chosen.map(async ({delivery_email}) => {
      const {api_key, email, user_id} = await client.call('POST', '/dev_fetch_api_key', {
        username: delivery_email,
      });
      return {api_key, email, user_id};
    }),
  );
}

async function benchReading(size: 'large' | 'huge'): Promise<void> {
  const server = await startBenchServer('--data', worldDirectory(size), '--world', 'demo', '--size', size);
  const [you] = server.accounts;
  if (you === undefined) throw new Error('no account');
  const client = new BenchApiClient(server, you);
  const baseline = await measureBaseline(client);
  const newest = (await client.call('GET', '/messages', {anchor: 'newest', num_before: 1, num_after: 0})).messages.at(
    -1,
  );
  const channel = (await client.call('GET', '/users/me/subscriptions')).subscriptions[3];
  const {topics} = await client.call('GET', `/users/me/${channel.stream_id}/topics`);
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
      const text = await client.text('GET', '/messages', params);
      samples.push(performance.now() - start);
      if (round === 0) count = JSON.parse(text).messages.length;
    }
    const {p50, p99, worst} = summary(samples);
    rows.push([name, String(count), ms(p50), ms(p99), ms(worst), `${(p50 / baseline.p50).toFixed(1)}×`]);
  }
  printTable(
    `GET /messages on ${size} (baseline ${ms(baseline.p50)} p50)`,
    ['page', 'messages', 'p50', 'p99', 'worst', 'p50 ÷ baseline'],
    rows,
  );
  await benchRegister(server, client, size);
  await server.stop();
}

async function benchRegister(server: BenchServer, client: BenchApiClient, size: string): Promise<void> {
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
        bytes = await client.bytes('POST', '/register', params, gzip);
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
  printTable(`POST /register, everything, on ${size}`, ['request', 'median of 5', 'worst', 'bytes'], rows);
  console.log(
    `start to ready: ${ms(server.readyMs)} (the first run generates the data); resident: ${server.residentMiB()} MiB`,
  );
}

await benchSending();
await benchEverybodyChannel();
await benchReading('large');
await benchReading('huge');
