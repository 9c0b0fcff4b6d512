import {
  type ApiFailure,
  type CarriedOut,
  MalformedFailure,
  PermanentFailure,
  RetryFailure,
} from './failure.ts';
import {shortPrintableLine, withFullStop} from './failure-text.ts';
import {BadBodyError, SlowBodyError} from './response-body.ts';

/** What is known about a request when it breaks. */
export interface FailedRequest {
  readonly endpoint: string;
  /** Whom we wanted to reach, as people know it. */
  readonly host: string;
  /** Whether the request had begun to leave: before that nothing can have been carried out. */
  readonly started: boolean;
}

/** Why certificates are refused, in words. */
const untrusted: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'is signed by nobody but itself',
  SELF_SIGNED_CERT_IN_CHAIN: 'comes from an authority that is not trusted here',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'comes from an authority that is not trusted here',
  UNABLE_TO_GET_ISSUER_CERT: 'comes from an authority that is not trusted here',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'comes from an authority that is not trusted here',
  CERT_UNTRUSTED: 'comes from an authority that is not trusted here',
  CERT_SIGNATURE_FAILURE: 'has a wrong signature',
  CERT_NOT_YET_VALID: 'is not valid yet (is the clock of this computer right?)',
  CERT_HAS_EXPIRED: 'has expired (is the clock of this computer right?)',
  CERT_REVOKED: 'has been revoked',
  CERT_REJECTED: 'was rejected',
  CERT_CHAIN_TOO_LONG: 'has too long a chain',
  INVALID_CA: 'comes from an authority that may not give any',
  INVALID_PURPOSE: 'is not one for servers',
  HOSTNAME_MISMATCH: 'is for another host',
  ERR_TLS_CERT_ALTNAME_INVALID: 'is for another host',
};

const unreachable: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing is listening there',
  ENOTFOUND: 'there is no such host, or no network',
  EAI_AGAIN: 'its name cannot be looked up right now',
  EHOSTUNREACH: 'there is no way to it',
  ENETUNREACH: 'there is no network',
  ENETDOWN: 'the network is down',
  ECONNRESET: 'the connection was closed',
  EPIPE: 'the connection was closed',
  UND_ERR_SOCKET: 'the connection was closed',
};

/** An error of the socket, of TLS, of undici or of the body → what to do about it. */
export function diagnoseError(error: unknown, circumstances: FailedRequest): ApiFailure {
  const {endpoint, host, started} = circumstances;
  const carriedOut: CarriedOut = started ? 'maybe' : 'no';
  const found = innermost(error);
  if (found instanceof BadBodyError) {
    return new MalformedFailure(`The answer of ${host} cannot be used: ${found.message}.`, {
      endpoint,
      carriedOut,
    });
  }
  const code = codeOf(found);
  if (found instanceof SlowBodyError || /TIMEOUT|ETIMEDOUT/.test(code)) {
    const text = started ? `${host} did not answer in time.` : `${host} could not be reached in time.`;
    return new RetryFailure(text, {endpoint, carriedOut, reason: 'timeout'});
  }
  return (
    tlsFailure(code, found, circumstances) ??
    proxyFailure(found, circumstances) ??
    protocolFailure(code, {endpoint, carriedOut}, host) ??
    new RetryFailure(`Cannot reach ${host}: ${unreachable[code] ?? described(code, found)}.`, {
      endpoint,
      carriedOut,
      reason: 'network',
    })
  );
}

/** A handshake that failed has carried nothing out, even when the refusal comes after our first bytes. */
function tlsFailure(code: string, error: unknown, {endpoint, host}: FailedRequest): ApiFailure | undefined {
  const permanent = (text: string) =>
    new PermanentFailure(text, {endpoint, carriedOut: 'no', code: 'CANNOT_CONNECT'});
  const reason = untrusted[code];
  if (reason !== undefined) {
    return permanent(
      `The certificate of ${host} ${reason}: name its authority with cert_bundle, or set insecure=true to trust it anyway.`,
    );
  }
  if (/ALERT_(?:CERTIFICATE_REQUIRED|HANDSHAKE_FAILURE|BAD_CERTIFICATE|UNKNOWN_CA|CERTIFICATE_)/.test(code)) {
    return permanent(
      `${host} did not accept this client's certificate: name a valid one with client_cert and client_cert_key.`,
    );
  }
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'ERR_SSL_PACKET_LENGTH_TOO_LONG') {
    return permanent(`${host} does not speak TLS at this port: try its address with http:// in front.`);
  }
  if (code === 'EPROTO' || /^ERR_(?:SSL|TLS|OSSL)_/.test(code)) {
    return permanent(`There is no secure connection to ${host}: ${described(code, error)}.`);
  }
  return undefined;
}

const proxyStatus = /^Proxy response \((\d{3})\)|^Proxy Authentication Required \((407)\)/;

function proxyFailure(error: unknown, {endpoint, host}: FailedRequest): ApiFailure | undefined {
  const facts = {endpoint, carriedOut: 'no'} as const;
  if (codeOf(error).startsWith('UND_ERR_PRX')) {
    return new RetryFailure(`The proxy does not connect to ${host}.`, {...facts, reason: 'network'});
  }
  const found = error instanceof Error ? proxyStatus.exec(error.message) : null;
  if (found === null) return undefined;
  const status = Number(found[1] ?? found[2]);
  if (status === 407) {
    const text = 'The proxy wants a user name and a password: put them into its address.';
    return new PermanentFailure(text, {...facts, status, code: 'CANNOT_CONNECT'});
  }
  const text = `The proxy does not connect to ${host} (status ${status}).`;
  if (status >= 500) return new RetryFailure(text, {...facts, reason: 'gateway'});
  return new PermanentFailure(text, {...facts, status, code: 'CANNOT_CONNECT'});
}

function protocolFailure(
  code: string,
  facts: {endpoint: string; carriedOut: CarriedOut},
  host: string,
): ApiFailure | undefined {
  if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED') {
    return new PermanentFailure('This connection is closed.', {...facts, code: 'CANNOT_CONNECT'});
  }
  if (code.startsWith('HPE_') || code === 'UND_ERR_HEADERS_OVERFLOW') {
    return new MalformedFailure(`${host} does not answer in HTTP.`, facts);
  }
  if (code === 'UND_ERR_INVALID_ARG' || code === 'UND_ERR_NOT_SUPPORTED') {
    return new PermanentFailure('This request cannot be written in HTTP.', {...facts, code: 'BAD_REQUEST'});
  }
  return undefined;
}

/** Errors come wrapped: the addresses of one host are tried together, and undici names its own reason first. */
function innermost(error: unknown): unknown {
  let found = error;
  for (let depth = 0; depth < 5; depth++) {
    if (found instanceof AggregateError && found.errors.length > 0) found = found.errors[0];
    else if (found instanceof Error && found.cause instanceof Error) found = found.cause;
    else return found;
  }
  return found;
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const code: unknown = Reflect.get(error, 'code');
  if (typeof code === 'string') return code;
  // undici gives most of them no code.
  return error.name === 'HTTPParserError' ? 'HPE_INVALID' : '';
}

/** Node's and undici's own words; they name hosts and ports, never headers. */
function described(code: string, error: unknown): string {
  const words = error instanceof Error ? shortPrintableLine(error.message) : '';
  return withFullStop(words === '' ? code || 'unknown reason' : words).slice(0, -1);
}
