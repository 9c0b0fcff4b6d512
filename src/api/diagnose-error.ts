/** Turns network, TLS and protocol errors into failures that tell the user what to do. */

import {shortPrintableLine, withFullStop} from '#std/printable.ts';
import {
  type ApiFailure,
  type CarriedOut,
  cannotConnectFailure,
  MalformedFailure,
  PermanentFailure,
  RetryFailure,
} from '#wire/failure.ts';
import {BadBodyError, SlowBodyError, TooLargeBodyError} from './response-body.ts';

/** The circumstances of a failed request. */
interface FailedRequest {
  readonly endpoint: string;
  /** The host of the request. */
  readonly host: string;
  /** Whether sending had begun. Before that the server cannot have carried anything out. */
  readonly started: boolean;
  /** The host of the proxy that is set for this URL. */
  readonly proxy: string | undefined;
}

const askAdministrator = 'the administrator of the server must replace it';
const askOtherwise = `otherwise ${askAdministrator}`;
const setAuthority = 'set cert_bundle to its authority, or insecure=true to trust it anyway';
const isUntrusted = `comes from an authority that is not trusted here: ${setAuthority}`;

/** Why a certificate is rejected and what helps, after "The certificate of HOST". */
const certificateErrors: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: `is self-signed: ${setAuthority}`,
  SELF_SIGNED_CERT_IN_CHAIN: isUntrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: isUntrusted,
  UNABLE_TO_GET_ISSUER_CERT: isUntrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: isUntrusted,
  CERT_UNTRUSTED: isUntrusted,
  CERT_SIGNATURE_FAILURE: `has an invalid signature: ${askAdministrator}`,
  CERT_NOT_YET_VALID: `is not valid yet: check the clock of this computer; ${askOtherwise}`,
  CERT_HAS_EXPIRED: `has expired: check the clock of this computer; ${askOtherwise}`,
  CERT_REVOKED: `has been revoked: ${askAdministrator}`,
  CERT_REJECTED: `was rejected: ${askAdministrator}`,
  CERT_CHAIN_TOO_LONG: `has too long a chain: ${askAdministrator}`,
  INVALID_CA: `comes from an authority that may not issue certificates: ${setAuthority}`,
  INVALID_PURPOSE: `is not a server certificate: ${askAdministrator}`,
  HOSTNAME_MISMATCH: `is for another host: check the address; ${askOtherwise}`,
  ERR_TLS_CERT_ALTNAME_INVALID: `is for another host: check the address; ${askOtherwise}`,
};

const networkErrors: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'host not found (check the address and your network)',
  EAI_AGAIN: 'the name lookup failed',
  EHOSTUNREACH: 'no route to host',
  ENETUNREACH: 'no network',
  ENETDOWN: 'the network is down',
  ECONNRESET: 'the connection was closed',
  EPIPE: 'the connection was closed',
  UND_ERR_SOCKET: 'the connection was closed',
};

/** Returns the failure for an error of the socket, of TLS, of undici or of the response body. */
export function diagnoseError(error: unknown, request: FailedRequest): ApiFailure {
  const {endpoint, host, started} = request;
  const carriedOut: CarriedOut = started ? 'maybe' : 'no';
  const cause = innermostCause(error);
  if (cause instanceof BadBodyError) {
    return new MalformedFailure(`Invalid response from ${host}: ${cause.message}.`, {
      endpoint,
      carriedOut,
      isTooLarge: cause instanceof TooLargeBodyError,
    });
  }
  const code = codeOf(cause);
  if (hasCause(error, (each) => each instanceof ProxyUnreachableError)) {
    const reason = isTimeout(code) ? 'it does not respond' : (networkErrors[code] ?? describe(code, cause));
    const text = `Cannot reach the proxy ${request.proxy}, which is set for ${host}: ${reason}.`;
    return new RetryFailure(text, {endpoint, carriedOut: 'no', reason: 'network'});
  }
  if (cause instanceof SlowBodyError || isTimeout(code)) {
    const text = timeoutText(code, request);
    return new RetryFailure(text, {endpoint, carriedOut, reason: 'timeout'});
  }
  return (
    tlsFailure(code, cause, request) ??
    proxyFailure(error, cause, request) ??
    protocolFailure(code, {endpoint, carriedOut}, host) ??
    new RetryFailure(`Cannot reach ${host}: ${networkErrors[code] ?? describe(code, cause)}.`, {
      endpoint,
      carriedOut,
      reason: 'network',
    })
  );
}

/** Returns the failure for a TLS error. After a failed handshake the server has carried nothing out. */
function tlsFailure(code: string, error: unknown, {endpoint, host}: FailedRequest): ApiFailure | undefined {
  const reason = certificateErrors[code];
  if (reason !== undefined) return cannotConnectFailure(`The certificate of ${host} ${reason}.`, endpoint);
  if (/ALERT_(?:CERTIFICATE_REQUIRED|HANDSHAKE_FAILURE|BAD_CERTIFICATE|UNKNOWN_CA|CERTIFICATE_)/.test(code)) {
    const text = `${host} did not accept this client's certificate: set client_cert and client_cert_key to a valid one.`;
    return cannotConnectFailure(text, endpoint);
  }
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'ERR_SSL_PACKET_LENGTH_TOO_LONG') {
    return cannotConnectFailure(`${host} does not speak TLS on this port: try its address with http://.`, endpoint);
  }
  if (code === 'EPROTO' || /^ERR_(?:SSL|TLS|OSSL)_/.test(code)) {
    return cannotConnectFailure(`Cannot connect securely to ${host}: ${describe(code, error)}.`, endpoint);
  }
  return undefined;
}

const proxyStatus = /^Proxy response \((\d{3})\)|^Proxy Authentication Required \((407)\)/;

function proxyFailure(error: unknown, cause: unknown, {endpoint, host, proxy}: FailedRequest): ApiFailure | undefined {
  const details = {endpoint, carriedOut: 'no'} as const;
  if (hasCause(error, (each) => codeOf(each).startsWith('UND_ERR_PRX'))) {
    return new RetryFailure(`The proxy ${proxy} cannot connect to ${host}.`, {...details, reason: 'network'});
  }
  const match = cause instanceof Error ? proxyStatus.exec(cause.message) : null;
  if (match === null) return undefined;
  const status = Number(match[1] ?? match[2]);
  if (status === 407) {
    const text = `The proxy ${proxy} requires a user name and password: add them to its URL.`;
    return cannotConnectFailure(text, endpoint, status);
  }
  const text = `The proxy ${proxy} cannot connect to ${host} (status ${status}).`;
  if (status >= 500) return new RetryFailure(text, {...details, reason: 'gateway'});
  return cannotConnectFailure(text, endpoint, status);
}

function protocolFailure(
  code: string,
  details: {endpoint: string; carriedOut: CarriedOut},
  host: string,
): ApiFailure | undefined {
  if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED') {
    return new PermanentFailure('This connection is closed.', {...details, code: 'CANNOT_CONNECT'});
  }
  if (code.startsWith('HPE_') || code === 'UND_ERR_HEADERS_OVERFLOW') {
    return new MalformedFailure(`${host} did not send an HTTP response.`, details);
  }
  if (code === 'UND_ERR_INVALID_ARG' || code === 'UND_ERR_NOT_SUPPORTED') {
    return new PermanentFailure('This request cannot be sent over HTTP.', {...details, code: 'BAD_REQUEST'});
  }
  return undefined;
}

function timeoutText(code: string, {host, started, proxy}: FailedRequest): string {
  if (started) return `${host} did not answer in time.`;
  // Before sending, only the response to a proxy's CONNECT has headers.
  if (code === 'UND_ERR_HEADERS_TIMEOUT') return `The proxy ${proxy} does not respond.`;
  return `${host} could not be reached in time.`;
}

function isTimeout(code: string): boolean {
  return /TIMEOUT|ETIMEDOUT/.test(code);
}

/** Returns whether the error or one of its causes matches. */
function hasCause(error: unknown, matches: (cause: Error) => boolean): boolean {
  return error instanceof Error && (matches(error) || hasCause(error.cause, matches));
}

/** Returns the innermost cause. Errors of a host's addresses are aggregated, and undici wraps the cause in its own error. */
function innermostCause(error: unknown): unknown {
  let cause = error;
  for (let depth = 0; depth < 5; depth++) {
    if (cause instanceof AggregateError && cause.errors.length > 0) cause = cause.errors[0];
    else if (cause instanceof Error && cause.cause instanceof Error) cause = cause.cause;
    else return cause;
  }
  return cause;
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const code: unknown = Reflect.get(error, 'code');
  if (typeof code === 'string') return code;
  // undici sets no code on most of its parser errors.
  return error.name === 'HTTPParserError' ? 'HPE_INVALID' : '';
}

/** Returns the message of Node or undici, which contains hosts and ports but never headers. */
function describe(code: string, error: unknown): string {
  const message = error instanceof Error ? shortPrintableLine(error.message) : '';
  return withFullStop(message === '' ? code || 'unknown reason' : message).slice(0, -1);
}

/** The connection to the proxy itself failed; `cause` says why. */
export class ProxyUnreachableError extends Error {
  constructor(cause: Error) {
    super('The proxy cannot be reached', {cause});
  }
}
