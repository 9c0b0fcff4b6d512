import type {Connection} from '#api/connection.ts';
import {failureMessage, isApiFailure} from '#api/failure.ts';
import {shortPrintableLine} from '#api/failure-text.ts';
import {connect, connectAnonymously, proxyVariable} from '#cli/account-access/connect.ts';
import {type AccountFlags, demoName, openAccount, resolveAccountFlags} from '#cli/account-access/open-account.ts';
import type {CliIo} from '#cli/io.ts';
import {ConfigError} from '#config/config-error.ts';
import type {Account} from '#config/load-account.ts';
import {accountDatabase, displayPath, pathsOf} from '#config/paths.ts';
import {inspectStore} from '#storage/inspect-store.ts';
import {endpoints} from '#wire/endpoints.ts';
import {minimumLevel} from '#wire/levels.ts';
import {featureLevel, serverVersion} from '#wire/objects/version.ts';
import type {DoctorCheck} from './doctor.ts';

const timeoutMs = 20_000;

/** Checks which account is used and whether its server accepts it. Checks that depend on a failed one are left out. */
export async function* accountChecks(flags: AccountFlags, io: CliIo): AsyncGenerator<DoctorCheck> {
  const resolution = await attempt('account', async () => resolveAccountFlags(flags, io));
  if ('status' in resolution) {
    yield resolution;
    return;
  }
  const resolved = resolution.value;
  if (resolved !== undefined) {
    const {account, why, notices} = resolved;
    const path = displayPath(account.file ?? '', io.home);
    yield {
      status: 'ok',
      what: 'account',
      detail: `${account.email} at ${account.site}, from ${path} (${why})`,
    };
    for (const detail of notices) yield {status: 'warn', what: 'secrets', detail};
    if (notices.length === 0) yield {status: 'ok', what: 'secrets', detail: 'only you can read the API key'};
    yield* serverChecks(account, io);
    return;
  }
  yield {status: 'ok', what: 'account', detail: 'none; Parley uses the demo organization'};
  const demo = await attempt('demo', () => openAccount({account: demoName}, io));
  if ('status' in demo) {
    yield demo;
    return;
  }
  try {
    yield* serverChecks(demo.value.account, io);
  } finally {
    await demo.value.release();
  }
}

async function* serverChecks(account: Account, io: CliIo): AsyncGenerator<DoctorCheck> {
  yield* proxyCheck(account, io);
  const server = await attempt('server', () => serverCheck(account, io));
  if ('status' in server) yield server;
  else {
    yield* server.value.checks;
    const connection = await attempt('key', () => connect(account, io));
    if ('status' in connection) yield connection;
    else {
      connection.value.level = server.value.level;
      try {
        yield* keyChecks(connection.value, io);
      } finally {
        await connection.value.close();
      }
    }
  }
  yield storeCheck(account, io);
}

/** Names the proxy, because error messages name the server although the connection goes to the proxy. */
function* proxyCheck({site}: Account, {env}: CliIo): Generator<DoctorCheck> {
  const variable = proxyVariable(site, env);
  if (variable === undefined) return;
  // Only the host is shown: the address may contain a password.
  const host = URL.parse(env[variable] ?? '')?.host || 'an invalid address';
  const exceptions = env.no_proxy || env.NO_PROXY ? ', unless no_proxy names it' : '';
  yield {
    status: 'ok',
    what: 'proxy',
    detail: `the server is reached through ${shortPrintableLine(host)} ($${variable})${exceptions}`,
  };
}

async function serverCheck(account: Account, io: CliIo): Promise<{level: number; checks: DoctorCheck[]}> {
  const connection = connectAnonymously(account.site, account.tls, io);
  try {
    const started = io.clock.monotonic();
    const settings = await connection.call(endpoints.getServerSettings, {}, {timeoutMs});
    const ms = Math.round(io.clock.monotonic() - started);
    const level = featureLevel(settings);
    const name = shortPrintableLine(settings.realm_name ?? account.site);
    const description = `${name}, version ${shortPrintableLine(serverVersion(settings) ?? 'unknown')}, feature level ${level}, ${ms} ms`;
    const checks: DoctorCheck[] = [
      level < minimumLevel
        ? {
            status: 'FAIL',
            what: 'server',
            detail: `${description}: too old, Parley needs feature level ${minimumLevel}`,
          }
        : {status: 'ok', what: 'server', detail: description},
    ];
    if (account.tls.insecure) {
      checks.push({
        status: 'warn',
        what: 'tls',
        detail: 'any certificate is accepted (insecure = true), so others could intercept the connection',
      });
    }
    return {level, checks};
  } finally {
    await connection.close();
  }
}

async function* keyChecks(connection: Connection, io: CliIo): AsyncGenerator<DoctorCheck> {
  const own = await attempt('key', () => connection.call(endpoints.getOwnUser, {}, {timeoutMs}));
  if ('status' in own) {
    yield own;
    return;
  }
  yield {status: 'ok', what: 'key', detail: `accepted for ${shortPrintableLine(own.value.full_name)}`};
  const queue = await attempt('events', () => queueChecks(connection, io));
  if ('status' in queue) yield queue;
  else yield* queue.value;
}

/** Registers a queue and deletes it. The response also contains the server's time. */
async function queueChecks(connection: Connection, {clock}: CliIo): Promise<DoctorCheck[]> {
  const started = clock.now();
  const {queue_id, server_timestamp} = await connection.call(
    endpoints.register,
    {
      event_types: ['alert_words'],
      fetch_event_types: ['presence'],
      slim_presence: true,
      presence_history_limit_days: 0,
    },
    {timeoutMs},
  );
  const ended = clock.now();
  if (typeof queue_id !== 'string')
    return [{status: 'FAIL', what: 'events', detail: 'The server did not create an event queue.'}];
  await connection.call(endpoints.deleteQueue, {queue_id}, {timeoutMs});
  const events: DoctorCheck = {
    status: 'ok',
    what: 'events',
    detail: `created and deleted a queue, ${Math.round(ended - started)} ms`,
  };
  if (server_timestamp === undefined) return [events];
  return [events, clockCheck(server_timestamp * 1000, started, ended)];
}

/** With a larger difference, times on the screen are visibly wrong and active users look idle. */
const maxDriftMs = 30_000;

/** Compares the clocks. The server's time was taken somewhere between the request and the response. */
function clockCheck(server: number, started: number, ended: number): DoctorCheck {
  const drift = server < started ? started - server : Math.max(0, server - ended);
  const seconds = Math.round(drift / 1000);
  if (drift <= maxDriftMs)
    return {status: 'ok', what: 'clock', detail: `agrees with the server within ${Math.max(1, seconds)} s`};
  const direction = server < started ? 'ahead of' : 'behind';
  const detail = `This computer's clock is ${seconds} s ${direction} the server's: correct the one that is wrong.`;
  return {status: 'warn', what: 'clock', detail};
}

const storeStatus = {ok: 'ok', missing: 'ok', corrupt: 'warn', newer: 'FAIL', unreadable: 'FAIL'} as const;

/** Checks the account's database. A damaged file is only a warning, because the next start replaces it. */
function storeCheck(account: Account, {env, home}: CliIo): DoctorCheck {
  const {state, detail} = inspectStore(accountDatabase(pathsOf(env, home), account.id));
  const text = state === 'ok' || state === 'missing' ? detail : `${state}: ${detail}`;
  return {status: storeStatus[state], what: 'database', detail: text};
}

/** Runs the body and turns expected failures into a failed check. Other errors are bugs and are thrown. */
async function attempt<T>(what: string, body: () => Promise<T>): Promise<{value: T} | DoctorCheck> {
  try {
    return {value: await body()};
  } catch (error) {
    if (isApiFailure(error)) return {status: 'FAIL', what, detail: failureMessage(error)};
    if (error instanceof ConfigError) return {status: 'FAIL', what, detail: error.message};
    throw error;
  }
}
