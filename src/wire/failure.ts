/** The errors of API calls, classed by what the caller can do about them. */

import type {ErrorBody} from './errors.ts';
import {tooOldText} from './server-features.ts';

/** Whether the server may have carried out the request. Only after a certain `no` is it safe to repeat blindly. */
export type CarriedOut = 'no' | 'maybe';

interface FailureDetails {
  /** The id of the endpoint in the wire table, or the request line of a raw call. */
  readonly endpoint: string;
  readonly carriedOut: CarriedOut;
}

/**
 * The base of all failures. The message is one sentence for the user. There is no `cause`, because the errors of undici and
 * the TLS library may contain a request's headers.
 */
abstract class ApiFailureBase extends Error {
  abstract readonly kind: string;
  readonly endpoint: string;
  readonly carriedOut: CarriedOut;
  /** The JSON of the server's error response as it came, without the account's secrets; undefined when there is none. */
  response: object | undefined;
  /** What was found out about the change that was requested: it was not made, or that stays unknown. */
  found: 'unknown' | 'notMade' | undefined;

  constructor(message: string, {endpoint, carriedOut}: FailureDetails) {
    super(message);
    this.endpoint = endpoint;
    this.carriedOut = carriedOut;
  }
}

/** `webPage`: the response is not from Zulip, but from a proxy or a network login page. */
export type RetryReason = 'network' | 'timeout' | 'server' | 'gateway' | 'webPage' | 'rateLimit';

/** A temporary failure: a later attempt may succeed. */
export class RetryFailure extends ApiFailureBase {
  override readonly name = 'RetryFailure';
  readonly kind = 'retry';
  readonly reason: RetryReason;
  /** The wait that the server requested. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, details: FailureDetails & {reason: RetryReason; retryAfterMs?: number | undefined}) {
    super(message, details);
    this.reason = details.reason;
    this.retryAfterMs = details.retryAfterMs;
  }
}

/** The event queue no longer exists; the client must register again. */
export class RegisterFailure extends ApiFailureBase {
  override readonly name = 'RegisterFailure';
  readonly kind = 'register';
}

/** The server rejects the credentials. */
export class LoginFailure extends ApiFailureBase {
  override readonly name = 'LoginFailure';
  readonly kind = 'login';
  readonly code: string;

  constructor(message: string, details: FailureDetails & {code: string}) {
    super(message, details);
    this.code = details.code;
  }
}

/**
 * A permanent failure. The codes `SERVER_TOO_OLD`, `CANNOT_CONNECT`, `NOT_ZULIP` (the response is not from Zulip) and `OTHER_HOST`
 * (a file is not on the server) are Parley's; all others are the server's.
 */
export class PermanentFailure extends ApiFailureBase {
  override readonly name = 'PermanentFailure';
  readonly kind = 'permanent';
  /** Undefined when no request was sent or no HTTP response arrived. */
  readonly status: number | undefined;
  readonly code: string;
  /** The server's error response. */
  readonly body: ErrorBody | undefined;

  constructor(
    message: string,
    details: FailureDetails & {code: string; status?: number | undefined; body?: ErrorBody | undefined},
  ) {
    super(message, details);
    this.status = details.status;
    this.code = details.code;
    this.body = details.body;
  }
}

/** The response violates the API. */
export class MalformedFailure extends ApiFailureBase {
  override readonly name = 'MalformedFailure';
  readonly kind = 'malformed';
  /** The next response would be too large as well. */
  readonly isTooLarge: boolean;

  constructor(message: string, details: FailureDetails & {isTooLarge?: boolean}) {
    super(message, details);
    this.isTooLarge = details.isTooLarge === true;
  }
}

/** Any failure of a call. An abort is not a failure. */
export type ApiFailure = RetryFailure | RegisterFailure | LoginFailure | PermanentFailure | MalformedFailure;

export function isApiFailure(error: unknown): error is ApiFailure {
  return error instanceof ApiFailureBase;
}

/** Returns whether it stays unknown if the server made a change. */
export function isUncertain(error: unknown): error is ApiFailure {
  return isApiFailure(error) && error.found === 'unknown';
}

/** Returns the message for the user. */
export function failureMessage(failure: ApiFailure): string {
  return failure.message;
}

/** Returns the failure of a change that turned out not to have been made. */
export function notCarriedOut(failure: ApiFailure): RetryFailure {
  const {message, endpoint} = failure;
  const reason = failure.kind === 'retry' ? failure.reason : 'server';
  const result = new RetryFailure(message, {endpoint, carriedOut: 'no', reason});
  result.found = 'notMade';
  return result;
}

/** Returns the failure of a call that was certainly not carried out; `status` is given when the server refused it. */
export function refusedFailure(endpoint: string, text: string, code: string, status?: number): PermanentFailure {
  return new PermanentFailure(text, {endpoint, carriedOut: 'no', code, status});
}

/** Returns the failure for invalid connection settings, or for a connection that cannot work. */
export function cannotConnectFailure(text: string, endpoint = 'connection', status?: number): PermanentFailure {
  return refusedFailure(endpoint, text, 'CANNOT_CONNECT', status);
}

/** Returns the failure for a file of the server that is at another origin, to which no request is sent. */
export function otherHostFailure(endpoint: string, host: string, origin: string): PermanentFailure {
  const text = `${host} has this file at ${origin}, and Parley connects to your server only. Open it in the browser, or allow it in the settings (files_from_other_hosts).`;
  return refusedFailure(endpoint, text, 'OTHER_HOST');
}

/** Returns the failure for a call that the server's level does not support; no request is sent. */
export function serverTooOldFailure(endpoint: string, what: string, since: number, level: number): PermanentFailure {
  const text =
    level === 0
      ? `The feature level of this server is not known, and ${what} needs ${since}.`
      : `This server is too old for ${what}. ${tooOldText(since, level)}`;
  return refusedFailure(endpoint, text, 'SERVER_TOO_OLD');
}

/** Returns the failure for a call with invalid arguments; no request is sent. */
export function invalidCallFailure(endpoint: string, text: string): PermanentFailure {
  return refusedFailure(endpoint, text, 'BAD_REQUEST');
}

/**
 * Returns whether a proxy or a network login page answered instead of the server. That is mostly temporary, but a filter may
 * refuse the content of one request for ever: callers that repeat it should do so only a few times.
 */
export function isFromElsewhere(failure: ApiFailure): boolean {
  return failure.kind === 'permanent' && failure.code === 'NOT_ZULIP';
}

/** Returns whether the server rejected the request (with this code), and so did not carry it out. */
export function isRefusal(error: unknown, code?: string): error is PermanentFailure {
  return error instanceof PermanentFailure && error.status !== undefined && (code === undefined || error.code === code);
}

/** The id of file downloads, which are outside the API and its table of endpoints. */
export const downloadEndpointId = 'file.download';
