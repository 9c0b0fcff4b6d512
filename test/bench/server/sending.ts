import {
  type BenchAccount,
  BenchApiClient,
  type BenchServer,
  startBenchServer,
  worldDirectory,
} from '#test/bench/bench-server.ts';
import {ms, printTable} from '#test/bench/table.ts';
import {measureBaseline} from './baseline.ts';
import {type Load, measureDelivery, warmUpMs} from './load.ts';

const percent = (share: number): string => `${(100 * share).toFixed(0)} %`;

const loads: readonly Load[] = [
  {pollers: 10, fanOut: 10, perSecond: 1000},
  {pollers: 200, fanOut: 2, perSecond: 1000},
  {pollers: 200, fanOut: 5, perSecond: 1000},
  {pollers: 200, fanOut: 10, perSecond: 500},
  {pollers: 200, fanOut: 10, perSecond: 1000},
  {pollers: 200, fanOut: 10},
  {pollers: 200, fanOut: 50, perSecond: 1000},
  {pollers: 200, fanOut: 200, perSecond: 300},
];

export async function benchSending(quick: boolean): Promise<void> {
  const server = await startBenchServer('--data', worldDirectory('sending'), '--world', 'demo', '--size', 'large');
  const accounts = await fetchAccounts(server, 200);
  const [you] = server.accounts;
  if (you === undefined) throw new Error('no account');
  const baseline = await measureBaseline(new BenchApiClient(server, you));
  const rows: string[][] = [];
  const seconds = quick ? 3 : 10;
  for (const load of loads) {
    const [serverCpuMs, clientCpu] = [server.cpuMs(), process.cpuUsage()];
    const delivery = await measureDelivery(server, accounts, load, seconds);
    const wallMs = seconds * 1000 + warmUpMs;
    const own = process.cpuUsage(clientCpu);
    rows.push([
      `${load.pollers} polls, ${load.fanOut} readers per message, ${load.perSecond === undefined ? 'as fast as possible' : `${load.perSecond}/s`}`,
      `${delivery.rate.toFixed(0)}/s`,
      ms(delivery.p50),
      ms(delivery.p99),
      `${((100 * delivery.delivered) / delivery.expected).toFixed(1)} %`,
      `${(delivery.p50 / baseline.p50).toFixed(1)}×`,
      percent((server.cpuMs() - serverCpuMs) / wallMs),
      percent((own.user + own.system) / 1000 / wallMs),
    ]);
  }
  printTable(
    `Sending (baseline: a GET without login ${ms(baseline.p50)} p50, ${ms(baseline.p99)} p99)`,
    ['load', 'sent', 'send → delivered p50', 'p99', 'arrived', 'p50 ÷ baseline', 'server CPU', 'clients CPU'],
    rows,
  );
  console.log(`resident: ${server.residentMiB()} MiB`);
  await server.stop();
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
