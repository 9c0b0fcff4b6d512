import type {Readable} from 'node:stream';
import {type Clock, systemClock} from '#std/clock.ts';
import type {CallOptions, ConnectionOptions, Timeouts} from './connection-options.ts';
import {diagnoseError} from './diagnose-error.ts';
import {Dispatchers} from './dispatchers.ts';
import {PermanentFailure} from './failure.ts';
import {maxRedirects, movedFailure, redirectLoopFailure, redirectTarget} from './redirect.ts';
import {type ResponseEnvelope, successBody} from './response.ts';
import {acceptedEncodings, bodyBytes, bodyText} from './response-body.ts';
import {BrokenRequest, type IncomingResponse, sendHttpRequest} from './send-http-request.ts';
import type {Site} from './site.ts';

/** A request on its way out. */
export interface TransportRequest {
  readonly endpoint: string;
  readonly method: string;
  /** Only the origin counts; what follows it is `target`. */
  readonly url: URL;
  /** Path and query exactly as they go out. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Readable | undefined;
  /** Whether credentials go with it. */
  readonly isAuthenticated: boolean;
}

/** The head of an answer, and where it came from in the end. */
export interface ResponseHead {
  readonly response: IncomingResponse;
  readonly url: URL;
}

const defaultTimeouts: Timeouts = {connect: 10_000, headers: 30_000, body: 30_000};
const mib = 1024 * 1024;
/** Several times the snapshot of a very large organization. */
const defaultMaxBody = 512 * mib;
/** Nobody needs more of a refusal. */
const maxRefusal = 1 * mib;

/** Carries requests to the server and brings back what it said. Knows nothing of endpoints. */
export class Transport {
  readonly #site: Site;
  readonly #dispatchers: Dispatchers;
  readonly #authorization: string | undefined;
  readonly #secrets: readonly string[];
  readonly #userAgent: string;
  readonly #timeouts: Timeouts;
  readonly #maxBody: number;
  readonly #clock: Clock;

  constructor(site: Site, options: ConnectionOptions) {
    this.#site = site;
    this.#timeouts = {...defaultTimeouts, ...options.timeouts};
    this.#maxBody = options.maxBodyBytes ?? defaultMaxBody;
    this.#clock = options.clock ?? systemClock;
    this.#userAgent = options.userAgent.replaceAll(/[^\x20-\x7e]/g, '?');
    const {connect} = this.#timeouts;
    this.#dispatchers = new Dispatchers(site, options.tls ?? {}, options.proxies ?? {}, connect);
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

  /** Sends, and follows where a GET is sent on to: a file anywhere, anything else only at home. */
  async send(outward: TransportRequest, options: CallOptions, isFile: boolean): Promise<ResponseHead> {
    let {url: at, target, isAuthenticated: signed} = outward;
    for (let hop = 0; hop <= maxRedirects; hop++) {
      const incoming = await this.#attempt({...outward, url: at, target, isAuthenticated: signed}, options);
      const next = redirectTarget(incoming.status, incoming.headers, new URL(target, at));
      if (next === undefined) return {response: incoming, url: new URL(target, at)};
      incoming.body.destroy();
      const home = this.#site.isOwnOrigin(next) && this.#site.isOwnOrigin(at);
      if (outward.method !== 'GET' || (!home && !isFile))
        throw movedFailure(outward.endpoint, this.#site, next);
      // Once away from home nothing is signed any more, not even back at home.
      signed &&= home;
      at = next;
      target = next.pathname + next.search;
    }
    throw redirectLoopFailure(outward.endpoint, this.#site);
  }

  /** The body of a success; a refusal is thrown. */
  async read(
    endpoint: string,
    {response: incoming, url: at}: ResponseHead,
    {signal}: CallOptions,
  ): Promise<ResponseEnvelope> {
    const {status, headers} = incoming;
    const isSuccess = status >= 200 && status < 300;
    const maxBytes = isSuccess ? this.#maxBody : Math.min(maxRefusal, this.#maxBody);
    let text = '';
    try {
      text = await bodyText(incoming, {maxBytes, waitMs: this.#timeouts.body, clock: this.#clock});
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      // Who refuses with a broken body has still refused.
      if (isSuccess || status >= 500) throw this.#diagnosed(new BrokenRequest(error, true), endpoint, at);
    }
    const shown = isSuccess ? text : this.#scrubbed(text);
    return successBody({endpoint, host: at.host, status, headers, text: shown, now: this.#clock.now()});
  }

  /** The body as it comes. */
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
      throw this.#diagnosed(new BrokenRequest(error, true), endpoint, at);
    }
  }

  async #attempt(outward: TransportRequest, {signal, timeoutMs}: CallOptions): Promise<IncomingResponse> {
    const {endpoint, method, url, target, body} = outward;
    // A tenth of a second the first time: no picture waits for it.
    const {makeDispatcher} = await import('./make-dispatcher.ts');
    if (this.#dispatchers.closed) throw closed(endpoint);
    const headers: Record<string, string> = {
      'user-agent': this.#userAgent,
      'accept-encoding': acceptedEncodings,
      ...outward.headers,
    };
    if (outward.isAuthenticated && this.#authorization !== undefined)
      headers.authorization = this.#authorization;
    const headersMs = timeoutMs ?? this.#timeouts.headers;
    const bodyMs = this.#timeouts.body;
    const {origin} = url;
    try {
      const dispatcher = this.#dispatchers.dispatcherFor(url, makeDispatcher);
      return await sendHttpRequest(dispatcher, {
        method,
        origin,
        path: target,
        headers,
        body,
        signal,
        headersMs,
        bodyMs,
      });
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      if (error instanceof BrokenRequest) throw this.#diagnosed(error, endpoint, url);
      throw error;
    }
  }

  /** A server that repeats what it was sent must not put credentials into a message. */
  #scrubbed(text: string): string {
    return this.#secrets.reduce((seen, secret) => seen.replaceAll(secret, '••••'), text);
  }

  #diagnosed({error, started}: BrokenRequest, endpoint: string, at: URL) {
    return diagnoseError(error, {endpoint, host: at.host, started});
  }
}

/** The key, and last what is sent in its place. */
function secretsOf({credentials}: ConnectionOptions): readonly string[] {
  if (credentials === undefined) return [];
  const key = credentials.apiKey.trim();
  const token = Buffer.from(`${credentials.email.trim()}:${key}`).toString('base64');
  return key === '' ? [token] : [key, token];
}

function closed(endpoint: string): PermanentFailure {
  return new PermanentFailure('This connection is closed.', {
    endpoint,
    carriedOut: 'no',
    code: 'CANNOT_CONNECT',
  });
}
