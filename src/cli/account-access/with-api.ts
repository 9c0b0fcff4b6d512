import {type Api, makeApi} from '#api/api.ts';
import {failureMessage, isApiFailure, type RetryFailure, type RetryReason} from '#api/failure.ts';
import {withRetries} from '#api/retry.ts';
import {type CliIo, printNotice} from '#cli/io.ts';
import type {Account} from '#config/load-account.ts';
import {connect} from './connect.ts';
import {type AccountFlags, openAccount} from './open-account.ts';

/** An account and the API of its server, for the duration of a verb. */
export interface ApiContext {
  readonly account: Account;
  readonly api: Api;
  readonly io: CliIo;
  readonly signal: AbortSignal;
}

/** Only rate limits are retried, this often: other failures are left to the caller of the verb. */
const maxAttempts = 5;
const maxWaitMs = 60_000;

export async function withApi<T>(
  flags: AccountFlags,
  io: CliIo,
  signal: AbortSignal,
  body: (context: ApiContext) => Promise<T>,
): Promise<T> {
  const {account, release} = await openAccount(flags, io);
  try {
    signal.throwIfAborted();
    const connection = await connect(account, io);
    try {
      return await body({account, api: withRateLimitRetries(makeApi(connection), io, signal), io, signal});
    } finally {
      await connection.close();
    }
  } finally {
    await release();
  }
}

/** Returns the API with calls that wait when the server limits the rate, and that stop when the signal aborts. */
function withRateLimitRetries(api: Api, io: CliIo, signal: AbortSignal): Api {
  const wrapped: Record<string, unknown> = {connection: api.connection};
  for (const [name, call] of Object.entries(api)) {
    if (typeof call !== 'function') continue;
    if (name === 'sendMessage') {
      // The outbox waits instead: until then the message is not being sent and can be cancelled.
      wrapped[name] = call;
      continue;
    }
    const original = call as (args?: object, options?: object) => Promise<unknown>;
    wrapped[name] = (args?: object, options: object = {}) =>
      retryWhenRateLimited(() => original(args, {signal, ...options}), io, signal);
  }
  return wrapped as Api; // It has a function for each name of the original.
}

export function retryWhenRateLimited<T>(call: () => Promise<T>, io: CliIo, signal: AbortSignal): Promise<T> {
  const {clock, random} = io;
  const attempt = async () => {
    try {
      return {value: await call()};
    } catch (error) {
      if (isBriefWait(error)) throw error;
      // Returned instead of thrown, because a thrown error would be retried.
      return {error};
    }
  };
  const onWait = (failure: RetryFailure) => printRetryNotice(io, failure);
  return withRetries(attempt, {clock, random, signal, idempotent: true, limit: maxAttempts, onWait}).then((result) => {
    if ('error' in result) throw result.error;
    return result.value;
  });
}

const printedReasons = new WeakMap<CliIo, Set<RetryReason>>();

/** Prints why a verb waits, once for each reason: every attempt of every request would say the same. */
export function printRetryNotice(io: CliIo, failure: RetryFailure): void {
  const printed = printedReasons.get(io) ?? new Set();
  if (!printed.has(failure.reason)) printNotice(io, failureMessage(failure));
  printedReasons.set(io, printed.add(failure.reason));
}

function isBriefWait(error: unknown): boolean {
  return (
    isApiFailure(error) &&
    error.kind === 'retry' &&
    error.reason === 'rateLimit' &&
    (error.retryAfterMs ?? 0) <= maxWaitMs
  );
}
