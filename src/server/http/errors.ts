/** An answer other than success: thrown anywhere below a route, written by the listener. Rolls the transaction back. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: string;
  readonly status: number;
  readonly extra: Readonly<Record<string, unknown>>;
  /** What went wrong, where the code does not tell; older levels may have said it otherwise. Not sent. */
  readonly kind: string;

  constructor(
    code: string,
    message: string,
    status = 400,
    extra: Readonly<Record<string, unknown>> = {},
    kind = code,
  ) {
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

/** Somebody who does not exist or is deactivated cannot be subscribed. */
export function unknownPrincipal(message: string): ApiError {
  return new ApiError('BAD_REQUEST', message, 400, {}, 'UNKNOWN_PRINCIPAL');
}

/** Drafts, scheduled messages, snippets, views…: 404, but the code says BAD_REQUEST. */
export function notFoundError(message: string): ApiError {
  return new ApiError('BAD_REQUEST', message, 404);
}

/** The caller's role does not allow it (`Must be an organization administrator`). */
export function unauthorizedPrincipal(message: string): ApiError {
  return new ApiError('UNAUTHORIZED_PRINCIPAL', message, 400);
}

export function missingParam(name: string): ApiError {
  return new ApiError('REQUEST_VARIABLE_MISSING', `Missing '${name}' argument`, 400, {var_name: name});
}

export function rateLimitHit(retryAfter: number): ApiError {
  return new ApiError('RATE_LIMIT_HIT', 'API usage exceeded rate limit', 429, {'retry-after': retryAfter});
}
