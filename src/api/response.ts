import {decodeError, type ErrorBody, remedy} from '#wire/errors.ts';
import {
  type ApiFailure,
  LoginFailure,
  MalformedFailure,
  PermanentFailure,
  RegisterFailure,
  RetryFailure,
} from './failure.ts';
import {shortPrintableLine, withFullStop} from './failure-text.ts';

/** An answer as it came: its body is text until it has been looked at. */
export interface ApiResponse {
  readonly endpoint: string;
  readonly host: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** Milliseconds since the epoch, for a `Retry-After` that is a date. */
  readonly now: number;
}

export type ResponseEnvelope = Record<string, unknown> & {result: string};

/** Files lie outside the API, so the table has no id for fetching one. */
export const downloadEndpointId = 'file.download';

/** Refusals that only other credentials can cure, whatever status they come with: 401, on old servers 403 or 400. */
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

/** No server is obeyed for longer than this. */
const longestWaitMs = 3_600_000;

/** The body of a success; everything else is thrown as what to do about it. */
export function successBody(answer: ApiResponse): ResponseEnvelope {
  const parsed = parsedJson(answer.text);
  if (answer.status < 200 || answer.status > 299) throw refusal(answer, parsed);
  if (parsed === undefined) throw unreadable(answer);
  if (!isEnvelope(parsed)) throw malformedFailure(answer, 'it has no result');
  // Nobody should answer 200 with an error, but a server that does means the error.
  if (parsed.result === 'error') throw refusal({...answer, status: 400}, parsed);
  // Batched work below level 211: a success of which a part is left.
  if (parsed.result === 'partially_completed') return {...parsed, complete: false};
  return parsed;
}

export function malformedFailure(
  {endpoint, host}: Pick<ApiResponse, 'endpoint' | 'host'>,
  reason: string,
): MalformedFailure {
  return new MalformedFailure(
    `The answer of ${host} is not what it should be: ${shortPrintableLine(reason)}.`,
    {
      endpoint,
      carriedOut: 'maybe',
    },
  );
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isEnvelope(value: unknown): value is ResponseEnvelope {
  return typeof value === 'object' && value !== null && 'result' in value && typeof value.result === 'string';
}

/** A page where data should be comes from something in between (a gateway, a hotel's login) and goes away again. */
function unreadable(answer: ApiResponse): ApiFailure {
  const {endpoint, host} = answer;
  if (!isPage(answer)) return malformedFailure(answer, 'it is cut off or not JSON');
  const text = `Something between here and ${host} answered with a web page instead.`;
  return new RetryFailure(text, {endpoint, carriedOut: 'maybe', reason: 'gateway'});
}

function isPage({headers, text}: ApiResponse): boolean {
  return (
    /^text\/html\b/i.test(String(headers['content-type'] ?? '')) || /^\s*<(?:!doctype|html)\b/i.test(text)
  );
}

function refusal(answer: ApiResponse, parsed: unknown): ApiFailure {
  const {endpoint, host, status} = answer;
  const body = decodeError(parsed);
  const said = body === undefined ? '' : shortPrintableLine(body.msg);
  const code = body?.code ?? 'BAD_REQUEST';
  if (status >= 300 && status < 400) return malformedFailure(answer, `status ${status} leads nowhere`);
  if (loginCodes.has(code) || status === 401) {
    return new LoginFailure(withFullStop(said || `${host} does not accept these credentials`), {
      endpoint,
      carriedOut: 'no',
      code,
    });
  }
  switch (remedy(status, body?.code)) {
    case 'register':
      return forgotten(answer);
    case 'retry':
      return retry(answer, body, said);
    default:
      // A position that the queue no longer holds, or never had: as lost as the queue itself.
      if (endpoint === 'queue.poll' && status === 400) return forgotten(answer);
      return new PermanentFailure(said === '' ? unexplained(answer) : withFullStop(said), {
        endpoint,
        carriedOut: 'no',
        status,
        code,
        body,
      });
  }
}

function forgotten({endpoint, host}: ApiResponse): RegisterFailure {
  return new RegisterFailure(`${host} has forgotten this session: a new one has to be registered.`, {
    endpoint,
    carriedOut: 'no',
  });
}

function unexplained({endpoint, host, status}: ApiResponse): string {
  if (endpoint === downloadEndpointId && status === 404) return `${host} has no such file (any more).`;
  if (endpoint === downloadEndpointId && status === 403) return 'You do not have access to this file.';
  if (status === 404) return `${host} has nothing at this address: is it a chat server?`;
  if (status === 403) return `${host} does not allow this.`;
  if (status === 413) return `This is too large for ${host}.`;
  return `${host} refused this (status ${status}).`;
}

function retry(answer: ApiResponse, body: ErrorBody | undefined, said: string): RetryFailure {
  const {endpoint, host, status} = answer;
  const retryAfterMs = retryAfter(answer, body);
  if (status === 429 || body?.code === 'RATE_LIMIT_HIT') {
    const waitMs = retryAfterMs ?? 1000;
    const text = `${host} asks to wait ${duration(waitMs)} before the next request.`;
    return new RetryFailure(text, {endpoint, carriedOut: 'no', reason: 'rateLimit', retryAfterMs: waitMs});
  }
  // 408 and 425 say that the request was not taken.
  const carriedOut = status < 500 ? 'no' : 'maybe';
  if (body === undefined || (status >= 502 && status <= 504)) {
    const text = `${host} is not available right now (status ${status}).`;
    return new RetryFailure(text, {endpoint, carriedOut, reason: 'gateway', retryAfterMs});
  }
  const text = `${host} had a problem (status ${status}): ${withFullStop(said || body.code || 'no reason given')}`;
  return new RetryFailure(text, {endpoint, carriedOut, reason: 'server', retryAfterMs});
}

/** The longer of what header and body ask for. The header is a number of seconds or a date. */
function retryAfter({headers, now}: ApiResponse, body: ErrorBody | undefined): number | undefined {
  const header = String(headers['retry-after'] ?? '').trim();
  const asked: number[] = [];
  if (/^\d+(?:\.\d+)?$/.test(header)) asked.push(Number(header) * 1000);
  else if (header !== '' && !Number.isNaN(Date.parse(header))) asked.push(Date.parse(header) - now);
  const inBody = body?.['retry-after'];
  if (inBody !== undefined) asked.push(inBody * 1000);
  if (asked.length === 0) return undefined;
  return Math.min(Math.max(0, ...asked), longestWaitMs);
}

function duration(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  if (seconds < 120) return seconds === 1 ? 'a second' : `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}
