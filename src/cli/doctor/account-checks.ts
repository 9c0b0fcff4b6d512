import type {Connection} from '#api/connection.ts';
import {failureMessage, isApiFailure} from '#api/failure.ts';
import {shortPrintableLine} from '#api/failure-text.ts';
import {connect, connectAnonymously, proxyVariable} from '#cli/account-access/connect.ts';
import {
  type AccountFlags,
  demoName,
  openAccount,
  resolveAccountFlags,
} from '#cli/account-access/open-account.ts';
import type {CliIo} from '#cli/io.ts';
import {accountDatabase} from '#config/account-id.ts';
import {ConfigError} from '#config/config-error.ts';
import type {Account} from '#config/load-account.ts';
import {displayPath, pathsOf} from '#config/paths.ts';
import {inspectStore} from '#storage/inspect-store.ts';
import {endpoints} from '#wire/endpoints.ts';
import {minimumLevel} from '#wire/levels.ts';
import {featureLevel, serverVersion} from '#wire/objects/version.ts';
import type {DoctorCheck} from './check.ts';

const timeoutMs = 20_000;

/** Which account, and whether its server takes it. What depends on something that failed is left out. */
export async function* accountChecks(flags: AccountFlags, io: CliIo): AsyncGenerator<DoctorCheck> {
  const found = await attempt('account', async () => resolveAccountFlags(flags, io));
  if ('status' in found) {
    yield found;
    return;
  }
  const resolved = found.value;
  if (resolved !== undefined) {
    const {account, why, notices} = resolved;
    const place = displayPath(account.file ?? '', io.home);
    yield {
      status: 'ok',
      what: 'account',
      detail: `${account.email} at ${account.site}, from ${place} (${why})`,
    };
    for (const detail of notices) yield {status: 'warn', what: 'secrets', detail};
    if (notices.length === 0) yield {status: 'ok', what: 'secrets', detail: 'only you can read the key'};
    yield* serverChecks(account, io);
    return;
  }
  yield {status: 'ok', what: 'account', detail: 'none: Parley opens the demo organization'};
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
  const reached = await attempt('server', () => serverCheck(account, io));
  if ('status' in reached) yield reached;
  else {
    yield* reached.value.checks;
    const signed = await attempt('key', () => connect(account, io));
    if ('status' in signed) yield signed;
    else {
      signed.value.level = reached.value.level;
      try {
        yield* keyChecks(signed.value, io);
      } finally {
        await signed.value.close();
      }
    }
  }
  yield storeCheck(account, io);
}

/** Sentences name the server, but it is the proxy that is spoken to. */
function* proxyCheck({site}: Account, {env}: CliIo): Generator<DoctorCheck> {
  const variable = proxyVariable(site, env);
  if (variable === undefined) return;
  // Only its host: the address may hold a password.
  const host = URL.parse(env[variable] ?? '')?.host || 'no valid address';
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
    const started = io.clock.now();
    const settings = await connection.call(endpoints.getServerSettings, {}, {timeoutMs});
    const ms = Math.round(io.clock.now() - started);
    const level = featureLevel(settings);
    const name = shortPrintableLine(settings.realm_name ?? account.site);
    const facts = `${name}, version ${shortPrintableLine(serverVersion(settings) ?? 'unknown')}, feature level ${level}, ${ms} ms`;
    const checks: DoctorCheck[] = [
      level < minimumLevel
        ? {status: 'FAIL', what: 'server', detail: `${facts}: too old, ${minimumLevel} is needed`}
        : {status: 'ok', what: 'server', detail: facts},
    ];
    if (account.tls.insecure) {
      checks.push({
        status: 'warn',
        what: 'tls',
        detail: 'any certificate is trusted (insecure): others can read along',
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

/** Registers a queue and deletes it; the answer tells the server's time on the way. */
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
    return [{status: 'FAIL', what: 'events', detail: 'The server gave no event queue.'}];
  await connection.call(endpoints.deleteQueue, {queue_id}, {timeoutMs});
  const events: DoctorCheck = {
    status: 'ok',
    what: 'events',
    detail: `a queue was made and deleted, ${Math.round(ended - started)} ms`,
  };
  if (server_timestamp === undefined) return [events];
  return [events, clockCheck(server_timestamp * 1000, started, ended)];
}

/** Beyond this, times on the screen are visibly wrong, and who is active looks idle. */
const mostDriftMs = 30_000;

/** The server's moment lies somewhere between asking and hearing. */
function clockCheck(server: number, started: number, ended: number): DoctorCheck {
  const drift = server < started ? started - server : Math.max(0, server - ended);
  const seconds = Math.round(drift / 1000);
  if (drift <= mostDriftMs)
    return {status: 'ok', what: 'clock', detail: `agrees with the server within ${Math.max(1, seconds)} s`};
  const direction = server < started ? 'ahead of' : 'behind';
  const detail = `This computer's clock is ${seconds} s ${direction} the server's: set one of them right.`;
  return {status: 'warn', what: 'clock', detail};
}

const storeStatus = {ok: 'ok', missing: 'ok', corrupt: 'warn', newer: 'FAIL', unreadable: 'FAIL'} as const;

/** A damaged file is set aside at the next start, so it is no more than a warning. */
function storeCheck(account: Account, {env, home}: CliIo): DoctorCheck {
  const {state, detail} = inspectStore(accountDatabase(pathsOf(env, home), account.id));
  const shown = state === 'ok' || state === 'missing' ? detail : `${state}: ${detail}`;
  return {status: storeStatus[state], what: 'kept', detail: shown};
}

/** Failures that are the situation's become a check; anything else is a defect and goes on. */
async function attempt<T>(what: string, body: () => Promise<T>): Promise<{value: T} | DoctorCheck> {
  try {
    return {value: await body()};
  } catch (error) {
    if (isApiFailure(error)) return {status: 'FAIL', what, detail: failureMessage(error)};
    if (error instanceof ConfigError) return {status: 'FAIL', what, detail: error.message};
    throw error;
  }
}
