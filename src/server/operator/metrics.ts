import {createServer} from 'node:http';
import {monitorEventLoopDelay, performance} from 'node:perf_hooks';
import type {Log} from '#server/background-task.ts';
import type {ServerContext} from '#server/context.ts';
import {uploadSpaceUsed} from '#server/db/organization-items.ts';
import type {RequestObserver} from '#server/http/listener-options.ts';
import {mailNumbers} from '#server/mail/mail-queue.ts';
import {withFailureHandler} from '#std/failure-handler.ts';
import {getOrCreate} from '#std/get-or-create.ts';
import {lastBackup} from './backup-fact.ts';
import {diskUse, queueNumbers, serverWarnings} from './server-status.ts';

/** Where the metrics are served. */
export interface MetricsAddress {
  readonly host: string;
  readonly port: number;
}

/** The upper bounds of the classes of durations, in seconds. */
const bounds = [0.005, 0.025, 0.1, 0.5, 2.5];

/** Polls wait for events, so their durations say nothing. */
const pollRoute = 'GET /api/v1/events';

interface RouteNumbers {
  readonly byStatus: Map<number, number>;
  /** How many requests took at most the time of each bound. */
  readonly counts: number[];
  count: number;
  seconds: number;
}

/** Counts requests, and serves the numbers of a server in the text format of Prometheus at an address of their own. */
export function createMetrics(server: ServerContext, log: Log) {
  const routes = new Map<string, RouteNumbers>();
  const delay = monitorEventLoopDelay({resolution: 20});
  const onRequest: RequestObserver = (_method, _path, response, route = 'none') => {
    const start = performance.now();
    response.once('close', () => {
      const numbers = getOrCreate(routes, route, newRoute);
      const {statusCode} = response;
      numbers.byStatus.set(statusCode, (numbers.byStatus.get(statusCode) ?? 0) + 1);
      if (route !== pollRoute) addDuration(numbers, (performance.now() - start) / 1000);
    });
  };
  const listener = createServer((request, response) => {
    const fail = (error: unknown) => {
      log('The metrics could not be read', error);
      response.writeHead(500).end();
    };
    withFailureHandler(fail, async () => {
      if (request.method !== 'GET' || request.url?.split('?')[0] !== '/metrics') {
        response.writeHead(404).end();
        return;
      }
      const text = metricLines(server, routes, delay).join('\n');
      delay.reset();
      response.writeHead(200, {'content-type': 'text/plain; version=0.0.4; charset=utf-8'}).end(`${text}\n`);
    }).catch(fail);
  });
  return {
    onRequest,
    async listen({host, port}: MetricsAddress): Promise<number> {
      await new Promise<void>((resolve, reject) => {
        listener.once('error', reject);
        listener.listen(port, host, resolve);
      });
      listener.on('error', (error) => log('A connection for the metrics could not be accepted', error));
      delay.enable();
      const address = listener.address();
      return typeof address === 'object' ? (address?.port ?? 0) : 0;
    },
    close() {
      delay.disable();
      listener.close();
      listener.closeAllConnections();
    },
  };
}

function newRoute(): RouteNumbers {
  return {byStatus: new Map(), counts: bounds.map(() => 0), count: 0, seconds: 0};
}

function addDuration(numbers: RouteNumbers, seconds: number): void {
  numbers.count += 1;
  numbers.seconds += seconds;
  for (const [at, bound] of bounds.entries()) {
    if (seconds <= bound) numbers.counts[at] = (numbers.counts[at] ?? 0) + 1;
  }
}

type Delay = ReturnType<typeof monitorEventLoopDelay>;
type Sample = readonly [labels: string, value: number];

/** Yields the lines of one metric. */
function* metric(name: string, type: string, help: string, samples: Iterable<Sample>): Generator<string> {
  yield `# HELP parley_${name} ${help}`;
  yield `# TYPE parley_${name} ${type}`;
  for (const [labels, value] of samples) yield `parley_${name}${labels} ${value}`;
}

function metricLines(server: ServerContext, routes: ReadonlyMap<string, RouteNumbers>, delay: Delay): string[] {
  const single = ([name, type, help, value]: (typeof gauges)[number]) => metric(name, type, help, [['', value]]);
  const {databaseBytes, freeBytes} = diskUse(server.db);
  const {people, queues, waiting, delivered} = queueNumbers(server);
  const mails = mailNumbers(server.db);
  const backupMs = Date.parse(lastBackup(server.db)?.taken_at ?? '');
  const gauges = [
    ['start_time_seconds', 'gauge', 'When the server started.', (server.program?.startedAt ?? 0) / 1000],
    ['people_connected', 'gauge', 'People with a client that gets events.', people],
    ['event_queues', 'gauge', 'Event queues of clients.', queues],
    ['events_waiting', 'gauge', 'Events that clients have not acknowledged.', waiting],
    ['events_delivered_total', 'counter', 'Events that were put into queues.', delivered],
    ['database_bytes', 'gauge', 'Size of the database and its log.', databaseBytes],
    ['file_bytes', 'gauge', 'Size of the uploaded files.', uploadSpaceUsed(server.db)],
    ['free_bytes', 'gauge', 'Free space on the disk of the data.', freeBytes ?? Number.NaN],
    ['mails_sent_total', 'counter', 'E-mails that the mail server took.', server.mail?.sentCount ?? 0],
    ['mails_waiting', 'gauge', 'E-mails that wait to be sent.', mails.waiting],
    ['mails_given_up', 'gauge', 'E-mails that could not be sent.', mails.givenUp],
    ['last_backup_time_seconds', 'gauge', 'When the last good backup was made.', backupMs / 1000],
    ['memory_bytes', 'gauge', 'Memory of the process.', process.memoryUsage.rss()],
  ] as const;
  const byStatus = [...routes].flatMap(([route, {byStatus: counts}]) =>
    [...counts].map(([status, count]): Sample => [`{${routeLabels(route)},status="${status}"}`, count]),
  );
  const quantiles = [50, 99, 100].map((percent): Sample => {
    const nanoseconds = delay.percentile(percent);
    return [`{quantile="${percent / 100}"}`, nanoseconds / 1e9];
  });
  const warnings = serverWarnings(server).map(({code}): Sample => [`{code="${code}"}`, 1]);
  return [
    ...gauges.flatMap((gauge) => [...single(gauge)]),
    ...metric('requests_total', 'counter', 'Requests by route and status.', byStatus),
    ...metric('request_duration_seconds', 'histogram', 'Time until a request was answered, except polls.', []),
    ...[...routes].flatMap(([route, numbers]) => [...durationLines(route, numbers)]),
    ...metric('event_loop_delay_seconds', 'gauge', 'Delay of the event loop since the last reading.', quantiles),
    ...metric('warning', 'gauge', 'What is wrong, by its code.', warnings),
  ];
}

function* durationLines(route: string, {count, counts, seconds}: RouteNumbers): Generator<string> {
  if (count === 0) return;
  const name = 'parley_request_duration_seconds';
  const labels = routeLabels(route);
  for (const [at, bound] of bounds.entries()) yield `${name}_bucket{${labels},le="${bound}"} ${counts[at]}`;
  yield `${name}_bucket{${labels},le="+Inf"} ${count}`;
  yield `${name}_sum{${labels}} ${seconds}`;
  yield `${name}_count{${labels}} ${count}`;
}

/** The router writes `:user_id(^\d+$)` for a parameter that is a number. */
function routeLabels(route: string): string {
  const [method = '', path = ''] = route.split(' ');
  return `method="${path === '' ? '' : method}",route="${path.replaceAll(/\([^)]*\)/g, '') || route}"`;
}
