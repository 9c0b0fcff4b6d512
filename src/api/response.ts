/** Turns HTTP responses into the body of a success or a failure. */

import {parsedJson} from '#std/parse-json.ts';
import {shortPrintableLine, withFullStop} from '#std/printable.ts';
import {decodeError, type ErrorBody, remedy} from '#wire/errors.ts';
import {
  type ApiFailure,
  downloadEndpointId,
  LoginFailure,
  MalformedFailure,
  PermanentFailure,
  RegisterFailure,
  RetryFailure,
} from '#wire/failure.ts';

/** An HTTP response with its body as text. */
interface ApiResponse {
  readonly endpoint: string;
  readonly host: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The current time in milliseconds, for a `Retry-After` that is a date. */
  readonly now: number;
}

export type ResponseEnvelope = Record<string, unknown> & {result: string};

/** Error codes that require other credentials, with any status: 401, or 403 or 400 on old servers. */
const loginCodes = new Set([
  'UNAUTHORIZED',
  'INVALID_API_KEY',
  'UNAUTHENTICATED_USER',
  'AUTHENTICATION_FAILED',
  'USER_DEACTIVATED',
  'REALM_DEACTIVATED',
  'PASSWORD_AUTH_DISABLED',
  'PASSWORD_RESET_REQUIRED',
]);

/** A server's request for a longer wait is cut to this. */
const maxRetryAfterMs = 3_600_000;

/** Returns the body of a successful response; throws a failure otherwise. */
export function successBody(response: ApiResponse): ResponseEnvelope {
  const parsed = parsedJson(response.text);
  if (response.status < 200 || response.status > 299) throw failureOf(response, parsed);
  if (parsed === undefined) throw invalidBody(response);
  if (!isEnvelope(parsed)) throw malformedFailure(response, 'it has no result');
  // A status of 200 with an error in the body is an error.
  if (parsed.result === 'error') throw failureOf({...response, status: 400}, parsed);
  // Below level 211, a success of batched work with a part left to do.
  if (parsed.result === 'partially_completed') return {...parsed, complete: false};
  return parsed;
}

export function malformedFailure(
  {endpoint, host}: Pick<ApiResponse, 'endpoint' | 'host'>,
  reason: string,
): MalformedFailure {
  return new MalformedFailure(`Invalid response from ${host}: ${shortPrintableLine(reason)}.`, {
    endpoint,
    carriedOut: 'maybe',
  });
}

function isEnvelope(value: unknown): value is ResponseEnvelope {
  return typeof value === 'object' && value !== null && 'result' in value && typeof value.result === 'string';
}

/** Returns the failure for a body that is not JSON. An HTML page comes from a gateway or captive portal; retrying helps. */
function invalidBody(response: ApiResponse): ApiFailure {
  if (!isHtml(response)) return malformedFailure(response, 'it is cut off or not JSON');
  return new RetryFailure(notZulipText(response), {
    endpoint: response.endpoint,
    carriedOut: 'maybe',
    reason: 'webPage',
  });
}

/** Says what arrived instead of Zulip's JSON. */
function notZulipText(response: ApiResponse): string {
  const {host, status} = response;
  const what = isHtml(response) ? 'a web page' : 'a response that is not from Zulip';
  return `Received ${what} (status ${status}) from ${host}: check the address, and for a proxy or a network login page.`;
}

function isHtml({headers, text}: ApiResponse): boolean {
  return /^text\/html\b/i.test(String(headers['content-type'] ?? '')) || /^\s*<(?:!doctype|html)\b/i.test(text);
}

function failureOf(response: ApiResponse, parsed: unknown): ApiFailure {
  const failure = classifiedFailure(response, parsed);
  if (typeof parsed === 'object' && parsed !== null) failure.response = parsed;
  return failure;
}

function classifiedFailure(response: ApiResponse, parsed: unknown): ApiFailure {
  const {endpoint, status} = response;
  const body = decodeError(parsed);
  const serverMessage = body === undefined ? '' : messageOf(body, response.host);
  const code = body?.code ?? 'BAD_REQUEST';
  if (status >= 300 && status < 400) return malformedFailure(response, `status ${status} without a valid target`);
  // Only Zulip's JSON speaks for Zulip. For a file, which is served outside the API, a web page is a normal response.
  const isZulip = body !== undefined || endpoint === downloadEndpointId;
  if (loginCodes.has(code) || (status === 401 && isZulip)) {
    const text = serverMessage || `${response.host} does not accept these credentials`;
    return new LoginFailure(withFullStop(text), {endpoint, carriedOut: 'no', code});
  }
  if (status === 401) {
    return new RetryFailure(notZulipText(response), {endpoint, carriedOut: 'no', reason: 'webPage'});
  }
  switch (remedy(status, body?.code)) {
    case 'register':
      return queueExpired(response);
    case 'retry':
      return retry(response, body, serverMessage);
    default:
      // Not temporary for every request: a filter before the server may refuse the content of one.
      if (!isZulip && status !== 413 && status !== 414) {
        const details = {endpoint, carriedOut: 'no', status, code: 'NOT_ZULIP'} as const;
        return new PermanentFailure(notZulipText(response), details);
      }
      // The queue does not have this event id any more, so the client must register again.
      if (endpoint === 'queue.poll' && status === 400) return queueExpired(response);
      return new PermanentFailure(serverMessage === '' ? defaultMessage(response) : withFullStop(serverMessage), {
        endpoint,
        carriedOut: 'no',
        status,
        code,
        body,
      });
  }
}

/** Returns the server's words, or a sentence for words that only the server's developers understand. */
function messageOf({code, msg}: ErrorBody, host: string): string {
  if (code === 'NONEXISTENT_SUBDOMAIN') {
    return `No organization has the address ${host}: if the server hosts several, use the address of yours`;
  }
  return shortPrintableLine(msg);
}

function queueExpired({endpoint, host}: ApiResponse): RegisterFailure {
  return new RegisterFailure(`The event queue on ${host} has expired.`, {
    endpoint,
    carriedOut: 'no',
  });
}

function defaultMessage({endpoint, host, status}: ApiResponse): string {
  if (endpoint === downloadEndpointId && status === 404) return `${host} does not have this file (any more).`;
  if (endpoint === downloadEndpointId && status === 403) return 'You do not have access to this file.';
  if (status === 413 || status === 414) return `This is too large for ${host}.`;
  return `${host} rejected the request (status ${status}).`;
}

function retry(response: ApiResponse, body: ErrorBody | undefined, serverMessage: string): RetryFailure {
  const {endpoint, host, status} = response;
  const retryAfterMs = retryAfter(response, body);
  if (status === 429 || body?.code === 'RATE_LIMIT_HIT') {
    const waitMs = retryAfterMs ?? 1000;
    const text = `${host} asks to wait ${duration(waitMs)} before the next request.`;
    return new RetryFailure(text, {endpoint, carriedOut: 'no', reason: 'rateLimit', retryAfterMs: waitMs});
  }
  // 408 and 425 mean that the request was not processed.
  const carriedOut = status < 500 ? 'no' : 'maybe';
  if (body === undefined || (status >= 502 && status <= 504)) {
    const text = `${host} is not available right now (status ${status}).`;
    return new RetryFailure(text, {endpoint, carriedOut, reason: 'gateway', retryAfterMs});
  }
  const text = `${host} had a problem (status ${status}): ${withFullStop(serverMessage || body.code || 'no reason given')}`;
  return new RetryFailure(text, {endpoint, carriedOut, reason: 'server', retryAfterMs});
}

/** Returns the longer wait of header and body. The header is a number of seconds or a date. */
function retryAfter({headers, now}: ApiResponse, body: ErrorBody | undefined): number | undefined {
  const header = String(headers['retry-after'] ?? '').trim();
  const waits: number[] = [];
  if (/^\d+(?:\.\d+)?$/.test(header)) waits.push(Number(header) * 1000);
  else if (header !== '' && !Number.isNaN(Date.parse(header))) waits.push(Date.parse(header) - now);
  const inBody = body?.['retry-after'];
  if (inBody !== undefined) waits.push(inBody * 1000);
  if (waits.length === 0) return undefined;
  return Math.min(Math.max(0, ...waits), maxRetryAfterMs);
}

function duration(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  if (seconds < 120) return seconds === 1 ? 'a second' : `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}
