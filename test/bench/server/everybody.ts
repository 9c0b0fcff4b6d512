import {statSync} from 'node:fs';
import {join} from 'node:path';
import {BenchApiClient, startBenchServer, worldDirectory} from '#test/bench/bench-server.ts';
import {ms, printTable} from '#test/bench/table.ts';

/** Sends to the channel of all 20,000 people, and lets one of them register and mark everything read. */
export async function benchEverybodyChannel(quick: boolean): Promise<void> {
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
