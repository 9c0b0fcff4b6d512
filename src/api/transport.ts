import type {Readable} from 'node:stream';
import {type Clock, systemClock} from '#std/clock.ts';
import {cannotConnectFailure, otherHostFailure} from '#wire/failure.ts';
import type {CallOptions, ConnectionOptions, Timeouts} from './connection-options.ts';
import {diagnoseError} from './diagnose-error.ts';
import {Dispatchers} from './dispatchers.ts';
import {type ResponseEnvelope, successBody} from './response.ts';
import {acceptedEncodings, bodyBytes, bodyText} from './response-body.ts';
import {BrokenRequest, type IncomingResponse, sendHttpRequest} from './send-http-request.ts';
import {apiPrefix, type Site} from './site.ts';

/** A request to send. */
export interface TransportRequest {
  readonly endpoint: string;
  readonly method: string;
  /** The origin of the request; the path and query are in `target`. */
  readonly url: URL;
  /** The path and query exactly as sent. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Readable | undefined;
  /** Whether credentials are sent. */
  readonly isAuthenticated: boolean;
}

/** The head of a response, and its final URL after redirects. */
export interface ResponseHead {
  readonly response: IncomingResponse;
  readonly url: URL;
}

const defaultTimeouts: Timeouts = {connect: 10_000, headers: 30_000, body: 30_000};
const mib = 1024 * 1024;
/** The largest responses in MiB, compressed and decompressed, of endpoints whose responses grow with the organization. */
const maxBodyMib: Readonly<Record<string, number>> = {
  'queue.register': 64,
  'user.list': 64,
  'queue.poll': 16,
  'message.list': 16,
  'channel.list': 16,
  'subscription.list': 16,
  'topic.list': 16,
  'group.list': 16,
  'presence.list': 16,
  'attachment.list': 16,
  'draft.list': 16,
  'scheduled-message.list': 16,
};
const otherMaxBodyMib = 4;
/** For calls by path, whose id is not in the table. */
const rawMaxBodyMib = 64;
const maxErrorBody = 1 * mib;

/** Sends requests and reads responses; it does not depend on endpoints. */
export class Transport {
  readonly #site: Site;
  readonly #dispatchers: Dispatchers;
  readonly #authorization: string | undefined;
  readonly #secrets: readonly string[];
  readonly #userAgent: string;
  readonly #timeouts: Timeouts;
  readonly #maxBody: number | undefined;
  readonly #clock: Clock;
  readonly #mayUseOtherHosts: () => boolean;

  constructor(site: Site, options: ConnectionOptions) {
    this.#site = site;
    this.#timeouts = {...defaultTimeouts, ...options.timeouts};
    this.#maxBody = options.maxBodyBytes;
    this.#clock = options.clock ?? systemClock;
    this.#mayUseOtherHosts = options.mayUseOtherHosts ?? (() => false);
    this.#userAgent = options.userAgent.replaceAll(/[^\x20-\x7e]/g, '?');
    const {connect} = this.#timeouts;
    this.#dispatchers = new Dispatchers(site, options, connect);
    this.#secrets = secretsOf(options);
    const token = this.#secrets.at(-1);
    this.#authorization = token === undefined ? undefined : `Basic ${token}`;
  }

  get isAuthenticated(): boolean {
    return this.#authorization !== undefined;
  }

  resetSockets(): void {
    this.#dispatchers.resetSockets();
  }

  close(): Promise<void> {
    return this.#dispatchers.close();
  }

  /** Throws unless a file may be downloaded from this URL: on the own origin, or anywhere if the user allows it. */
  checkHost(url: URL, endpoint: string): void {
    if (this.#site.isOwnOrigin(url) || this.#mayUseOtherHosts()) return;
    throw otherHostFailure(endpoint, this.#site.host, url.origin);
  }

  /** Sends a request and follows redirects of GETs on the own origin; for a file also to other hosts, if the user allows them. */
  async send(request: TransportRequest, options: CallOptions, isFile: boolean): Promise<ResponseHead> {
    let {url: at, target, isAuthenticated} = request;
    for (let hop = 0; hop <= maxRedirects; hop++) {
      const incoming = await this.#attempt({...request, url: at, target, isAuthenticated}, options);
      const next = redirectTarget(incoming.status, incoming.headers, new URL(target, at));
      if (next === undefined) return {response: incoming, url: new URL(target, at)};
      incoming.body.destroy();
      const isOwnOrigin = this.#site.isOwnOrigin(next) && this.#site.isOwnOrigin(at);
      if (request.method !== 'GET' || (!isOwnOrigin && !isFile)) {
        throw cannotConnectFailure(`${this.#site.host} redirects ${redirectText(this.#site, next)}`, request.endpoint);
      }
      this.checkHost(next, request.endpoint);
      // After a redirect to another origin no credentials are sent any more, not even back on the own origin.
      isAuthenticated &&= isOwnOrigin;
      at = next;
      target = next.pathname + next.search;
    }
    throw cannotConnectFailure(`${this.#site.host} redirects in a loop.`, request.endpoint);
  }

  /** Returns the body of a successful response; throws a failure otherwise. */
  async read(
    endpoint: string,
    {response: incoming, url: at}: ResponseHead,
    {signal}: CallOptions,
  ): Promise<ResponseEnvelope> {
    const {status, headers} = incoming;
    const isSuccess = status >= 200 && status < 300;
    const allowed = this.#maxBody ?? maxBodyOf(endpoint);
    const maxBytes = isSuccess ? allowed : Math.min(maxErrorBody, allowed);
    let text = '';
    try {
      text = await bodyText(incoming, {maxBytes, waitMs: this.#timeouts.body, clock: this.#clock});
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      // A rejection with a broken body is still a rejection.
      if (isSuccess || status >= 500) throw this.#diagnose(new BrokenRequest(error, true), endpoint, at);
    }
    const safeText = isSuccess ? text : this.#withoutSecrets(text);
    return successBody({endpoint, host: at.host, status, headers, text: safeText, now: this.#clock.now()});
  }

  /** Yields the body as it arrives. */
  async *stream(
    endpoint: string,
    {response: incoming, url: at}: ResponseHead,
    maxBytes: number,
    {signal}: CallOptions,
  ): AsyncGenerator<Uint8Array, void> {
    try {
      yield* bodyBytes(incoming, {maxBytes, waitMs: this.#timeouts.body, clock: this.#clock});
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      throw this.#diagnose(new BrokenRequest(error, true), endpoint, at);
    }
  }

  async #attempt(request: TransportRequest, {signal, timeoutMs}: CallOptions): Promise<IncomingResponse> {
    const {endpoint, method, url, target, body} = request;
    // Loading takes some 30 ms, which must not delay the first painted frame.
    const {makeDispatcher} = await import('./make-dispatcher.ts');
    if (this.#dispatchers.closed) throw cannotConnectFailure('This connection is closed.', endpoint);
    const headers: Record<string, string> = {
      'user-agent': this.#userAgent,
      'accept-encoding': acceptedEncodings,
      ...request.headers,
    };
    if (request.isAuthenticated && this.#authorization !== undefined) headers.authorization = this.#authorization;
    try {
      return await sendHttpRequest(this.#dispatchers.dispatcherFor(url, makeDispatcher), {
        method,
        origin: url.origin,
        path: target,
        headers,
        body,
        signal,
        headersMs: timeoutMs ?? this.#timeouts.headers,
        bodyMs: this.#timeouts.body,
        clock: this.#clock,
      });
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      if (error instanceof BrokenRequest) throw this.#diagnose(error, endpoint, url);
      throw error;
    }
  }

  /** Removes credentials from a response, in case the server echoes the request in an error message. */
  #withoutSecrets(text: string): string {
    return this.#secrets.reduce((current, secret) => current.replaceAll(secret, '••••'), text);
  }

  #diagnose({error, started}: BrokenRequest, endpoint: string, at: URL) {
    const proxy = this.#dispatchers.proxyHostFor(at);
    return diagnoseError(error, {endpoint, host: at.host, started, proxy});
  }
}

function maxBodyOf(endpoint: string): number {
  return mib * (maxBodyMib[endpoint] ?? (endpoint.includes(' ') ? rawMaxBodyMib : otherMaxBodyMib));
}

/** Returns the API key and, last, the authorization token. */
function secretsOf({credentials}: ConnectionOptions): readonly string[] {
  if (credentials === undefined) return [];
  const key = credentials.apiKey.trim();
  const token = Buffer.from(`${credentials.email.trim()}:${key}`).toString('base64');
  return key === '' ? [token] : [key, token];
}

const redirects = new Set([301, 302, 303, 307, 308]);
/** More redirects are treated as a loop. */
const maxRedirects = 5;

/** Returns the target of a redirect; undefined when the response is not a redirect or the target is invalid. */
function redirectTarget(
  status: number,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  from: URL,
): URL | undefined {
  const {location} = headers;
  if (!redirects.has(status) || typeof location !== 'string') return undefined;
  const target = URL.parse(location, from.href);
  if (target === null || (target.protocol !== 'https:' && target.protocol !== 'http:')) return undefined;
  // A redirect must not add credentials, and fragments are not sent.
  target.username = '';
  target.password = '';
  target.hash = '';
  return target;
}

/** Says where an API request was redirected to; it names the right URL, unless that is not encrypted. */
function redirectText(site: Site, {origin, pathname}: URL): string {
  const at = pathname.indexOf(`${apiPrefix}/`);
  const rightUrl = at < 0 ? origin : origin + pathname.slice(0, at);
  if (rightUrl === site.url) return `this request to ${pathname}: its API is not at this address.`;
  if (at < 0) return `to a page of ${origin}: check the address, and for a proxy or a network login page.`;
  if (site.url.startsWith('https:') && origin.startsWith('http:')) {
    return `to ${rightUrl}. This is refused, because passwords and API keys would be sent unencrypted.`;
  }
  return `to ${rightUrl}: use this as the server's address.`;
}
