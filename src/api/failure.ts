import type {ErrorBody} from '#wire/errors.ts';

/** Whether the server may have done what was asked. `no` is certain; only then may anything be repeated blindly. */
export type CarriedOut = 'no' | 'maybe';

export interface FailureDetails {
  /** The id of the endpoint in the wire table, or the request line of a call outside it. */
  readonly endpoint: string;
  readonly carriedOut: CarriedOut;
}

/**
 * The message is one sentence for people. There is no `cause`: what undici and the TLS library hang on their errors may
 * hold a request's headers.
 */
abstract class ApiFailureBase extends Error {
  abstract readonly kind: string;
  readonly endpoint: string;
  readonly carriedOut: CarriedOut;

  constructor(sentence: string, {endpoint, carriedOut}: FailureDetails) {
    super(sentence);
    this.endpoint = endpoint;
    this.carriedOut = carriedOut;
  }
}

export type RetryReason = 'network' | 'timeout' | 'server' | 'gateway' | 'rateLimit';

/** Worth another attempt later. */
export class RetryFailure extends ApiFailureBase {
  override readonly name = 'RetryFailure';
  readonly kind = 'retry';
  readonly reason: RetryReason;
  /** What the server asked for. */
  readonly retryAfterMs: number | undefined;

  constructor(
    sentence: string,
    facts: FailureDetails & {reason: RetryReason; retryAfterMs?: number | undefined},
  ) {
    super(sentence, facts);
    this.reason = facts.reason;
    this.retryAfterMs = facts.retryAfterMs;
  }
}

/** The event queue is gone: register anew. */
export class RegisterFailure extends ApiFailureBase {
  override readonly name = 'RegisterFailure';
  readonly kind = 'register';
}

/** The server does not take these credentials. */
export class LoginFailure extends ApiFailureBase {
  override readonly name = 'LoginFailure';
  readonly kind = 'login';
  readonly code: string;

  constructor(sentence: string, facts: FailureDetails & {code: string}) {
    super(sentence, facts);
    this.code = facts.code;
  }
}

/** `SERVER_TOO_OLD` and `CANNOT_CONNECT` are ours; every other code is the server's. */
export class PermanentFailure extends ApiFailureBase {
  override readonly name = 'PermanentFailure';
  readonly kind = 'permanent';
  /** Undefined when the server was not even asked, or no HTTP answer came. */
  readonly status: number | undefined;
  readonly code: string;
  /** What the server said, with the fields that its code brings. */
  readonly body: ErrorBody | undefined;

  constructor(
    sentence: string,
    facts: FailureDetails & {code: string; status?: number | undefined; body?: ErrorBody | undefined},
  ) {
    super(sentence, facts);
    this.status = facts.status;
    this.code = facts.code;
    this.body = facts.body;
  }
}

/** The answer is not what the contract says. */
export class MalformedFailure extends ApiFailureBase {
  override readonly name = 'MalformedFailure';
  readonly kind = 'malformed';
}

/** Everything that can go wrong with a call, sorted by what to do about it. An abort is not among it. */
export type ApiFailure = RetryFailure | RegisterFailure | LoginFailure | PermanentFailure | MalformedFailure;

export function isApiFailure(error: unknown): error is ApiFailure {
  return error instanceof ApiFailureBase;
}

/** One clear sentence for people. */
export function failureMessage(failure: ApiFailure): string {
  return failure.message;
}

/** A call that this server has not learned yet; it is not made. */
export function serverTooOldFailure(
  endpoint: string,
  what: string,
  since: number,
  level: number,
): PermanentFailure {
  const text =
    level === 0
      ? `The feature level of this server is not known, and ${what} needs ${since}.`
      : `This server is too old for ${what}: it is at feature level ${level}, and ${since} is needed.`;
  return new PermanentFailure(text, {endpoint, carriedOut: 'no', code: 'SERVER_TOO_OLD'});
}

/** A call that cannot be put into a request; it is not made. */
export function invalidCallFailure(endpoint: string, text: string): PermanentFailure {
  return new PermanentFailure(text, {endpoint, carriedOut: 'no', code: 'BAD_REQUEST'});
}

/** Whether the server refused, and so did not do it, with this code. */
export function isRefusal(error: unknown, code?: string): error is PermanentFailure {
  return (
    error instanceof PermanentFailure &&
    error.status !== undefined &&
    (code === undefined || error.code === code)
  );
}
