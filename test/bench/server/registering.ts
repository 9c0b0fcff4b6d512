import {cpSync, existsSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {setTimeout as sleep} from 'node:timers/promises';
import {
  type BenchAccount,
  BenchApiClient,
  type BenchServer,
  startBenchServer,
  worldDirectory,
} from '#test/bench/bench-server.ts';
import {ms, printTable, summary} from '#test/bench/table.ts';

/** How the database has unread messages: by the rule of the subscription, or as a row for each of them. */
type Storage = 'rule' | 'rows';

interface Load {
  readonly people: number;
  readonly unread: number;
  readonly storage: Storage;
}

const loads: readonly Load[] = [
  ...[10_000, 20_000, 40_000, 50_000, 100_000].flatMap((unread) => [
    {people: 1, unread, storage: 'rule' as const},
    {people: 1, unread, storage: 'rows' as const},
  ]),
  {people: 20, unread: 50_000, storage: 'rule'},
  {people: 20, unread: 50_000, storage: 'rows'},
  {people: 200, unread: 50_000, storage: 'rule'},
  {people: 200, unread: 50_000, storage: 'rows'},
];

const channels = 20;
/** The topics of each channel. */
const topics = 100;
const idleSeconds = 6;
const sendsPerSecond = 50;
/** Each kind of load is repeated, because the machine may be busy with other work. */
const rounds = 3;

/** Lets people with many unread messages register all at once after a start, while others send messages. */
export async function benchRegistering(quick: boolean, only: string | undefined): Promise<void> {
  const rows: string[][] = [];
  for (const load of loads) {
    const name = `${load.people} ${load.unread} ${load.storage}`;
    const isBrief = load.storage === 'rule' && (load.people > 1 || load.unread === 50_000);
    if (only === undefined ? quick && !isBrief : name !== only) continue;
    const row = await measureLoad(load, quick ? 1 : rounds);
    console.error(row.join(' | '));
    rows.push(row);
  }
  printTable(
    `People register after a start, beside ${sendsPerSecond} sends a second`,
    [
      'people',
      'unread each',
      'as',
      'all registered',
      'CPU each',
      'idle send p99',
      'CPU',
      'send p99',
      'CPU',
      'ratio',
      'of CPU',
      'longest',
      'MiB',
    ],
    rows,
  );
}

async function measureLoad(load: Load, count: number): Promise<string[]> {
  const {directory, channel} = await prepare(load);
  const results: Awaited<ReturnType<typeof measureOnce>>[] = [];
  for (let round = 0; round < count; round++) results.push(await measureOnce(load, directory, channel));
  rmSync(directory, {recursive: true, force: true});
  const median = (value: (result: (typeof results)[number]) => number) => summary(results.map(value)).p50;
  return [
    String(load.people),
    String(load.unread),
    load.storage,
    ms(median(({all}) => all)),
    ms(median(({cpu}) => cpu / load.people)),
    ms(median(({idle}) => idle.time.p99)),
    ms(median(({idle}) => idle.cpu.p99)),
    ms(median(({beside}) => beside.time.p99)),
    ms(median(({beside}) => beside.cpu.p99)),
    `${median(({beside, idle}) => beside.time.p99 / idle.time.p99).toFixed(1)}×`,
    `${median(({beside, idle}) => beside.cpu.p99 / idle.cpu.p99).toFixed(1)}×`,
    ms(median(({beside}) => beside.time.worst)),
    String(median(({resident}) => resident)),
  ];
}

async function measureOnce({people}: Load, directory: string, channel: number) {
  const server = await startBenchServer('--data', directory, '--world', 'demo');
  const accounts = await accountsOf(server, people);
  const [you] = server.accounts;
  if (you === undefined) throw new Error('no account');
  const sender = new BenchApiClient(server, you);
  // The first sends compile the code.
  await send(server, sender, channel, sleep(2000));
  const idle = await send(server, sender, channel, sleep(idleSeconds * 1000));
  const [cpu, started] = [server.cpuMs(), performance.now()];
  const registering = Promise.all(accounts.map((account) => register(new BenchApiClient(server, account))));
  const [beside] = await Promise.all([send(server, sender, channel, registering), registering]);
  const all = Math.max(...(await registering)) - started;
  const result = {idle, beside, all, cpu: server.cpuMs() - cpu, resident: server.residentMiB()};
  await server.stop();
  return result;
}

/** Registers as a client does at its start; returns the time at the end. */
async function register(client: BenchApiClient): Promise<number> {
  const bytes = await client.bytes(
    'POST',
    '/register',
    {slim_presence: true, client_capabilities: {notification_settings_null: true}},
    true,
  );
  if (bytes < 10_000) throw new Error('A registration was refused');
  return performance.now();
}

/**
 * Sends messages at a steady rate until something ends. Summarizes how long each took, and the CPU time of the server's
 * thread meanwhile, which other programs on the machine do not change.
 */
async function send(server: BenchServer, client: BenchApiClient, channel: number, until: Promise<unknown>) {
  let isDone = false;
  const done = until.then(() => {
    isDone = true;
  });
  const sends: Promise<{time: number; cpu: number}>[] = [];
  while (!isDone) {
    const [start, cpu] = [performance.now(), server.threadCpuMs()];
    const params = {type: 'stream', to: channel, topic: 'beside', content: `number ${sends.length}`};
    const sent = client.call('POST', '/messages', params);
    sends.push(sent.then(() => ({time: performance.now() - start, cpu: server.threadCpuMs() - cpu})));
    await sleep(1000 / sendsPerSecond);
  }
  await done;
  const all = await Promise.all(sends);
  return {time: summary(all.map(({time}) => time)), cpu: summary(all.map(({cpu}) => cpu))};
}

const emailOf = (index: number) => `reader${index}@company.example`;

async function accountsOf(server: BenchServer, count: number): Promise<BenchAccount[]> {
  const [you] = server.accounts;
  if (you === undefined) throw new Error('no account');
  const client = new BenchApiClient(server, you);
  const accounts: BenchAccount[] = [];
  for (let index = 0; index < count; index++) {
    accounts.push(await client.call('POST', '/dev_fetch_api_key', {username: emailOf(index)}));
  }
  return accounts;
}

/** Makes an organization with people who have read nothing of some busy channels. */
async function prepare({people, unread, storage}: Load): Promise<{directory: string; channel: number}> {
  const small = worldDirectory('small');
  if (!existsSync(small)) await (await startBenchServer('--data', small, '--world', 'demo')).stop();
  const directory = worldDirectory(`registering-${process.pid}`);
  rmSync(directory, {recursive: true, force: true});
  cpSync(small, directory, {recursive: true, dereference: true});
  const db = new DatabaseSync(join(directory, 'parley.db'));
  const number = (sql: string) => Number(Object.values(db.prepare(sql).get() ?? {})[0]);
  const now = Math.floor(Date.now() / 1000);
  const [you] = JSON.parse(String(db.prepare(`SELECT value FROM meta WHERE key = 'accounts'`).get()?.value));
  const firstUser = number('SELECT MAX(id) + 1 FROM user');
  const firstChannel = number('SELECT MAX(id) + 1 FROM channel');
  const firstMessage = number(`SELECT seq + 1 FROM sqlite_sequence WHERE name = 'message'`);
  const unreadSince = storage === 'rule' ? 1 : firstMessage + unread;
  const series = (count: number) =>
    `WITH RECURSIVE serial (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM serial WHERE i + 1 < ${count})`;
  db.exec(`PRAGMA synchronous = OFF; BEGIN;
    ${series(people)} INSERT INTO user (id, delivery_email, email_key, full_name, name_key, role, joined_at)
      SELECT ${firstUser} + i, 'reader' || i || '@company.example', 'reader' || i || '@company.example',
        'Reader ' || i, 'reader ' || i, 400, ${now} FROM serial;
    ${series(channels)} INSERT INTO channel (id, name, name_key, created_at, subscriber_count)
      SELECT ${firstChannel} + i, 'busy ' || i, 'busy ' || i, ${now}, ${people + 1} FROM serial;
    INSERT INTO subscription (user_id, channel_id, unread_since)
      SELECT user.id, channel.id, iif(user.id = ${you}, ${firstMessage + unread}, ${unreadSince}) FROM user, channel
      WHERE (user.id >= ${firstUser} OR user.id = ${you}) AND channel.id >= ${firstChannel};
    INSERT INTO subscription_period (user_id, channel_id, since_id)
      SELECT user_id, channel_id, 1 FROM subscription WHERE channel_id >= ${firstChannel};
    ${series(unread)} INSERT INTO message (id, sender_id, channel_id, topic, topic_key, content, sent_at,
        unread_by_default)
      SELECT ${firstMessage} + i, ${you}, ${firstChannel} + i % ${channels}, 'topic ' || (i / ${channels} % ${topics}),
        'topic ' || (i / ${channels} % ${topics}), 'A message of some words, number ' || i, ${now}, 1 FROM serial;
    UPDATE search_progress SET through = ${firstMessage + unread};
    ${
      storage === 'rule'
        ? ''
        : `INSERT INTO user_message (user_id, message_id, flags) SELECT user.id, message.id, 1 FROM user, message
           WHERE user.id >= ${firstUser} AND message.id >= ${firstMessage};`
    }
    COMMIT;`);
  db.close();
  return {directory, channel: firstChannel};
}
