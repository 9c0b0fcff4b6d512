import {statSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {BenchApiClient, type BenchServer, startBenchServer, worldDirectory} from '#test/bench/bench-server.ts';
import {ms, printTable} from '#test/bench/table.ts';

const directory = worldDirectory('everybody');
const start = () => startBenchServer('--data', directory, '--world', 'demo', '--size', 'large');

/** Returns the rows of all tables and the size of the file. Both are only exact after a server has stopped. */
function stored(): {rows: number; bytes: number} {
  const path = join(directory, 'parley.db');
  const db = new DatabaseSync(path);
  const names = db
    .prepare(`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'message_fts%'`)
    .all();
  const counts = names.map(({name}) => Number(db.prepare(`SELECT COUNT(*) AS count FROM "${name}"`).get()?.count));
  db.close();
  return {rows: counts.reduce((sum, count) => sum + count, 0), bytes: statSync(path).size};
}

function clientsOf(server: BenchServer): [BenchApiClient, BenchApiClient] {
  const [you, other] = server.accounts.map((account) => new BenchApiClient(server, account));
  if (you === undefined || other === undefined) throw new Error('no accounts');
  return [you, other];
}

/** Sends to channels of 20, 2,000 and 20,000 subscribers, and lets one of them register and mark everything read. */
export async function benchEverybodyChannel(quick: boolean): Promise<void> {
  const rows: string[][] = [];
  for (const size of [20, 2000, 20_000]) rows.push(await measureChannel(size, quick ? 500 : 3000));
  printTable(
    'A channel with many subscribers',
    ['subscribers', 'a send', 'CPU', 'rows', 'bytes', 'register', 'mark all read', 'register after that'],
    rows,
  );
}

async function measureChannel(size: number, count: number): Promise<string[]> {
  const name = `with ${size} ${Date.now()}`;
  const preparing = await start();
  const {members} = await clientsOf(preparing)[0].call('GET', '/users');
  await clientsOf(preparing)[1].call('POST', '/users/me/subscriptions', {
    subscriptions: [{name}],
    principals: members.slice(0, size).map(({user_id}: {user_id: number}) => user_id),
    send_new_subscription_messages: false,
  });
  await preparing.stop();
  const before = stored();
  const server = await start();
  const [you, other] = clientsOf(server);
  const unreads = {event_types: ['message'], fetch_event_types: ['message', 'update_message_flags']};
  const timed = async (task: () => Promise<unknown>) => {
    const started = performance.now();
    await task();
    return performance.now() - started;
  };
  const cpu = server.cpuMs();
  const sending = await timed(async () => {
    for (let serial = 0; serial < count; serial++) {
      await other.call('POST', '/messages', {type: 'stream', to: name, topic: 'load', content: `number ${serial}`});
    }
  });
  const sendingCpu = server.cpuMs() - cpu;
  const register = await timed(() => you.call('POST', '/register', unreads));
  await server.stop();
  const after = stored();
  const again = await start();
  const [reader] = clientsOf(again);
  const markRead = await timed(() => reader.call('POST', '/mark_all_as_read'));
  const registerAgain = await timed(() => reader.call('POST', '/register', unreads));
  await again.stop();
  return [
    String(size),
    ms(sending / count),
    ms(sendingCpu / count),
    ((after.rows - before.rows) / count).toFixed(2),
    String(Math.round((after.bytes - before.bytes) / count)),
    ms(register),
    ms(markRead),
    ms(registerAgain),
  ];
}
