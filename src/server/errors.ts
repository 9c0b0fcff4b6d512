import {isDamaged, isDiskFull, NumberTooLarge} from '#server/db/database.ts';
import {SearchTooSlow} from '#server/db/search-text.ts';

/** An error response. Code below a route throws it, which rolls the transaction back; the API handler sends it. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: string;
  readonly status: number;
  readonly extra: Readonly<Record<string, unknown>>;
  /** The kind of error where the code is ambiguous; used to rewrite errors for older feature levels. Not sent. */
  readonly kind: string;

  constructor(code: string, message: string, status = 400, extra: Readonly<Record<string, unknown>> = {}, kind = code) {
    super(message);
    this.code = code;
    this.status = status;
    this.extra = extra;
    this.kind = kind;
  }
}

export function badRequest(message: string, extra: Readonly<Record<string, unknown>> = {}): ApiError {
  return new ApiError('BAD_REQUEST', message, 400, extra);
}

/** Returns the error for a value that is not one of the possible values of a parameter. */
export function notListed(name: string): ApiError {
  return badRequest(`Invalid ${name}: Value error, Not in the list of possible values`);
}

/** Returns the error for a value that a parameter of this type cannot have. */
export function invalidValue(name: string, value: unknown): ApiError {
  const extra = {var_name: name, bad_value: value};
  return new ApiError('REQUEST_VARIABLE_INVALID', `Bad value for '${name}': ${value}`, 400, extra);
}

/** Returns the error for a user who cannot be subscribed because they do not exist or are deactivated. */
export function unknownPrincipal(message: string): ApiError {
  return new ApiError('BAD_REQUEST', message, 400, {}, 'UNKNOWN_PRINCIPAL');
}

/** Returns the error for a missing draft, scheduled message, snippet or view: status 404, but code BAD_REQUEST. */
export function notFoundError(message: string): ApiError {
  return new ApiError('BAD_REQUEST', message, 404);
}

/** Returns the error for an insufficient role (`Must be an organization administrator`). */
export function unauthorizedPrincipal(message: string): ApiError {
  return new ApiError('UNAUTHORIZED_PRINCIPAL', message, 400);
}

export function channelExistsError(name: string): ApiError {
  return new ApiError('CHANNEL_ALREADY_EXISTS', `Channel '${name}' already exists`, 409, {channel_name: name});
}

export function missingParam(name: string): ApiError {
  return new ApiError('REQUEST_VARIABLE_MISSING', `Missing '${name}' argument`, 400, {var_name: name});
}

/** The refusal of a request that is not finished when its server stops. */
export function serverStopping(): ApiError {
  return new ApiError('SERVER_STOPPING', 'The server is stopping.', 503);
}

/**
 * Returns the error response for a failure that is not a bug: a search that took too long, a number that cannot be
 * stored, a full disk, or a damaged database.
 */
export function asApiError(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error;
  if (error instanceof SearchTooSlow) {
    return badRequest('This search takes too long. Search in one channel or topic, or for other words.');
  }
  if (error instanceof NumberTooLarge) return badRequest('A number in this request is too large.');
  if (isDamaged(error)) {
    return new ApiError(
      'DATABASE_DAMAGED',
      'The server cannot read all of its data: the database is damaged. Whoever runs the server has to restore a backup.',
      500,
    );
  }
  return isDiskFull(error)
    ? new ApiError('INSUFFICIENT_STORAGE', 'The server has no space left to save this.', 507)
    : undefined;
}

export function rateLimitHit(retryAfter: number): ApiError {
  return new ApiError('RATE_LIMIT_HIT', 'API usage exceeded rate limit', 429, {'retry-after': retryAfter});
}

/** Returns the error for a narrow that cannot be parsed or names something unknown. */
export function badNarrow(description: string): ApiError {
  return new ApiError('BAD_NARROW', `Invalid narrow operator: ${description}`, 400, {desc: description});
}

/** Returns what was looked for; throws if it does not exist. A text is the sentence of a bad request. */
export function required<T>(found: T | undefined, error: string | (() => Error)): T {
  if (found === undefined) throw typeof error === 'string' ? badRequest(error) : error();
  return found;
}

/** Returns the result, or undefined if it is refused. */
export function unlessRefused<T>(body: () => T): T | undefined {
  try {
    return body();
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

/** Throws a bad request with this sentence unless the condition holds. */
export function check(condition: unknown, sentence: string): asserts condition {
  if (!condition) throw badRequest(sentence);
}

export function unauthorized(message: string): ApiError {
  return new ApiError('UNAUTHORIZED', message, 401);
}

export function notLoggedIn(): ApiError {
  return unauthorized('Not logged in: API authentication or user session required');
}

export function invalidApiKey(): ApiError {
  return unauthorized('Invalid API key');
}
