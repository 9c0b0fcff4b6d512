import {type Api, makeApi} from '#api/api.ts';
import {failureMessage, isApiFailure} from '#api/failure.ts';
import {withRetries} from '#api/retry.ts';
import {type CliIo, printNotice} from '#cli/io.ts';
import type {AccountOptions} from '#cli/verbs/verb-table.ts';
import type {Account} from '#config/load-account.ts';
import {connect} from './connect.ts';
import {openAccount} from './open-account.ts';

/** One account and its server, for as long as a verb takes. */
export interface ApiContext {
  readonly account: Account;
  readonly api: Api;
  readonly io: CliIo;
  readonly signal: AbortSignal;
}

/** A server that says when to come back is believed so often; every other failure is the caller's to repeat. */
const mostAttempts = 5;
const longestWaitMs = 60_000;

export async function withApi<T>(
  asWhom: AccountOptions,
  io: CliIo,
  signal: AbortSignal,
  body: (reach: ApiContext) => Promise<T>,
): Promise<T> {
  const {account, release} = await openAccount(asWhom, io);
  try {
    signal.throwIfAborted();
    const connection = await connect(account, io);
    try {
      return await body({account, api: patient(makeApi(connection), io, signal), io, signal});
    } finally {
      await connection.close();
    }
  } finally {
    await release();
  }
}

/** The same functions, waiting when the server asks to, and ended by the signal. */
function patient(api: Api, io: CliIo, signal: AbortSignal): Api {
  const waiting: Record<string, unknown> = {connection: api.connection};
  for (const [name, call] of Object.entries(api)) {
    if (typeof call !== 'function') continue;
    if (name === 'sendMessage') {
      // The outbox does the waiting: so long it is not on its way, and can be taken back.
      waiting[name] = call;
      continue;
    }
    const once = call as (args?: object, options?: object) => Promise<unknown>;
    waiting[name] = (args?: object, options: object = {}) =>
      retryWhenRateLimited(() => once(args, {signal, ...options}), io, signal);
  }
  return waiting as Api; // Name by name the functions of the one it was made from.
}

export function retryWhenRateLimited<T>(call: () => Promise<T>, io: CliIo, signal: AbortSignal): Promise<T> {
  const {clock, random} = io;
  const attempt = async () => {
    try {
      return {value: await call()};
    } catch (error) {
      if (isBriefWait(error)) throw error;
      // Out of the loop, which would repeat it.
      return {error};
    }
  };
  const onWait = (failure: Parameters<typeof failureMessage>[0]) => printNotice(io, failureMessage(failure));
  return withRetries(attempt, {clock, random, signal, idempotent: true, limit: mostAttempts, onWait}).then(
    (done) => {
      if ('error' in done) throw done.error;
      return done.value;
    },
  );
}

function isBriefWait(error: unknown): boolean {
  return (
    isApiFailure(error) &&
    error.kind === 'retry' &&
    error.reason === 'rateLimit' &&
    (error.retryAfterMs ?? 0) <= longestWaitMs
  );
}
