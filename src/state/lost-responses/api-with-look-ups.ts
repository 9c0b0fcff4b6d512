import type {Api} from '#api/api.ts';
import {delay, withRetries} from '#api/retry.ts';
import type {SessionContext} from '#state/session-context.ts';
import type {SliceName} from '#state/state.ts';
import {endpoints} from '#wire/endpoints.ts';
import {type ApiFailure, isApiFailure, notCarriedOut} from '#wire/failure.ts';
import {type ChangeContext, type Known, type LookUpContext, NotMade} from './find-change.ts';
import {lookUps} from './look-ups.ts';

/** The user waits for the change: after this long they are told that it was not made, and how long the server asks to wait. */
const maxRateLimitWaitMs = 30_000;
/**
 * The waits between looks. After a connection broke, the server may still be at work on the request, so that a change which is
 * not there is certain not to come only after all of them: Zulip's servers end a request after 20 seconds.
 */
const lookWaitsMs = [1000, 2000, 4000, 8000, 15_000];
/** The wait between later looks, while the server cannot be asked. */
const laterWaitMs = 30_000;

type Call = (args?: object, options?: {readonly signal?: AbortSignal}) => Promise<unknown>;
type AnyFind = (context: LookUpContext, args: object, send: () => Promise<unknown>) => Promise<unknown>;
type AnyLookUp = 'none' | 'unknown' | AnyFind | {readonly known: Known; readonly find: AnyFind};

/** Returns the API with calls that stop when the signal aborts. */
export function endingApi({api, signal}: Pick<SessionContext, 'api' | 'signal'>): Api {
  return mappedApi(api, (call) => (args, options) => call(args, {signal, ...options}));
}

/**
 * Returns the API of a session or a verb. Its calls stop when the signal aborts. When the rate limit refuses a change, it waits
 * and asks again. When a response leaves open whether the server made a change, it finds out. The failure's `carriedOut` is
 * then `no` if the change was not made, and `maybe` only if that stays unknown: a session looks as long as it lasts, a verb for
 * half a minute.
 */
export function apiWithLookUps(context: ChangeContext): Api {
  return mappedApi(endingApi(context), (call, name) => {
    const lookUp = lookUpOf(name);
    return lookUp === undefined || lookUp === 'none' ? call : callWithLookUp(context, call, lookUp);
  });
}

function mappedApi(original: Api, map: (call: Call, name: string) => Call): Api {
  return new Proxy(original, {
    get: (api, name) => {
      const call: unknown = Reflect.get(api, name);
      return typeof call === 'function' ? map(call as Call, String(name)) : call;
    },
  });
}

function lookUpOf(name: string): AnyLookUp | undefined {
  // The table pairs each call with its own arguments.
  return Reflect.get(lookUps, name) as AnyLookUp | undefined;
}

function callWithLookUp(context: ChangeContext, call: Call, lookUp: Exclude<AnyLookUp, 'none'>): Call {
  return async (args = {}, options) => {
    const {cache, clock, random} = context;
    const before = cache.state;
    const signal = options?.signal ?? context.signal;
    const known = typeof lookUp === 'object' ? await lookUp.known(context).catch(() => undefined) : undefined;
    const send = () => call(args, {...options, signal});
    try {
      return await withRetries(send, {
        clock,
        random,
        signal,
        idempotent: false,
        reasons: ['rateLimit'],
        maxWaitMs: maxRateLimitWaitMs,
      });
    } catch (error) {
      if (!mayBeMade(error)) throw error;
      error.found = 'unknown';
      if (lookUp === 'unknown') throw error;
      const find = typeof lookUp === 'object' ? lookUp.find : lookUp;
      return findOut({...context, signal}, error, () => find({...context, signal, before, known}, args, send));
    }
  };
}

/** Looks until it is known whether the server made the change. Returns its result; rejects if it was not made or stays unknown. */
async function findOut(context: ChangeContext, failure: ApiFailure, look: () => Promise<unknown>): Promise<unknown> {
  // The server has answered, so it is not at work any more.
  const isEnded = failure.kind === 'retry' && failure.reason === 'server';
  const {promise: settled, resolve: settle} = Promise.withResolvers<void>();
  try {
    for (let looks = 0; ; looks++) {
      const waitMs = lookWaitsMs[looks];
      try {
        const found = await look();
        if (found !== undefined) return found;
        if (isEnded || waitMs === undefined) throw new NotMade();
      } catch (error) {
        context.signal.throwIfAborted();
        if (error instanceof NotMade) throw error.refusal ?? notCarriedOut(failure);
        if (!isApiFailure(error) || error.kind !== 'retry') throw failure;
        const mayAskLater = context.cache.subscribe !== undefined && error.reason !== 'server';
        if (waitMs === undefined && !mayAskLater) throw failure;
      }
      if (looks === 0) context.onUnknown?.(failure, settled);
      const found = await findMeanwhile(context, waitMs ?? laterWaitMs, look);
      if (found !== undefined) return found;
    }
  } finally {
    settle();
  }
}

/** Waits. The first event meanwhile, such as the return of the connection, causes a look; returns what it found. */
async function findMeanwhile({cache, clock, signal}: ChangeContext, ms: number, look: () => Promise<unknown>) {
  const ending = new AbortController();
  const timer = delay(ms, clock, AbortSignal.any([signal, ending.signal]));
  timer.catch(() => {});
  let unsubscribe: (() => void) | undefined;
  const event = new Promise<boolean>((resolve) => {
    unsubscribe = cache.subscribe?.(Object.keys(cache.state) as SliceName[], () => resolve(true));
  });
  try {
    const isEvent = await Promise.race([event, timer.then(() => false)]);
    const found = isEvent ? await look().catch(() => undefined) : undefined;
    if (found === undefined) await timer;
    return found;
  } finally {
    unsubscribe?.();
    ending.abort();
  }
}

/** Returns whether a failure leaves open if the server made a change. Some calls ask something before they change it. */
function mayBeMade(error: unknown): error is ApiFailure {
  if (!isApiFailure(error) || error.carriedOut === 'no') return false;
  return Object.values(endpoints).find(({id}) => id === error.endpoint)?.method !== 'GET';
}
