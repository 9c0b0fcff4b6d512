import {BenchApiClient, type BenchServer, startBenchServer, worldDirectory} from '#test/bench/bench-server.ts';
import {ms, printTable, summary} from '#test/bench/table.ts';
import {measureBaseline} from './baseline.ts';

export async function benchReading(size: 'large' | 'huge', quick: boolean): Promise<void> {
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
