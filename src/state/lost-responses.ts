import type {Api} from '#api/api.ts';
import {type ApiFailure, isApiFailure, notCarriedOut} from '#api/failure.ts';
import {delay, withRetries} from '#api/retry.ts';
import {type LookUpContext, lookUps} from './look-ups.ts';
import type {SessionContext} from './session-context.ts';

/** The user waits for the change: after this long they are told that it was not made, and how long the server asks to wait. */
const maxRateLimitWaitMs = 30_000;
/** After a connection broke, the server may still be at work on the request. */
const secondLookMs = 2000;

type Call = (args?: object, options?: {readonly signal?: AbortSignal}) => Promise<unknown>;
type AnyLookUp = 'repeat' | ((context: LookUpContext, args: object) => Promise<unknown>);

/**
 * Returns the API for the user's changes. When the rate limit refuses one, it waits and asks again. When a response leaves open
 * whether the server made one of `lookUps`, it finds out. The failure's `carriedOut` is then `no` if the change was not made,
 * and `maybe` only if that stays unknown.
 */
export function apiWithLookUps(context: SessionContext): Api {
  const wrapped = new Map<PropertyKey, Call>();
  return new Proxy(context.api, {
    get: (api, name) => {
      const lookUp = Reflect.get(lookUps, name) as AnyLookUp | undefined;
      if (lookUp === undefined) return Reflect.get(api, name);
      const call = wrapped.get(name) ?? callWithLookUp(context, Reflect.get(api, name) as unknown as Call, lookUp);
      wrapped.set(name, call);
      return call;
    },
  });
}

function callWithLookUp(context: SessionContext, call: Call, lookUp: AnyLookUp): Call {
  return async (args = {}, options) => {
    const {cache, clock, random} = context;
    const before = cache.state;
    const send = () => call(args, options);
    const signal = options?.signal ?? context.signal;
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
      if (!isUncertain(error)) throw error;
      const look = async () => (lookUp === 'repeat' ? send() : lookUp({...context, before}, args));
      const isFinal = error.kind === 'retry' && error.reason === 'server';
      const found = await look()
        .then(async (result) => {
          if (result !== undefined || isFinal) return result;
          await delay(secondLookMs, clock, signal);
          return look();
        })
        .catch(() => {
          signal.throwIfAborted();
          throw error;
        });
      if (found === undefined) throw notCarriedOut(error);
      return found;
    }
  };
}

/** Returns whether a failure leaves open whether the server carried out the request. */
export function isUncertain(error: unknown): error is ApiFailure {
  return isApiFailure(error) && error.carriedOut === 'maybe';
}
