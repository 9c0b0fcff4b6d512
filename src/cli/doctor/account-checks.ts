import type {Connection} from '#api/connection.ts';
import {connect, connectAnonymously, proxyVariable} from '#cli/account-access/connect.ts';
import {
  type AccountFlags,
  demoName,
  noAccountText,
  openAccount,
  resolveAccountFlags,
} from '#cli/account-access/lazy-account.ts';
import type {CliIo} from '#cli/io.ts';
import type {Account, ResolvedAccount} from '#config/load-account.ts';
import {accountDatabase, displayPath} from '#config/paths.ts';
import {ConfigError} from '#config/private-files.ts';
import {shortPrintableLine} from '#std/printable.ts';
import {inspectStore} from '#storage/inspect-store.ts';
import {endpoints} from '#wire/endpoints.ts';
import {failureMessage, isApiFailure} from '#wire/failure.ts';
import {minimumLevel} from '#wire/levels.ts';
import {featureLevel, serverVersion} from '#wire/objects/server-settings.ts';

/** One line of the output of “parley doctor”. */
export interface DoctorCheck {
  /** `warn` needs attention, `FAIL` prevents something from working. */
  readonly status: 'ok' | 'warn' | 'FAIL';
  readonly what: string;
  readonly detail: string;
  /** Further lines, such as configuration to copy. */
  readonly lines?: readonly string[];
}

const check = (status: DoctorCheck['status']) => (what: string, detail: string) => ({status, what, detail});
export const [ok, warn, fail] = [check('ok'), check('warn'), check('FAIL')];

const timeoutMs = 20_000;

/** Checks which account is used and whether its server accepts it. Checks that depend on a failed one are left out. */
export function accountChecks(flags: AccountFlags, io: CliIo): AsyncGenerator<DoctorCheck> {
  const resolve = async () => resolveAccountFlags(flags, io);
  return attempt('account', resolve, (found) => (found === undefined ? demoChecks(flags, io) : foundChecks(found, io)));
}

async function* foundChecks({account, why, notices}: ResolvedAccount, io: CliIo): AsyncGenerator<DoctorCheck> {
  const path = displayPath(account.file ?? '', io.home);
  const detail = `${account.email} at ${account.site}, from ${path} (${why})`;
  yield ok('account', detail);
  for (const notice of notices) yield warn('secrets', notice);
  if (notices.length === 0) yield ok('secrets', 'only you can read the API key');
  yield* serverChecks(account, io);
}

async function* demoChecks(flags: AccountFlags, io: CliIo): AsyncGenerator<DoctorCheck> {
  if (flags.account === undefined) {
    yield warn('account', noAccountText);
    return;
  }
  yield ok('account', 'the demo organization');
  const open = () => openAccount({account: demoName}, io);
  yield* attempt('demo', open, async function* ({account, release}) {
    try {
      yield* serverChecks(account, io);
    } finally {
      await release();
    }
  });
}

async function* serverChecks(account: Account, io: CliIo): AsyncGenerator<DoctorCheck> {
  yield* proxyCheck(account, io);
  const request = () => serverCheck(account, io);
  yield* attempt('server', request, async function* ({level, checks}) {
    yield* checks;
    yield* attempt(
      'key',
      () => connect(account, io),
      (connection) => keyChecks(connection, level, io),
    );
  });
  yield storeCheck(account, io);
}

/** Names the proxy, because error messages name the server although the connection goes to the proxy. */
function* proxyCheck({site}: Account, {env}: CliIo): Generator<DoctorCheck> {
  const variable = proxyVariable(site, env);
  if (variable === undefined) return;
  // Only the host is shown: the address may contain a password.
  const host = URL.parse(env[variable] ?? '')?.host || 'an invalid address';
  const exceptions = env.no_proxy || env.NO_PROXY ? ', unless no_proxy names it' : '';
  const detail = `the server is reached through ${shortPrintableLine(host)} ($${variable})${exceptions}`;
  yield ok('proxy', detail);
}

async function serverCheck(account: Account, io: CliIo): Promise<{level: number; checks: DoctorCheck[]}> {
  const connection = connectAnonymously(account.site, account.tls, io);
  try {
    const started = io.clock.monotonic();
    const settings = await connection.call(endpoints.getServerSettings, {}, {timeoutMs});
    const ms = Math.round(io.clock.monotonic() - started);
    const level = featureLevel(settings);
    const name = shortPrintableLine(settings.realm_name ?? account.site);
    const detail = `${name}, version ${shortPrintableLine(serverVersion(settings) ?? 'unknown')}, feature level ${level}, ${ms} ms`;
    const isOld = level < minimumLevel;
    const problem = isOld ? `: too old, Parley needs feature level ${minimumLevel}` : '';
    const server = (isOld ? fail : ok)('server', `${detail}${problem}`);
    return {level, checks: account.tls.insecure ? [server, warn('tls', insecureText)] : [server]};
  } finally {
    await connection.close();
  }
}

const insecureText = 'any certificate is accepted (insecure = true), so others could intercept the connection';

async function* keyChecks(connection: Connection, level: number, io: CliIo): AsyncGenerator<DoctorCheck> {
  connection.level = level;
  const request = () => connection.call(endpoints.getOwnUser, {}, {timeoutMs});
  try {
    yield* attempt('key', request, async function* ({full_name}) {
      yield ok('key', `accepted for ${shortPrintableLine(full_name)}`);
      const register = () => queueChecks(connection, io);
      yield* attempt('events', register, (checks) => checks);
    });
  } finally {
    await connection.close();
  }
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
  if (typeof queue_id !== 'string') return [fail('events', 'The server did not create an event queue.')];
  await connection.call(endpoints.deleteQueue, {queue_id}, {timeoutMs});
  const detail = `created and deleted a queue, ${Math.round(ended - started)} ms`;
  const events = ok('events', detail);
  return server_timestamp === undefined ? [events] : [events, clockCheck(server_timestamp * 1000, started, ended)];
}

/** With a larger difference, times on the screen are visibly wrong and active users look idle. */
const maxDriftMs = 30_000;

/** Compares the clocks. The server's time was taken somewhere between the request and the response. */
function clockCheck(server: number, started: number, ended: number): DoctorCheck {
  const drift = server < started ? started - server : Math.max(0, server - ended);
  const seconds = Math.round(drift / 1000);
  if (drift <= maxDriftMs) return ok('clock', `agrees with the server within ${Math.max(1, seconds)} s`);
  const direction = server < started ? 'ahead of' : 'behind';
  const detail = `This computer's clock is ${seconds} s ${direction} the server's: correct the one that is wrong.`;
  return warn('clock', detail);
}

const storeStatus = {ok: 'ok', missing: 'ok', corrupt: 'warn', newer: 'FAIL', unreadable: 'FAIL'} as const;

/** Checks the account's database. A damaged file is only a warning, because the next start replaces it. */
function storeCheck(account: Account, {paths}: CliIo): DoctorCheck {
  const {state, detail} = inspectStore(accountDatabase(paths, account.id));
  const text = state === 'ok' || state === 'missing' ? detail : `${state}: ${detail}`;
  return {status: storeStatus[state], what: 'database', detail: text};
}

/** Runs the body, and yields a failed check if it fails, or else the checks of its result. Other errors are bugs. */
async function* attempt<T>(
  what: string,
  body: () => Promise<T>,
  checksOf: (result: T) => AsyncIterable<DoctorCheck> | Iterable<DoctorCheck>,
): AsyncGenerator<DoctorCheck> {
  let result: T;
  try {
    result = await body();
  } catch (error) {
    if (!isApiFailure(error) && !(error instanceof ConfigError)) throw error;
    yield fail(what, isApiFailure(error) ? failureMessage(error) : error.message);
    return;
  }
  yield* checksOf(result);
}
