import {cpSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {BenchApiClient, type BenchServer, startBenchServer, worldDirectory} from '#test/bench/bench-server.ts';
import {ms, printTable} from '#test/bench/table.ts';
import {type AdverseRequest, changingRequests, readingRequests, type Subjects} from './adverse-requests.ts';

/** No request may hold the others for more CPU time. */
const limitMs = 250;

/** Makes a copy of a world, with a topic of 100,000 messages in the channel of all people, and finds the ids of requests. */
function prepareCopy(size: string, directory: string): Subjects {
  rmSync(directory, {recursive: true, force: true});
  cpSync(worldDirectory(size), directory, {recursive: true, dereference: true});
  const db = new DatabaseSync(join(directory, 'parley.db'));
  const ids = (sql: string, ...values: number[]): number[] =>
    db
      .prepare(sql)
      .all(...values)
      .map((row) => Number(row.id));
  const [everybodyChannel = 0, otherChannel = 0] = ids(
    'SELECT channel_id AS id FROM subscription WHERE active = 1 GROUP BY channel_id ORDER BY COUNT(*) DESC LIMIT 2',
  );
  db.exec('PRAGMA synchronous = OFF');
  db.prepare(
    `UPDATE message SET channel_id = ?, dm_id = NULL, topic = 'big', topic_key = 'big'
     WHERE id IN (SELECT id FROM message WHERE channel_id IS NOT NULL ORDER BY id DESC LIMIT 100000)`,
  ).run(everybodyChannel);
  const messageIds = ids(
    `SELECT id FROM message WHERE channel_id IN (SELECT id FROM channel WHERE invite_only = 0)
     ORDER BY id DESC LIMIT 200000`,
  );
  const subjects = {
    everybodyChannel,
    otherChannel,
    newestId: messageIds[0] ?? 0,
    someId: messageIds[10] ?? 0,
    messageIds,
    userIds: ids('SELECT id FROM user WHERE is_bot = 0 AND is_active = 1 ORDER BY id'),
    bigTopicMessage: messageIds[0] ?? 0,
  };
  db.close();
  return subjects;
}

/**
 * Asks for responses that need no work, one after the other. Returns the longest wait, and the most CPU time between two
 * responses, which other programs on the machine do not change.
 */
async function longestHold(server: BenchServer, client: BenchApiClient, until: Promise<unknown>) {
  let isDone = false;
  const done = until.then(() => {
    isDone = true;
  });
  let [waited, held] = [0, 0];
  while (!isDone) {
    const [start, cpu] = [performance.now(), server.threadCpuMs()];
    await client.text('GET', '/server_settings');
    waited = Math.max(waited, performance.now() - start);
    held = Math.max(held, server.threadCpuMs() - cpu);
  }
  await done;
  return {waited, held};
}

async function measure(server: BenchServer, client: BenchApiClient, request: AdverseRequest): Promise<string[]> {
  const [cpu, started] = [server.cpuMs(), performance.now()];
  const response = client.text(request.method, request.path, request.params);
  const {waited, held} = await longestHold(server, client, response);
  const wall = performance.now() - started;
  const text = await response;
  const {msg, code} = JSON.parse(text.length < 1000 ? text : '{}');
  return [
    request.name,
    ms(wall),
    ms(server.cpuMs() - cpu),
    ms(waited),
    ms(held),
    `${(text.length / 1024).toFixed(0)} KiB`,
    held > limitMs ? 'too long' : '',
    code === undefined ? '' : `${code}: ${msg}`.slice(0, 60),
  ];
}

/** Sends the requests that cost the most, and measures how long each holds the others. */
export async function benchBlocking(size: string, only: string | undefined): Promise<void> {
  const directory = worldDirectory(`blocking-${size}`);
  const subjects = prepareCopy(size, directory);
  const server = await startBenchServer('--data', directory, '--world', 'demo', '--size', size);
  const [you, owner] = server.accounts.map((account) => new BenchApiClient(server, account));
  if (you === undefined || owner === undefined) throw new Error('no accounts');
  const rows: string[][] = [];
  for (const request of [...readingRequests(subjects), ...changingRequests(subjects)]) {
    if (only !== undefined && !request.name.includes(only)) continue;
    const row = await measure(server, request.as === 'owner' ? owner : you, request);
    console.error(row.join(' | '));
    rows.push(row);
  }
  await server.stop();
  printTable(
    `Requests that cost much, on ${size}: others are held for at most ${limitMs} ms of CPU time`,
    ['request', 'time', 'server CPU', 'others waited', 'held', 'bytes', '', 'refused'],
    rows,
  );
}
